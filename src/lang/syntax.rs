//! The syntax tree: what the user wrote, before names and types are resolved.
//!
//! Invariant: two trees are equal if and only if they say the same; where it is said (the spans)
//! makes no difference. So `parse(print(tree)) == tree` can be tested directly.

/// A place in the source, in bytes. Never makes two trees differ.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Span {
    /// Of what is not in the source at all.
    pub const NOWHERE: Span = Span {
        start: u32::MAX,
        end: u32::MAX,
    };

    pub fn is_nowhere(self) -> bool {
        self.start == u32::MAX
    }

    pub fn new(start: usize, end: usize) -> Span {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            start: narrow(start),
            end: narrow(end),
        }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A comment, with its `//` or `/* */`. Comments stand beside the tree, found again by their place.
#[derive(Clone, Debug, Eq)]
pub struct Comment {
    pub text: String,
    pub span: Span,
    /// Nothing stands before it on its line. Like the span, this never makes two trees differ.
    pub own_line: bool,
}

impl PartialEq for Comment {
    fn eq(&self, other: &Comment) -> bool {
        self.text == other.text
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// `system NAME;`
    pub system: Option<Name>,
    pub items: Vec<Item>,
    pub comments: Vec<Comment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `const N = 3;`, changed from outside with `-D N=5`.
    Const {
        name: Name,
        value: Expr,
    },
    /// `enum Colour { Red, Green }`
    Enum {
        name: Name,
        literals: Vec<Name>,
    },
    /// `signal Order(int seats), Grant;` or `external signal Tick to a1, a2;`
    Signals(Signals),
    /// A global variable.
    Global(Variable),
    Class(Class),
    Object(Object),
    Inbox(Inbox),
    /// `thread main { a1, pool }`
    Thread {
        name: Name,
        objects: Vec<ObjectName>,
    },
    /// `semantics run_to_completion with rhapsody_triggers;`
    Semantics {
        kind: Name,
        options: Vec<Name>,
    },
    /// `environment lazy;`
    Environment {
        kind: Name,
    },
    /// `allow implicit_consumption of (Refuse, Grant), deadlock;`
    Allow(Vec<Allow>),
    Property(Property),
    /// `abstraction { ... }`
    Abstraction(Vec<Abstraction>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals {
    pub external: bool,
    pub signals: Vec<Signal>,
    /// Who may receive them from the environment; empty: every object that has a use for them.
    pub receivers: Vec<ObjectName>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub name: Name,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub ty: Type,
    pub name: Name,
}

/// A mention of objects in a declaration: `a1`, a whole array `pool`, or one of it `pool[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectName {
    pub name: Name,
    pub index: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `int`: 32 bits.
    Int,
    /// `int(l..u)`
    Range(Box<Expr>, Box<Expr>),
    /// `wrap int` or `wrap int(l..u)`: what does not fit comes in again at the other end.
    Wrap(Box<Type>),
    Bool,
    /// `nat`: the integers from 0, unbounded.
    Nat,
    /// `integer`: all integers.
    Integer,
    /// An enumeration, or a reference to objects of a class.
    Named(Name),
    /// `T[n]`
    Array(Box<Type>, Box<Expr>),
}

/// `int x = 1, y;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub ty: Type,
    pub declared: Vec<(Name, Option<Initial>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// One value; for an array, of each element.
    Value(Expr),
    /// `{ a, b, c }`, for an array.
    List(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub name: Name,
    pub body: Vec<Element>,
}

/// What stands in the body of a class, a state or a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub kind: ElementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// In the body of a class only.
    Variable(Variable),
    /// `initial -> Idle / { ... }`
    Initial {
        target: StatePath,
        effect: Option<Block>,
    },
    /// `quiescent state A, B;` or `state A { ... }` (a body only with one name).
    State {
        quiescent: bool,
        names: Vec<Name>,
        body: Option<Vec<Element>>,
    },
    /// `region desk { ... }`
    Region { name: Name, body: Vec<Element> },
    /// `choice A, B;`
    Vertices { kind: VertexKind, names: Vec<Name> },
    /// `A -> B : trigger [guard] / { effect }`
    Transition {
        source: StatePath,
        target: Target,
        label: Label,
    },
    /// `on Tick [guard] / { effect }`: a transition that leaves no state.
    Internal(Label),
    /// `entry / { ... }`
    Entry(Block),
    /// `exit / { ... }`
    Exit(Block),
    /// `defer A, B;`
    Defer(Vec<Name>),
    /// `ignore A, B;`: taken, without effect.
    Ignore(Vec<Name>),
    /// `history;` or `deep history;`: the region is entered where it was left.
    History { deep: bool },
    /// `no flush;`: entering this state leaves deferred messages where they are.
    NoFlush,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexKind {
    Choice,
    Junction,
    Fork,
    Join,
    Final,
}

/// `Working.desk.Open`: a state, named by as much of its path as tells it apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath {
    pub names: Vec<Name>,
}

impl StatePath {
    pub fn span(&self) -> Span {
        let spans = self.names.iter().map(|name| name.span);
        spans.reduce(Span::to).unwrap_or_default()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub path: StatePath,
    /// `-> Working.history` or `-> Working.deep_history`
    pub history: Option<HistoryKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HistoryKind {
    Shallow,
    Deep,
}

/// `trigger, trigger [guard] / { effect }`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub triggers: Vec<Trigger>,
    pub guard: Option<Guard>,
    pub effect: Option<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// `Order(seats, _)`; `None`: written without parentheses.
    Signal {
        name: Name,
        parameters: Option<Vec<Binding>>,
    },
    /// `any`: every message that the state names in no other trigger.
    Any(Span),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    Name(Name),
    /// `_`
    Ignored(Span),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    Condition(Expr),
    /// `[else]`
    Else(Span),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `int k = 3;`
    Local {
        ty: Type,
        name: Name,
        value: Option<Expr>,
    },
    /// `x = e;` or `x += e;`; `x++` is read as `x += 1`.
    Assign {
        place: Expr,
        operator: Option<BinaryOperator>,
        value: Expr,
    },
    /// `send target.Signal(arguments);`
    Send {
        target: Expr,
        signal: Name,
        arguments: Vec<Expr>,
    },
    Assert(Expr),
    If {
        condition: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    /// `for (i in range) { ... }`
    For {
        variable: Name,
        range: Range,
        body: Block,
    },
}

/// What a loop or a quantifier runs over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// `l..u`, both ends included.
    Numbers(Box<Expr>, Box<Expr>),
    /// The elements of an array, or the objects of an object array.
    Elements(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// Never negative: a minus sign is an operator. Up to 2^63, of which only the opposite is a number.
    Int(u64),
    Bool(bool),
    Null,
    SelfReference,
    /// A local, parameter, variable, constant, enumeration literal or object; or `index`, in the
    /// initialiser of an object array.
    Name(String),
    Field(Box<Expr>, Name),
    Element(Box<Expr>, Box<Expr>),
    Unary(UnaryOperator, Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a1 in Working.Open`
    InState(Box<Expr>, StatePath),
    /// `choose(l..u)`
    ChooseRange(Box<Expr>, Box<Expr>),
    /// `choose {a, b}`
    ChooseSet(Vec<Expr>),
    /// `forall(x in range : e)`, `exists(...)`, `count(...)`
    Quantified {
        quantifier: Quantifier,
        variable: Name,
        range: Range,
        body: Box<Expr>,
    },
    /// `queued(a1.Grant)`: the message waits in the inbox.
    Queued(SignalAt),
    /// `queued_before(a1.Grant, a1.Refuse)`
    QueuedBefore(SignalAt, SignalAt),
    /// `enabled(a1)`: the object has an enabled transition.
    Enabled(Box<Expr>),
    /// `idle(a1)`: the object is not inside a run-to-completion step.
    Idle(Box<Expr>),
    /// `sent(a1.Order(x) | x > 2)`, `received(...)`; in temporal properties only.
    Action {
        received: bool,
        signal: SignalAt,
        parameters: Option<Vec<Binding>>,
        condition: Option<Box<Expr>>,
    },
}

/// `a1.Grant`, or `Grant` for whoever it is sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalAt {
    pub object: Option<Box<Expr>>,
    pub signal: Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
    Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Not,
    Negate,
    /// The temporal ones, in `ltl` properties only.
    Globally,
    Finally,
    Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Implies,
    Iff,
    /// The temporal ones, in `ltl` properties only.
    Until,
    WeakUntil,
    Release,
}

/// `object a1, a2: Agent { db = d1; }`, `object pool[4]: Worker { id = index; }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub declared: Vec<(Name, Option<Expr>)>,
    pub class: Name,
    pub initial: Vec<(Name, Initial)>,
}

/// `inbox a1, pool capacity 6 on_full violate;`, `inbox * capacity 2;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inbox {
    /// Objects, classes or threads; empty: `*`, all that no other line names.
    pub owners: Vec<ObjectName>,
    pub capacity: Expr,
    pub on_full: Option<Name>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    pub fault: Name,
    /// Of which signals; empty: of all.
    pub of: Vec<Name>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub name: Name,
    pub body: PropertyBody,
    /// `at rtc` or `at transition`
    pub level: Option<Name>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyBody {
    Always(Expr),
    Never(Expr),
    /// `never deadlock`, `never livelock of db1, db2`
    NeverFault {
        fault: Name,
        of: Vec<ObjectName>,
    },
    Ltl(Expr),
}

/// `Agent.account : intervals(..-1, 0, 1..);`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    pub subject: AbstractionSubject,
    pub domain: Domain,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbstractionSubject {
    /// `x`: a global variable.
    Global(Name),
    /// `Agent.account`: of a class, or a parameter of a signal.
    Member(Name, Name),
    /// `Agent.*`
    All(Name),
    /// `*`
    Everything,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `intervals(..-1, 0, 1..)`: pairs of ends, `None` where there is none.
    Intervals(Vec<(Option<Expr>, Option<Expr>)>),
    /// `values(1, 3, 7)`
    Values(Vec<Expr>),
    /// `range(l..u)`
    Range(Expr, Expr),
    /// `modulo(n)`
    Modulo(Expr),
    /// `timer(k)`
    Timer(Expr),
    Sign,
    Parity,
    Any,
    Exact,
    Auto,
    /// `parity && sign`: what either tells apart.
    Both(Box<Domain>, Box<Domain>),
}
