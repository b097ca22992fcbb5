//! The state of the walk: variables in scope, what was consumed, what was used.
//!
//! Every variable is bound once in the whole program, so one table holds all variables of the
//! definition and leaving a scope only marks them. A variable that has left its scope lives on as
//! a name for the memory it stood for: values that came out of the scope may still share it.

use super::alias::{Alias, AliasSet, Aliases, PathId, Paths, Root, Via};
use super::holds::marked_like;
use crate::types::{Names, Ty, TyKind, VarId};
use norn_base::{Diagnostics, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

pub(super) struct Checker<'a> {
    pub names: &'a Names,
    pub diagnostics: &'a mut Diagnostics,
    pub paths: Paths,
    locals: FxHashMap<VarId, Local>,
    /// The functions and loops around the current expression. What is bound outside the innermost
    /// one cannot be consumed.
    pub barriers: Vec<Barrier>,
    /// Which consumption (an index into `consumptions`) each root fell to, and when (an index
    /// into `trail`).
    consumed: FxHashMap<Root, (EventId, usize)>,
    /// The keys of `consumed` in order, to undo what a branch has consumed.
    trail: Vec<Root>,
    pub consumptions: Vec<Consumption>,
    /// Uses of local variables since the start of the innermost function or loop.
    uses: Vec<(VarId, Span)>,
    /// What gave rise to each `Root::Result`.
    pub results: Vec<ResultOf>,
    /// Consumptions that were already blamed, and roots already found not to be consumable.
    pub blamed: FxHashSet<EventId>,
    pub refused: FxHashSet<Root>,
}

/// A variable of the definition.
pub(super) struct Local {
    /// What it aliases, itself included.
    pub aliases: Aliases,
    /// The number of barriers around its binding.
    pub level: usize,
    pub in_scope: bool,
    pub owned: bool,
    /// Whether it stores references: functions in arrays, or recursive values.
    pub stores: bool,
    pub binding: Binding,
}

pub(super) enum Binding {
    /// By `let`, `match` or a local update: a name for a value that exists.
    Let,
    /// With its type, marked where it is consumed.
    Param(Ty),
    /// With its type.
    LoopParam(Ty),
    /// The counter or the element of a `for` loop.
    Element,
    /// A local function, with its type before instantiation.
    Function(Ty),
}

#[derive(Clone, Copy)]
pub(super) enum Barrier {
    Function,
    Loop,
}

/// An event that consumed something.
#[derive(Clone)]
pub(super) struct Consumption {
    pub span: Span,
    /// The variable that was written there, if it was one.
    pub source: Option<VarId>,
    /// Whether the variable's name stands for more than its value there.
    pub pun: bool,
    /// How to write a copy there: what to put in place of what.
    pub copy: Option<(Span, String)>,
}

/// An index into `Checker::consumptions`.
pub(super) type EventId = usize;

/// Where a consumed value stands, which decides how to write a copy of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Among the arguments of a function: a copy needs parentheses.
    Argument,
    /// Where `copy xs` can stand as it is.
    Operand,
    /// Where the variable's name means more than its value.
    Pun,
}

/// What a nameless value is the result of.
#[derive(Clone, Copy)]
pub(super) enum ResultOf {
    Apply(Option<VarId>),
    Loop,
    /// Not a result but what a function that was taken out of an array refers to.
    Stored,
    /// Not a result but what a function captured by consuming it: the function can be called only
    /// once.
    Once(EventId),
}

/// What was consumed in a stretch of the walk that has been undone.
pub(super) struct Contained(Vec<(Root, EventId)>);

