//! The model: what the user wrote, with names resolved and types checked.

use super::action::Expr;
use super::machine::Machine;
use super::syntax::Span;
use super::value::{
    ClassId, EnumId, Message, ObjectId, SignalId, Slot, StateId, ThreadId, TransitionId, Type,
    Value, VariableId,
};

#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    pub enums: Vec<Enum>,
    pub signals: Vec<Signal>,
    pub classes: Vec<Class>,
    pub objects: Vec<Object>,
    pub globals: Vec<Variable>,
    /// The values of the global variables at the start, arrays element by element.
    pub global_values: Vec<Value>,
    /// Under `run_to_completion` every object is on exactly one; otherwise there are none.
    pub threads: Vec<Thread>,
    pub semantics: Semantics,
    pub environment: Environment,
    pub properties: Vec<Property>,
    /// What names may be bound while a property is evaluated.
    pub property_frame: Vec<Local>,
    pub abstraction: Vec<AbstractionEntry>,
    /// The model says that it means its non-determinism: no warnings about it.
    pub nondeterminism_is_meant: bool,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub literals: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Signal {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub external: bool,
    /// `allow implicit_consumption of (...)`
    pub may_be_lost: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    /// Where its values start among those of its owner.
    pub offset: usize,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct Class {
    pub name: String,
    pub variables: Vec<Variable>,
    pub defaults: Vec<Value>,
    pub machine: Machine,
    /// The local names of its steps.
    pub frame: Vec<Local>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Object {
    /// With its number for one of an array: `pool[2]`.
    pub name: String,
    pub class: ClassId,
    pub values: Vec<Value>,
    pub inbox: Inbox,
    /// Under `run_to_completion`; meaningless otherwise.
    pub thread: ThreadId,
    /// What the environment may send to it, in order.
    pub from_environment: Vec<Message>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub name: String,
    pub objects: Vec<ObjectId>,
    pub inbox: Inbox,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inbox {
    pub capacity: usize,
    pub on_full: OnFull,
}

impl Default for Inbox {
    fn default() -> Inbox {
        Inbox {
            capacity: 4,
            on_full: OnFull::Violate,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFull {
    Violate,
    Block,
    Lose,
    /// Runs that would exceed the capacity are not looked at (Meller 1.12, `assume`).
    Cut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    Interleaving,
    RunToCompletion(RunToCompletion),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunToCompletion {
    pub rhapsody_triggers: bool,
    pub initial_step: bool,
    pub atomic_steps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    Lazy,
    Eager,
}

/// What the language itself can find wrong with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    AssertionFailure,
    ImplicitConsumption,
    Overflow,
    Deadlock,
    ArithmeticFault,
    ReferenceFault,
    Divergence,
    Nondeterminism,
    Livelock,
}

impl FaultKind {
    pub const ALL: [FaultKind; 9] = [
        FaultKind::AssertionFailure,
        FaultKind::ImplicitConsumption,
        FaultKind::Overflow,
        FaultKind::Deadlock,
        FaultKind::ArithmeticFault,
        FaultKind::ReferenceFault,
        FaultKind::Divergence,
        FaultKind::Nondeterminism,
        FaultKind::Livelock,
    ];

    pub fn name(self) -> &'static str {
        match self {
            FaultKind::AssertionFailure => "assertion_failure",
            FaultKind::ImplicitConsumption => "implicit_consumption",
            FaultKind::Overflow => "overflow",
            FaultKind::Deadlock => "deadlock",
            FaultKind::ArithmeticFault => "arithmetic_fault",
            FaultKind::ReferenceFault => "reference_fault",
            FaultKind::Divergence => "divergence",
            FaultKind::Nondeterminism => "nondeterminism",
            FaultKind::Livelock => "livelock",
        }
    }

    pub fn from_name(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub body: PropertyBody,
    pub level: Level,
    /// In the words of the model; empty for what is built in.
    pub text: String,
    /// `None` for what is built in.
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub enum PropertyBody {
    /// The expression holds in every state.
    Always(Expr),
    /// The fault does not happen, to any of these objects.
    NoFault(FaultKind, Vec<ObjectId>),
    /// A temporal formula; read and typed, not checked yet.
    Temporal(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Every state.
    Transition,
    /// States in which no object is inside a run-to-completion step.
    RunToCompletion,
}

#[derive(Clone, Debug)]
pub struct AbstractionEntry {
    pub subject: Subject,
    pub domain: Domain,
    pub span: Span,
}

/// What a line of an abstraction speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    Global(VariableId),
    Field(ClassId, VariableId),
    Parameter(SignalId, usize),
    Class(ClassId),
    Signal(SignalId),
    Everything,
}

/// What an abstraction tells apart; the ends of intervals are `None` where they are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    Intervals(Vec<(Option<i64>, Option<i64>)>),
    Values(Vec<i64>),
    Range(i64, i64),
    Modulo(i64),
    Timer(i64),
    Sign,
    Parity,
    Any,
    Exact,
    Auto,
    /// What either tells apart.
    Both(Box<Domain>, Box<Domain>),
}

impl Model {
    pub fn class_of(&self, object: ObjectId) -> &Class {
        &self.classes[self.object(object).class.index()]
    }

    pub fn machine_of(&self, object: ObjectId) -> &Machine {
        &self.class_of(object).machine
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.signals[id.index()]
    }

    pub fn object_ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId::new)
    }

    pub fn runs_to_completion(&self) -> Option<RunToCompletion> {
        match self.semantics {
            Semantics::Interleaving => None,
            Semantics::RunToCompletion(options) => Some(options),
        }
    }

    pub fn local_name(&self, class: ClassId, slot: Slot) -> &str {
        &self.classes[class.index()].frame[slot.index()].name
    }

    pub fn state_name(&self, object: ObjectId, state: StateId) -> &str {
        &self.machine_of(object).state(state).path
    }

    pub fn transition_label(&self, object: ObjectId, transition: TransitionId) -> &str {
        &self.machine_of(object).transition(transition).label
    }

    /// A value in the words of the model.
    pub fn show(&self, value: Value, ty: &Type) -> String {
        match (value, ty) {
            (Value::Int(number), _) => number.to_string(),
            (Value::Among(numbers), _) => numbers.to_string(),
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Literal(literal), Type::Enum(id)) => self.literal(*id, literal).to_owned(),
            (Value::Literal(literal), _) => literal.to_string(),
            (Value::Reference(None), _) => "null".to_owned(),
            (Value::Reference(Some(object)), _) => self.object(object).name.clone(),
        }
    }

    fn literal(&self, id: EnumId, literal: u32) -> &str {
        &self.enums[id.index()].literals[literal as usize]
    }

    /// A message in the words of the model: `Order(3)`.
    pub fn show_message(&self, message: &Message) -> String {
        let signal = self.signal(message.signal);
        if message.arguments.is_empty() {
            return signal.name.clone();
        }
        let typed = message.arguments.iter().zip(&signal.parameters);
        let shown: Vec<String> = typed
            .map(|(value, (_, ty))| self.show(*value, ty))
            .collect();
        format!("{}({})", signal.name, shown.join(", "))
    }
}
