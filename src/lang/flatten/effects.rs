//! Blocks of different states and transitions, one after the other in one effect.
//!
//! Invariant: a local name means the same as in the block that it comes from.

use std::collections::HashSet;

use super::names::Fresh;
use super::walk;
use crate::lang::syntax::{Block, Expr, ExprKind, Span, Statement, StatementKind};

/// One effect of several; `None` if nothing is done.
pub fn join(mut blocks: Vec<Block>, fresh: &mut Fresh) -> Option<Block> {
    blocks.retain(|block| !block.statements.is_empty());
    for index in 0..blocks.len() {
        let later: HashSet<String> = blocks[index + 1..].iter().flat_map(words_of).collect();
        rename_locals(&mut blocks[index], &later, fresh);
    }
    if blocks.is_empty() {
        return None;
    }
    let statements = blocks.into_iter().flat_map(|block| block.statements);
    Some(Block {
        statements: statements.collect(),
        span: Span::default(),
    })
}

/// Gives other names to those of a block's own local variables whose names are taken.
pub fn rename_locals(block: &mut Block, taken: &HashSet<String>, fresh: &mut Fresh) {
    for index in 0..block.statements.len() {
        let StatementKind::Local { name, .. } = &mut block.statements[index].kind else {
            continue;
        };
        if !taken.contains(&name.text) {
            continue;
        }
        let new = fresh.name(&name.text);
        let old = std::mem::replace(&mut name.text, new.clone());
        // Known from here on only: before, the name may have meant something else.
        for later in &mut block.statements[index + 1..] {
            walk::statement(later, &mut |expr| rename(expr, &old, &new));
        }
    }
}

pub fn rename(expr: &mut Expr, old: &str, new: &str) {
    if let ExprKind::Name(name) = &mut expr.kind
        && name == old
    {
        *name = new.to_owned();
    }
}

/// All names in a block, those that it declares included.
pub fn words_of(block: &Block) -> Vec<String> {
    let mut words = Vec::new();
    collect_declared(&block.statements, &mut words);
    walk::block(&mut block.clone(), &mut |expr| collect(expr, &mut words));
    words
}

/// All names in an expression, those of its quantifiers included.
pub fn words_in(expr: &Expr) -> Vec<String> {
    let mut words = Vec::new();
    walk::expr(&mut expr.clone(), &mut |expr| collect(expr, &mut words));
    words
}

fn collect(expr: &mut Expr, words: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Name(name) => words.push(name.clone()),
        ExprKind::Quantified { variable, .. } => words.push(variable.text.clone()),
        _ => {}
    }
}

fn collect_declared(statements: &[Statement], words: &mut Vec<String>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Local { name, .. } => words.push(name.text.clone()),
            StatementKind::For { variable, body, .. } => {
                words.push(variable.text.clone());
                collect_declared(&body.statements, words);
            }
            StatementKind::If {
                then, otherwise, ..
            } => {
                collect_declared(&then.statements, words);
                let otherwise = otherwise.iter();
                otherwise.for_each(|block| collect_declared(&block.statements, words));
            }
            _ => {}
        }
    }
}