/// A point in the walk.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl<'a> Checker<'a> {
    pub fn new(names: &'a Names, diagnostics: &'a mut Diagnostics) -> Checker<'a> {
        Checker {
            names,
            diagnostics,
            paths: Paths::default(),
            locals: FxHashMap::default(),
            barriers: Vec::new(),
            consumed: FxHashMap::default(),
            trail: Vec::new(),
            consumptions: Vec::new(),
            uses: Vec::new(),
            results: Vec::new(),
            blamed: FxHashSet::default(),
            refused: FxHashSet::default(),
        }
    }

    pub fn local(&self, var: VarId) -> Option<&Local> {
        self.locals.get(&var)
    }

    /// Whether the root is a variable that can be named here: one in scope, or a global.
    pub fn is_bound(&self, root: Root) -> bool {
        match root {
            Root::Var(v) => self.locals.get(&v).is_none_or(|l| l.in_scope),
            Root::Result(_) => false,
        }
    }

    pub fn is_global(&self, root: Root) -> bool {
        matches!(root, Root::Var(v) if !self.locals.contains_key(&v))
    }

    /// Bind a variable to a value. It aliases itself too, related as `via` says.
    pub fn declare(&mut self, var: VarId, ty: &Ty, value: &Aliases, via: Via, owned: bool, binding: Binding) {
        let aliases = value.with_self(&mut self.paths, var, via);
        let stores = self.has_stored(ty);
        let level = self.barriers.len();
        self.locals.insert(var, Local { aliases, level, in_scope: true, owned, stores, binding });
    }

    /// Bind a local function. It cannot be consumed, so it needs no name among its aliases.
    pub fn declare_function(&mut self, var: VarId, captured: AliasSet, ty: Ty) {
        let aliases = Aliases::Fun(captured, ty.clone());
        let binding = Binding::Function(ty);
        let level = self.barriers.len();
        let local = Local { aliases, level, in_scope: true, owned: false, stores: false, binding };
        self.locals.insert(var, local);
    }

    pub fn leave(&mut self, var: VarId) {
        if let Some(local) = self.locals.get_mut(&var) {
            local.in_scope = false;
        }
    }

    /// The set that ties together the parts of a nameless value.
    pub fn new_result(&mut self, of: ResultOf, via: Via) -> AliasSet {
        self.results.push(of);
        let root = Root::Result(self.results.len() as u32 - 1);
        AliasSet::one(Alias { root, path: PathId::WHOLE, via })
    }

    // Observing.

    /// The aliases of a variable that is used here. The type of a local function is made as
    /// precise as its definition allows.
    pub fn observe(&mut self, var: VarId, ty: &mut Ty, span: Span) -> Aliases {
        let Some(local) = self.locals.get(&var) else { return self.observe_global(var, ty) };
        let aliases = local.aliases.clone();
        self.uses.push((var, span));
        self.check_unconsumed(&aliases, Some(var), span);
        match (&self.locals[&var].binding, aliases) {
            (Binding::Function(general), Aliases::Fun(set, _)) => {
                *ty = marked_like(general, ty);
                Aliases::Fun(set, ty.clone())
            }
            (_, aliases) => aliases,
        }
    }

    /// A global array aliases itself. Functions do not alias anything: their results are checked
    /// not to. A polymorphic global makes a new array at every use; what shows it is that its
    /// size depends on local variables.
    fn observe_global(&mut self, var: VarId, ty: &Ty) -> Aliases {
        let aliases = Aliases::fresh(ty);
        if matches!(aliases, Aliases::Scalar | Aliases::Fun(..)) || self.mentions_local(ty) {
            return aliases;
        }
        let with_self = aliases.with_self(&mut self.paths, var, Via::Own);
        self.only_global_arrays(ty, &with_self)
    }

    fn only_global_arrays(&self, ty: &Ty, aliases: &Aliases) -> Aliases {
        match (&**ty, aliases) {
            (TyKind::Record(ts), Aliases::Record(parts)) => Aliases::Record(
                ts.iter()
                    .zip(parts.iter())
                    .map(|((f, t), (_, a))| (*f, self.only_global_arrays(t, a)))
                    .collect(),
            ),
            (TyKind::Sum(cs), Aliases::Sum(parts)) => Aliases::Sum(
                cs.iter()
                    .zip(parts.iter())
                    .map(|((c, ts), (_, xs))| {
                        (*c, ts.iter().zip(xs).map(|(t, a)| self.only_global_arrays(t, a)).collect())
                    })
                    .collect(),
            ),
            (TyKind::Con(..), Aliases::Whole(set)) if self.is_recursive(ty) => Aliases::Whole(set.shared()),
            (TyKind::Con(..) | TyKind::Arrow(_), _) => Aliases::fresh(ty),
            (_, a) => a.clone(),
        }
    }

    /// Complain if any of these aliases was consumed (OCCURRENCE-SEQ).
    pub fn check_unconsumed(&mut self, aliases: &Aliases, used: Option<VarId>, span: Span) {
        if self.consumed.is_empty() {
            return;
        }
        let mut found: Option<(Root, EventId)> = None;
        let mut best = 0;
        aliases.each_set(&mut |set| {
            for alias in set.iter() {
                if let Some(&(event, _)) = self.consumed.get(&alias.root)
                    && !self.blamed.contains(&event)
                {
                    let clear = self.clearness(alias.root, event, used);
                    if clear > best {
                        best = clear;
                        found = Some((alias.root, event));
                    }
                }
            }
        });
        if let Some((root, event)) = found {
            self.blamed.insert(event);
            self.report_use_after_consume(used, root, event, span);
        }
    }

    /// What was evaluated before, and is used when all its neighbours are: complain if one of them consumed it, since the mark.
    pub fn check_kept(&mut self, used: Option<VarId>, span: Span, aliases: &Aliases, mark: Mark) {
        let mut lost = false;
        aliases.each_set(&mut |set| lost |= set.iter().any(|alias| self.is_consumed_since(alias.root, mark)));
        if lost {
            self.check_unconsumed(aliases, used, span);
        }
    }

    /// How well a message about a use is understood if it names this consumed root: best is the
    /// variable itself, then the variable that was written where it was consumed, and last one
    /// that cannot be told from the variable by its name.
    fn clearness(&self, root: Root, event: EventId, used: Option<VarId>) -> u8 {
        match root {
            Root::Var(v) if used == Some(v) => 5,
            Root::Var(v) if used.is_some_and(|u| self.name(u) == self.name(v)) => 1,
            Root::Var(v) if self.consumptions[event].source == Some(v) => 4,
            Root::Var(_) => 3,
            Root::Result(_) => 2,
        }
    }

    // Consuming.

    /// Consume everything that these aliases own.
    pub fn consume(&mut self, set: &AliasSet, by: Consumption) -> Option<EventId> {
        if set.is_empty() {
            return None;
        }
        let event = self.consumptions.len();
        self.check_unconsumed(&Aliases::Whole(set.clone()), by.source, by.span);
        self.consumptions.push(by);
        let touched = || set.iter().filter(|a| a.via != Via::Held);
        let refused: Vec<Alias> =
            touched().filter(|a| a.via == Via::Shared || !self.may_consume(a.root)).copied().collect();
        if refused.is_empty() {
            touched().for_each(|a| self.record(a.root, event));
            return Some(event);
        }
        self.refuse(&refused, event);
        None
    }

    /// Complain that something cannot be consumed: once for each root and each consumption.
    fn refuse(&mut self, refused: &[Alias], event: EventId) {
        let source = self.consumptions[event].source.map(Root::Var);
        let news = || refused.iter().filter(|a| !self.refused.contains(&a.root));
        let named = news().find(|a| Some(a.root) == source);
        let alias = named.or_else(|| news().find(|a| self.is_bound(a.root))).or_else(|| news().next());
        if let Some(alias) = alias.copied() {
            self.report_cannot_consume(&alias, event);
        }
        self.refused.extend(refused.iter().map(|a| a.root));
    }

    pub fn may_consume(&self, root: Root) -> bool {
        match root {
            Root::Result(_) => true,
            Root::Var(v) => match self.locals.get(&v) {
                None => false,
                Some(local) => !local.in_scope || (local.owned && local.level == self.barriers.len()),
            },
        }
    }

    fn record(&mut self, root: Root, event: EventId) {
        if let Entry::Vacant(entry) = self.consumed.entry(root) {
            entry.insert((event, self.trail.len()));
            self.trail.push(root);
        }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// The roots consumed since a point.
    pub fn consumed_since(&self, mark: Mark) -> &[Root] {
        &self.trail[mark.0..]
    }

    /// Where a root was consumed.
    pub fn consumption_of(&self, root: Root) -> Option<&Consumption> {
        self.consumed.get(&root).map(|&(event, _)| &self.consumptions[event])
    }

    pub fn is_consumed_since(&self, root: Root, mark: Mark) -> bool {
        self.consumed.get(&root).is_some_and(|&(_, at)| at >= mark.0)
    }

    /// Undo the consumption since a point, and give it back.
    pub fn contain(&mut self, mark: Mark) -> Contained {
        let undone = self.trail.drain(mark.0..);
        Contained(undone.filter_map(|root| Some((root, self.consumed.remove(&root)?.0))).collect())
    }

    /// Let what was undone be consumed after all.
    pub fn release(&mut self, contained: Contained) {
        for (root, event) in contained.0 {
            self.record(root, event);
        }
    }

    // Uses.

    pub fn mark_uses(&self) -> Mark {
        Mark(self.uses.len())
    }

    /// The first use of each variable from outside, since a point. Only these are kept, so that
    /// nested functions do not count the same uses again and again.
    pub fn outer_uses(&mut self, mark: Mark) -> Vec<(VarId, Span)> {
        let mut seen = FxHashSet::default();
        let locals = &self.locals;
        let kept: Vec<_> = self
            .uses
            .drain(mark.0..)
            .filter(|(v, _)| locals.get(v).is_some_and(|l| l.in_scope) && seen.insert(*v))
            .collect();
        self.uses.extend(&kept);
        kept
    }

    pub fn name(&self, var: VarId) -> Symbol {
        self.names.var(var).name
    }

    /// Whether this is a variable of the definition that can be named here.
    pub fn in_scope(&self, var: VarId) -> bool {
        self.locals.get(&var).is_some_and(|l| l.in_scope)
    }
}
