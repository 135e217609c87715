//! Types, and the variables and initial values that are declared with them.

use super::cursor::{Parsed, Parser};
use crate::lang::codes;
use crate::lang::diagnostics::Diagnostic;
use crate::lang::syntax::{Expr, ExprKind, Initial, Name, Parameter, Type, TypeKind, Variable};

impl Parser<'_> {
    pub fn ty(&mut self) -> Parsed<Type> {
        let scalar = self.scalar()?;
        if !self.at("[") {
            return Ok(scalar);
        }
        let length = self.deeper(|parser| parser.bracketed())?;
        self.one_dimension()?;
        Ok(self.array(scalar, length))
    }

    fn array(&self, element: Type, length: Expr) -> Type {
        let span = self.span_from(element.span);
        Type {
            kind: TypeKind::Array(Box::new(element), Box::new(length)),
            span,
        }
    }

    fn one_dimension(&mut self) -> Parsed<()> {
        if !self.at("[") {
            return Ok(());
        }
        let help = "use one array of all elements, and compute the index";
        Err(self.error(
            codes::NOT_IN_THE_LANGUAGE,
            "arrays have one dimension only",
            help,
        ))
    }

    fn scalar(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.text() {
            "wrap" => self.wrap()?,
            "int" => self.int()?,
            "bool" => self.simple(TypeKind::Bool),
            "nat" => self.simple(TypeKind::Nat),
            "integer" => self.simple(TypeKind::Integer),
            _ if self.at_name() => TypeKind::Named(self.take_name()),
            _ => return Err(self.unexpected("a type")),
        };
        Ok(Type {
            kind,
            span: self.span_from(start),
        })
    }

    fn simple(&mut self, kind: TypeKind) -> TypeKind {
        self.advance();
        kind
    }

    fn wrap(&mut self) -> Parsed<TypeKind> {
        self.advance();
        let start = self.span();
        if !self.at("int") {
            return Err(
                self.unexpected_because("`int`", "only `int` and `int(l..u)` can wrap around")
            );
        }
        let kind = self.int()?;
        Ok(TypeKind::Wrap(Box::new(Type {
            kind,
            span: self.span_from(start),
        })))
    }

    fn int(&mut self) -> Parsed<TypeKind> {
        self.advance();
        if !self.at("(") {
            return Ok(TypeKind::Int);
        }
        let (low, high) = self.bounds()?;
        Ok(TypeKind::Range(Box::new(low), Box::new(high)))
    }

    /// `( l .. u )`
    pub fn bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let open = self.expect("(")?;
        let low = self.expression()?;
        if !self.at("..") {
            return Err(self.unexpected_because("`..`", "a range is written `lowest..highest`"));
        }
        self.advance();
        let high = self.expression()?;
        self.close(open, ")")?;
        Ok((low, high))
    }

    /// `[ e ]`
    pub fn bracketed(&mut self) -> Parsed<Expr> {
        let open = self.expect("[")?;
        let inner = self.expression()?;
        self.close(open, "]")?;
        Ok(inner)
    }

    /// What was read as an element `Motor[3]`, if it can be a type as well.
    pub fn as_array_type(&self, read: Expr) -> Option<Type> {
        let ExprKind::Element(array, length) = read.kind else {
            return None;
        };
        let ExprKind::Name(text) = array.kind else {
            return None;
        };
        let name = Name {
            text,
            span: array.span,
        };
        let element = Type {
            kind: TypeKind::Named(name),
            span: array.span,
        };
        Some(self.array(element, *length))
    }

    pub fn variable(&mut self) -> Parsed<Variable> {
        let ty = self.ty()?;
        let declared = self.list(|parser| parser.declared(&ty))?;
        self.semicolon("the declaration")?;
        Ok(Variable { ty, declared })
    }

    fn declared(&mut self, ty: &Type) -> Parsed<(Name, Option<Initial>)> {
        let name = self.name("the name of a variable")?;
        self.no_length_behind_name(ty, &name)?;
        let initial = if self.eat("=") {
            Some(self.initial_value()?)
        } else {
            None
        };
        Ok((name, initial))
    }

    /// `int x[3]`, as in C. The length is read, so that the rest of the line is too.
    pub fn no_length_behind_name(&mut self, ty: &Type, name: &Name) -> Parsed<()> {
        if !self.at("[") {
            return Ok(());
        }
        let start = self.span();
        self.bracketed()?;
        let (ty, length) = (
            self.written(ty.span, ty.span),
            self.written(start, self.previous()),
        );
        let message = "the length of an array stands behind its type";
        let error = Diagnostic::error(codes::MISPLACED_LENGTH, self.span_from(start), message);
        self.report(error.help(format!("write `{ty}{length} {}`", name.text)));
        Ok(())
    }

    pub fn initial_value(&mut self) -> Parsed<Initial> {
        if self.at("{") {
            return Ok(Initial::List(self.braced_values(Parser::expression)?));
        }
        Ok(Initial::Value(self.expression()?))
    }

    /// `{ a, b }` in an expression or behind a `=`. With an error inside, what follows it is left to
    /// who reads the line.
    pub fn braced_values<T>(&mut self, read: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let values = self.braced(|parser| parser.list(read));
        if values.is_err() {
            self.skip_until(&["}", ";"]);
            self.eat("}");
        }
        values
    }

    /// `{ ... }` around a list.
    pub fn braced<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let open = self.expect("{")?;
        let inner = read(self)?;
        self.close(open, "}")?;
        Ok(inner)
    }

    pub fn parameter(&mut self) -> Parsed<Parameter> {
        let ty = self.ty()?;
        if self.at_any(&[",", ")"]) {
            let help = "a parameter is written with its type and its name, as in `int seats`";
            return Err(self.unexpected_because("the name of the parameter", help));
        }
        let name = self.name("the name of a parameter")?;
        Ok(Parameter { ty, name })
    }

    /// Variables stand in the class, not in its states; it is read, so that nothing else is wrong.
    pub fn report_inner_variable(&mut self) {
        let message = "a variable is declared in a class, not in a state or region";
        let error = Diagnostic::error(codes::MISPLACED, self.span(), message);
        self.report(error.help("move it to the body of the class"));
    }
}
