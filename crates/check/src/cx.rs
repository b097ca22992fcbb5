//! The state of checking a program: what names mean, and what was found out about nodes.
//!
//! `Tables` are side tables from nodes of the surface tree to facts: the variable that a name refers to, the type of a node without sizes. They are all that `infer` leaves to `sizes`. `Cx` has the
//! scopes, the table of variables, the diagnostics, and the modules of the prelude that have not been read yet: a name that leads into one makes the declaration be read again afterwards.

use crate::env::{Mod, TypeBinding, Value};
use crate::places::Places;
use crate::scope::{Scope, Term};
use crate::subst::FreshVar;
use crate::types::{MAX_NODES, Names, Ty, VarId};
use norn_base::{Code, Diagnostic, Diagnostics, FileId, Span, Symbol, codes};
use norn_syntax::ast::{Ident, NodeId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Facts about nodes of the surface tree. Nodes have numbers in the order of the text, and whole stretches of
/// the prelude are never looked at: these have no slots.
#[derive(Clone)]
pub struct SideTable<T> {
    stretches: Vec<Option<Box<[Option<T>; STRETCH]>>>,
}

const STRETCH: usize = 64;

impl<T> Default for SideTable<T> {
    fn default() -> Self {
        SideTable { stretches: Vec::new() }
    }
}

impl<T> SideTable<T> {
    pub fn set(&mut self, id: NodeId, value: T) {
        let (stretch, slot) = (id.0 as usize / STRETCH, id.0 as usize % STRETCH);
        if stretch >= self.stretches.len() {
            self.stretches.resize_with(stretch + 1, || None);
        }
        let slots = self.stretches[stretch].get_or_insert_with(|| Box::new([const { None }; STRETCH]));
        slots[slot] = Some(value);
    }

    pub fn get(&self, id: NodeId) -> Option<&T> {
        self.stretches.get(id.0 as usize / STRETCH)?.as_ref()?[id.0 as usize % STRETCH].as_ref()
    }
}

/// What a dotted name in an expression turned out to be: a variable, then fields of its value.
#[derive(Clone, Debug)]
pub struct Ref {
    pub var: VarId,
    pub fields: Vec<Ident>,
}

/// What inference of types without sizes leaves for the size checker.
#[derive(Clone, Default)]
pub struct Tables {
    /// The variable that a pattern, size binder, function or loop counter binds.
    pub binders: SideTable<VarId>,
    /// The variable that a name or operator refers to.
    pub refs: SideTable<Ref>,
    /// The type of a node, its sizes unknown.
    pub types: SideTable<Ty>,
    /// The type of a variable that a loop starts with implicitly, where `types` has that of the
    /// loop's own.
    pub init_types: SideTable<Ty>,
    /// The meaning of a type name.
    pub type_refs: SideTable<Rc<TypeBinding>>,
}

/// Where the values and types of a block are declared: the places of their names and of the whole declarations.
#[derive(Clone, Default)]
pub struct Block {
    pub values: FxHashMap<Symbol, (Span, Span)>,
    pub types: FxHashMap<Symbol, (Span, Span)>,
}

/// A declaration of a type.
#[derive(Clone)]
pub struct Declaring {
    pub name: Ident,
    pub is_sum: bool,
    /// That it mentions itself has been reported.
    pub is_reported: bool,
}

#[derive(Clone, Default)]
pub struct Cx {
    pub names: Names,
    values: Vec<Option<Value>>,
    used: Vec<bool>,
    /// The variables that are used, in the order of their first uses.
    pub reached: Vec<VarId>,
    pub scope: Scope,
    pub tables: Tables,
    pub diagnostics: Diagnostics,
    /// The texts of files, for advice that shows code.
    texts: FxHashMap<FileId, Arc<str>>,
    /// The blocks being read, the innermost last.
    pub blocks: Vec<Block>,
    /// The names of types that were reported to be declared too far down.
    pub deferred_reports: Vec<Span>,
    /// The type that is being declared, if it is not recursive.
    pub declaring: Option<Declaring>,
    /// Warnings that are not given unless asked for.
    pub optional_warnings: Vec<Code>,
    /// The modules of the prelude that have been read, and those that are to be read before what is being
    /// looked at is looked at again.
    pub modules: FxHashMap<VarId, Mod>,
    pub unread_modules: RefCell<Vec<VarId>>,
    /// The built-in operators that sizes are computed with.
    operators: Vec<(Symbol, VarId)>,
    /// Whether warnings are given for what is being checked; not for the prelude.
    pub warn: bool,
    /// What tools ask about places, if they do.
    pub places: Option<Places>,
}

impl Cx {
    pub fn new_var(&mut self, name: Symbol, span: Span) -> VarId {
        self.names.new_var(name, span)
    }

    pub fn set_value(&mut self, v: VarId, value: Value) {
        let i = v.0 as usize;
        if i >= self.values.len() {
            self.values.resize(i + 1, None);
        }
        self.values[i] = Some(value);
    }

    pub fn value(&self, v: VarId) -> Option<&Value> {
        self.values.get(v.0 as usize).and_then(|v| v.as_ref())
    }

    /// What a name of a value or module means.
    pub fn term(&self, name: Symbol) -> Option<Term> {
        match self.scope.term(name)? {
            Term::Mod(v, Mod::Unread) => {
                let module = self.modules.get(&v).cloned();
                Some(Term::Mod(
                    v,
                    module.unwrap_or_else(|| {
                        self.unread_modules.borrow_mut().push(v);
                        Mod::Error
                    }),
                ))
            }
            term => Some(term),
        }
    }

    pub fn set_text(&mut self, file: FileId, text: Arc<str>) {
        self.texts.insert(file, text);
    }

    /// The text at a place, if it is at hand.
    pub fn text(&self, span: Span) -> Option<&str> {
        self.texts.get(&span.file)?.get(span.lo as usize..span.hi as usize)
    }

    /// A value that one of the blocks around a place defines after it: its name and its definition.
    pub fn later_value(&self, name: Symbol, place: Span) -> Option<(Span, Span)> {
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.values.get(&name).copied().filter(|d| is_after(*d, place)))
    }

    /// Likewise a type.
    pub fn later_type(&self, name: Symbol, place: Span) -> Option<(Span, Span)> {
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.types.get(&name).copied().filter(|d| is_after(*d, place)))
    }

    pub fn mark_used(&mut self, v: VarId) {
        let i = v.0 as usize;
        if i >= self.used.len() {
            self.used.resize(i + 1, false);
        }
        if !std::mem::replace(&mut self.used[i], true) {
            self.reached.push(v);
        }
    }

    pub fn is_used(&self, v: VarId) -> bool {
        self.used.get(v.0 as usize).copied().unwrap_or(false)
    }

    pub fn set_operator(&mut self, name: Symbol, v: VarId) {
        self.operators.push((name, v));
    }

    pub fn operator_var(&self, name: Symbol) -> Option<VarId> {
        self.operators.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    pub fn report(&mut self, d: Diagnostic) {
        self.diagnostics.push(d);
    }

    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Whether a type is so large that walking through it would not end; then that is reported.
    pub fn type_too_large(&mut self, span: Span, t: &Ty) -> bool {
        let too_large = t.nodes() > MAX_NODES && !t.is_scalar();
        if too_large {
            let note = "All names of types in it are replaced by what they stand for.";
            let message = format!("A type here has more than {MAX_NODES} parts.");
            self.report(Diagnostic::error(codes::TOO_LARGE, span, message).note(note));
        }
        too_large
    }

    pub fn warning(&mut self, d: Diagnostic) {
        if self.warns(d.code) {
            self.report(d);
        }
    }
}

