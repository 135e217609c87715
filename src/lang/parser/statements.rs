//! Statements and the blocks that they stand in.

use super::cursor::{Parsed, Parser, Reported};
use super::recovery::Level;
use super::words::{STATEMENTS, TYPES};
use crate::lang::characters::clip;
use crate::lang::codes;
use crate::lang::lexer::TokenKind;
use crate::lang::syntax::{
    BinaryOperator, Block, Expr, ExprKind, Name, Range, Span, Statement, StatementKind, Type,
};

impl Parser<'_> {
    /// `{ ... }`
    pub fn block(&mut self) -> Parsed<Block> {
        let start = self.span();
        let open = self.open_body()?;
        let statements = self.deeper(|parser| {
            let statements = parser.statements();
            parser.close_body(open, "the block");
            Ok(statements)
        })?;
        Ok(Block {
            statements,
            span: self.span_from(start),
        })
    }

    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.at_block_end() {
            let before = self.position;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => self.recover(Level::Statement),
            }
            if self.position == before {
                self.advance();
            }
        }
        statements
    }

    /// What follows a `/`: a block, or a single statement.
    pub fn effect(&mut self) -> Parsed<Block> {
        if self.at("{") {
            return self.block();
        }
        self.single()
    }

    /// A statement that stands for a block.
    fn single(&mut self) -> Parsed<Block> {
        let statement = self.deeper(|parser| parser.statement())?;
        let span = statement.span;
        Ok(Block {
            statements: vec![statement],
            span,
        })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = self.statement_kind(self.text())?;
        Ok(Statement {
            kind,
            span: self.span_from(start),
        })
    }

    fn statement_kind(&mut self, word: &str) -> Parsed<StatementKind> {
        match word {
            "send" => self.send(),
            "assert" => self.assert(),
            "if" => self.if_statement(),
            "for" => self.for_statement(),
            _ if TYPES.contains(&word) => self.local(),
            ";" => Err(self.unexpected_because("a statement", "this `;` ends nothing; remove it")),
            _ => self.open_statement(),
        }
    }

    /// A statement that begins with no word of its own.
    fn open_statement(&mut self) -> Parsed<StatementKind> {
        if self.at_name() && !self.at_question() && !self.continues_place() {
            if let Some(word) = self.misspelt("a statement", STATEMENTS) {
                return self.statement_kind(word);
            }
            self.no_foreign_statement()?;
            self.no_call()?;
        }
        if self.peek_is_name(1) && self.at_name() {
            self.local()
        } else {
            self.assignment()
        }
    }

    /// Whether what follows the name here shows that a value is assigned.
    fn continues_place(&self) -> bool {
        let next = self.peek(1);
        matches!(next, "." | "[" | "++" | "--") || next.ends_with('=')
    }

    fn no_foreign_statement(&mut self) -> Parsed<()> {
        if self.is_type(self.text()) {
            return Ok(());
        }
        let help = match self.text() {
            "while" | "do" | "loop" | "foreach" => "loops are bounded: `for (i in 0..3) { ... }`",
            "return" | "break" | "continue" => "an effect always runs to its end; use `if`",
            "switch" | "case" | "match" => "use `if` and `else if`",
            "let" | "var" | "auto" => {
                "a local variable is declared with its type, as in `int k = 3;`"
            }
            _ => return Ok(()),
        };
        let message = format!("there is no `{}`", self.text());
        Err(self.error(codes::NOT_IN_THE_LANGUAGE, message, help))
    }

    /// `Go(3);`
    fn no_call(&mut self) -> Parsed<()> {
        if self.peek(1) != "(" {
            return Ok(());
        }
        let message = format!("`{}` can not be called", clip(self.text()));
        let help = format!(
            "a message is sent with `send object.{}(...);`",
            clip(self.text())
        );
        Err(self.error(codes::NOT_IN_THE_LANGUAGE, message, &help))
    }

    fn send(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let (target, signal, _) = self.object_and_signal()?;
        let arguments = self.arguments()?;
        self.semicolon("the statement")?;
        Ok(StatementKind::Send {
            target,
            signal,
            arguments,
        })
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        if !self.at("(") {
            return Ok(Vec::new());
        }
        let open = self.advance();
        let arguments = if self.at(")") {
            Vec::new()
        } else {
            self.list(Parser::expression)?
        };
        self.close(open, ")")?;
        Ok(arguments)
    }

    fn assert(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let condition = self.expression()?;
        self.semicolon("the statement")?;
        Ok(StatementKind::Assert(condition))
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let condition = self.condition();
        let condition = self.or_skip_to_block(condition, |span| Expr {
            kind: ExprKind::Bool(true),
            span,
        })?;
        let then = self.branch("if")?;
        let otherwise = if self.eat("else") {
            Some(self.otherwise()?)
        } else {
            None
        };
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn condition(&mut self) -> Parsed<Expr> {
        let open = self.expect_because("(", "the condition of `if` stands in parentheses")?;
        let condition = self.expression()?;
        self.close(open, ")")?;
        Ok(condition)
    }

    /// What stands before a block, or, with an error in it, something in its place: then the block is
    /// read for its own sake.
    fn or_skip_to_block<T>(&mut self, read: Parsed<T>, other: fn(Span) -> T) -> Parsed<T> {
        if read.is_err() {
            while !self.at_any(&["{", "}"]) && !self.at_end() && !self.is_first_of_line() {
                self.advance();
            }
        }
        match read {
            Err(_) if self.at("{") => Ok(other(self.span())),
            read => read,
        }
    }

    fn otherwise(&mut self) -> Parsed<Block> {
        if self.at("if") {
            self.single()
        } else {
            self.branch("else")
        }
    }

    /// The block behind `if (...)`, `else` or `for (...)`.
    fn branch(&mut self, word: &str) -> Parsed<Block> {
        if self.at("{") {
            return self.block();
        }
        if self.at_any(&[";", "}"]) || self.at_end() {
            return Err(self.unexpected("`{`"));
        }
        let message = format!("expected `{{` behind `{word}`, found {}", self.found());
        let help = format!("what `{word}` runs stands in braces, even a single statement");
        self.error(codes::MISSING_BRACES, message, &help);
        self.single()
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let header = self.for_header();
        let (variable, range) = self.or_skip_to_block(header, |span| {
            let text = String::new();
            let nothing = ExprKind::Null;
            let range = Range::Elements(Box::new(Expr {
                kind: nothing,
                span,
            }));
            (Name { text, span }, range)
        })?;
        let body = self.branch("for")?;
        Ok(StatementKind::For {
            variable,
            range,
            body,
        })
    }

    fn for_header(&mut self) -> Parsed<(Name, Range)> {
        let help = "a loop runs over a range or an array, as in `for (i in 0..3)`";
        let open = self.expect_because("(", help)?;
        if !self.at_name() {
            return Err(self.unexpected_because("the name of a variable", help));
        }
        let variable = self.take_name();
        self.expect_because("in", help)?;
        let (range, _) = self.range()?;
        self.close(open, ")")?;
        Ok((variable, range))
    }

    fn local(&mut self) -> Parsed<StatementKind> {
        let ty = self.ty()?;
        self.local_of(ty)
    }

    fn local_of(&mut self, ty: Type) -> Parsed<StatementKind> {
        let name = self.name("the name of a variable")?;
        self.no_length_behind_name(&ty, &name)?;
        let value = if self.eat("=") {
            Some(self.local_value()?)
        } else {
            None
        };
        if self.at(",") {
            let help = "declare each local variable in a statement of its own";
            return Err(self.unexpected_because("`;`", help));
        }
        self.semicolon("the declaration")?;
        Ok(StatementKind::Local { ty, name, value })
    }

    fn local_value(&mut self) -> Parsed<Expr> {
        if self.at("{") {
            let help = "lists are for variables of classes; assign the elements one by one";
            return Err(self.unexpected_because("an expression", help));
        }
        self.expression()
    }

    fn assignment(&mut self) -> Parsed<StatementKind> {
        let start = self.span();
        if !self.begins_place() {
            let is_step = self.at_any(&["++", "--"]);
            let help = if is_step {
                "write it behind the variable: `x++;`"
            } else {
                ""
            };
            return Err(self.unexpected_because("a statement", help));
        }
        let place = self.postfix()?.expr;
        if self.at_name() && is_array_of_name(&place) {
            return self.local_array(place);
        }
        let (operator, value) = self.assigned(&place, start)?;
        self.semicolon("the statement")?;
        Ok(StatementKind::Assign {
            place,
            operator,
            value,
        })
    }

    pub fn begins_place(&self) -> bool {
        let is_word = self.at_any(&[
            "self", "true", "false", "null", "choose", "forall", "exists", "count",
        ]);
        let is_plain = matches!(self.kind(), TokenKind::Name | TokenKind::Number);
        is_plain || is_word || self.at("(")
    }

    fn local_array(&mut self, read: Expr) -> Parsed<StatementKind> {
        match self.as_array_type(read) {
            Some(ty) => self.local_of(ty),
            None => Err(self.unexpected("`=`")),
        }
    }

    fn assigned(&mut self, place: &Expr, start: Span) -> Parsed<(Option<BinaryOperator>, Expr)> {
        let operator = match self.text() {
            "=" => None,
            "+=" | "++" => Some(BinaryOperator::Add),
            "-=" | "--" => Some(BinaryOperator::Subtract),
            "*=" => Some(BinaryOperator::Multiply),
            "/=" => Some(BinaryOperator::Divide),
            "%=" => Some(BinaryOperator::Remainder),
            _ => return Err(self.no_assignment_here(place, start)),
        };
        let is_step = self.at_any(&["++", "--"]);
        let span = self.advance();
        let one = Expr {
            kind: ExprKind::Int(1),
            span,
        };
        let value = if is_step { one } else { self.local_value()? };
        Ok((operator, value))
    }

    fn no_assignment_here(&mut self, place: &Expr, start: Span) -> Reported {
        let written = self.written(start, self.previous());
        let help = match (&place.kind, self.text()) {
            (ExprKind::Field(..), "(" | ";") => format!("a message is sent with `send {written}`"),
            (_, "==") => "a value is assigned with `=`".to_string(),
            (_, ":") => "a value is assigned with `=`, and a trigger stands outside of the effect"
                .to_string(),
            _ => String::new(),
        };
        self.unexpected_because("`=`, `+=` or another assignment", &help)
    }
}

fn is_array_of_name(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Element(array, _) => matches!(array.kind, ExprKind::Name(_)),
        _ => false,
    }
}