fn is_after((name, _): (Span, Span), place: Span) -> bool {
    name.file == place.file && name.lo > place.lo
}

impl Cx {
    /// Whether a warning of this kind is enabled.
    pub fn warns(&self, code: Code) -> bool {
        let optional = codes::OPTIONAL.iter().any(|(_, c)| *c == code);
        self.warn && (!optional || self.optional_warnings.contains(&code))
    }
}

impl FreshVar for Names {
    fn fresh_like(&mut self, v: VarId) -> VarId {
        let info = self.var(v).clone();
        self.new_var(info.name, info.span)
    }
}

/// The candidate closest to a name that was not found, if any is close enough to be meant.
pub fn suggest(name: Symbol, candidates: impl IntoIterator<Item = Symbol>) -> Option<Symbol> {
    let limit = match name.as_str().chars().count() {
        0..=2 => 1,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    let is_word = |s: Symbol| s.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_');
    candidates
        .into_iter()
        .filter(|c| *c != name && is_word(*c) == is_word(name) && c.as_str().len() > 1)
        .map(|c| (edit_distance(name.as_str(), c.as_str(), limit), c))
        .filter(|(d, _)| *d <= limit)
        // Of names equally close, the one with the same letters is more likely.
        .map(|(d, c)| (d, letters(c.as_str()) != letters(name.as_str()), c))
        .min()
        .map(|(_, _, c)| c)
}

fn letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.chars().collect();
    letters.sort_unstable();
    letters
}

/// Number of insertions, deletions, replacements and swaps of neighbours between two words, or
/// anything above `limit` when it is more than that.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    // A character has at most four bytes. What is far too long is not even looked at.
    if a.len().abs_diff(b.len()) > 4 * (limit + a.len().min(b.len())) {
        return limit + 1;
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; width];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
