//! Uniqueness of expressions: which values are fresh, which alias others, and the order in which they consume.
//!
//! `exp` returns the aliases of a value. Parts are evaluated as written, so `(xs, f (xs with [0] = 1))` is an error: the first part aliases what the second consumes.
//! - An array literal copies its elements; a part of an array aliases it, unless it is a scalar (`taken_out`).
//! - Alternatives start from the same state. Afterwards everything that any of them consumed is consumed (ALIAS-IF).
//! - Functions and recursive values are references: they alias what they captured, not the memory of the array that holds them.

use super::alias::{Alias, AliasSet, Aliases, Via, is_large_scalar};
use super::scope::{Binding, Checker, Consumption, Mark, Place, ResultOf};
use crate::typed::{Case, DimIndex, Exp, ExpKind, Pat, Step};
use crate::types::{Ty, TyKind, VarId};
use norn_base::{Span, Symbol};

impl Checker<'_> {
    /// Check an expression; the aliases of its value. Where it contains functions its type is made
    /// as precise as is known.
    pub fn exp(&mut self, e: &mut Exp) -> Aliases {
        let aliases = self.value(e);
        aliases.refine(&mut e.ty);
        aliases
    }

    fn value(&mut self, e: &mut Exp) -> Aliases {
        let span = e.span;
        match &mut e.kind {
            ExpKind::Lit(_) | ExpKind::Str(_) | ExpKind::Hole | ExpKind::Error => Aliases::fresh(&e.ty),
            ExpKind::Negate(x) | ExpKind::Not(x) => {
                self.exp(x);
                Aliases::fresh(&e.ty)
            }
            ExpKind::Range { start, second, kind: _, end } => {
                self.exp(start);
                second.iter_mut().for_each(|x| drop(self.exp(x)));
                self.exp(end);
                Aliases::fresh(&e.ty)
            }
            ExpKind::Array(elems) => self.array(elems),
            ExpKind::ProjSection(steps) => {
                self.steps(steps);
                Aliases::fresh(&e.ty)
            }

            ExpKind::Var(v) => self.observe(*v, &mut e.ty, span),
            ExpKind::Parens(x) | ExpKind::Ascript(x) | ExpKind::Coerce(x) | ExpKind::Attr(_, x) => {
                self.exp(x)
            }
            ExpKind::Assert(cond, x) => {
                self.exp(cond);
                self.exp(x)
            }
            ExpKind::Record(fields) => self.record_exp(fields, &e.ty),
            ExpKind::Constr(name, payload) => self.constr(*name, payload, &e.ty),
            ExpKind::Project(x, field) => self.exp(x).field(*field, &e.ty),
            ExpKind::Index(x, indices) => self.index(x, indices, &e.ty),

            ExpKind::If(cond, yes, no) => {
                self.exp(cond);
                self.branches(&mut [yes, no], |this, branch| this.exp(branch))
            }
            ExpKind::Match(scrutinee, cases) => {
                let value = self.exp(scrutinee);
                self.check_many_calls(scrutinee, &value, "matched value");
                self.branches(cases, |this, case| this.case(case, &value))
            }
            ExpKind::LetPat { sizes: _, pat, bound, body } => self.let_pat(pat, bound, body),
            ExpKind::LetFun { var, fun, body } => self.let_fun(*var, fun, body),
            ExpKind::LetWith { dest, source, source_span, source_ty, steps, value, body } => {
                let updated = self.let_with(*source, *source_span, source_ty, steps, value);
                self.declare(*dest, source_ty, &updated, Via::Own, true, Binding::Let);
                let result = self.exp(body);
                self.leave(*dest);
                result
            }
            ExpKind::Update(source, steps, value) => self.update(source, steps, value),
            ExpKind::Lambda { params, body, ret, ret_declared } => {
                self.lambda(params, body, ret, ret_declared.is_some(), &mut e.ty)
            }
            ExpKind::Loop(l) => self.do_loop(l),

            ExpKind::Apply(f, args) => self.apply(f, args),
            ExpKind::BinOp(op, left, right) => self.bin_op(op, left, right),
            ExpKind::LeftSection(op, arg) => self.section(op, arg, 0, &e.ty),
            ExpKind::RightSection(op, arg) => self.section(op, arg, 1, &e.ty),
        }
    }

    /// An array literal copies its elements, and with them the references that they contain.
    fn array(&mut self, elems: &mut [Exp]) -> Aliases {
        let mut refs = AliasSet::default();
        let parts = self.parts(elems.iter_mut());
        for (elem, aliases) in elems.iter().zip(parts) {
            self.check_many_calls(elem, &aliases, "element of an array");
            refs = refs.union(&self.references(&elem.ty, &aliases));
        }
        Aliases::Whole(refs)
    }

    /// Values that are evaluated one after the other, and assembled then.
    fn parts<'e>(&mut self, exps: impl IntoIterator<Item = &'e mut Exp>) -> Vec<Aliases> {
        let mut before: Vec<(Option<VarId>, Span, Aliases)> = Vec::new();
        for x in exps {
            let mark = self.mark();
            let aliases = self.exp(x);
            // Most consume nothing, and a literal may have very many.
            if !self.consumed_since(mark).is_empty() {
                for (var, span, aliases) in &before {
                    self.check_kept(*var, *span, aliases, mark);
                }
            }
            before.push((Self::as_var(x), x.span, aliases));
        }
        before.into_iter().map(|(_, _, aliases)| aliases).collect()
    }

    /// What the functions and recursive values in a value refer to.
    pub fn references(&self, ty: &Ty, aliases: &Aliases) -> AliasSet {
        match (&**ty, aliases) {
            (TyKind::Record(ts), Aliases::Record(parts)) => ts
                .iter()
                .zip(parts.iter())
                .fold(AliasSet::default(), |set, ((_, t), (_, a))| set.union(&self.references(t, a))),
            (TyKind::Sum(cs), Aliases::Sum(parts)) => cs
                .iter()
                .zip(parts.iter())
                .flat_map(|((_, ts), (_, xs))| ts.iter().zip(xs))
                .fold(AliasSet::default(), |set, (t, a)| set.union(&self.references(t, a))),
            _ if self.has_references(ty) => aliases.all().held(),
            _ => AliasSet::default(),
        }
    }

    /// Evaluated as written; the aliases in the order of the type.
    fn record_exp(&mut self, fields: &mut [(Symbol, Exp)], ty: &Ty) -> Aliases {
        let values = self.parts(fields.iter_mut().map(|(_, x)| x));
        let mut parts: Vec<(Symbol, Aliases)> = fields.iter().map(|(name, _)| *name).zip(values).collect();
        if let TyKind::Record(order) = &**ty
            && order.iter().zip(&parts).any(|((f, _), (g, _))| f != g)
        {
            parts.sort_by_key(|(f, _)| *f);
        }
        if is_large_scalar(ty) { Aliases::Scalar } else { Aliases::Record(parts.into()) }
    }

    fn constr(&mut self, name: Symbol, payload: &mut [Exp], ty: &Ty) -> Aliases {
        let parts = self.parts(payload.iter_mut());
        match &**ty {
            _ if is_large_scalar(ty) => Aliases::Scalar,
            TyKind::Sum(constrs) => Aliases::Sum(
                constrs
                    .iter()
                    .map(|(c, ts)| {
                        let parts =
                            if *c == name { parts.clone() } else { ts.iter().map(Aliases::fresh).collect() };
                        (*c, parts)
                    })
                    .collect(),
            ),
            _ => {
                let mut refs = AliasSet::default();
                for (x, part) in payload.iter().zip(&parts) {
                    self.check_many_calls(x, part, "part of a recursive value");
                    refs = refs.union(&part.all().held());
                }
                Aliases::Whole(refs)
            }
        }
    }

    /// A part of an array aliases it, unless that part is a scalar.
    fn index(&mut self, x: &mut Exp, indices: &mut [DimIndex], ty: &Ty) -> Aliases {
        let set = self.exp(x).all();
        self.indices(indices);
        self.taken_out(ty, &set)
    }

    /// A part of an array with these aliases. Its arrays share the memory of the array. Functions and
    /// recursive values are references: they have no part in that memory, whoever updates the array
    /// leaves them alone, and what they refer to cannot be consumed.
    pub fn taken_out(&mut self, ty: &Ty, set: &AliasSet) -> Aliases {
        match &**ty {
            _ if is_large_scalar(ty) => Aliases::Scalar,
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => Aliases::Scalar,
            TyKind::Unique(t) => self.taken_out(t, set),
            TyKind::Array(..) => Aliases::Whole(set.clone()),
            TyKind::Con(..) if self.is_recursive(ty) => Aliases::Whole(self.referred_to(set)),
            TyKind::Con(..) => Aliases::Whole(set.clone()),
            TyKind::Arrow(_) => {
                let stored = self.new_result(ResultOf::Stored, Via::Shared);
                Aliases::Fun(self.referred_to(set).unheld().union(&stored), ty.clone())
            }
            TyKind::Record(fields) => {
                Aliases::Record(fields.iter().map(|(f, t)| (*f, self.taken_out(t, set))).collect())
            }
            TyKind::Sum(constrs) => Aliases::Sum(
                constrs
                    .iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.taken_out(t, set)).collect()))
                    .collect(),
            ),
        }
    }

    /// What the references in an array refer to. Those in a global array refer to what is global too,
    /// which its name stands for.
    fn referred_to(&self, set: &AliasSet) -> AliasSet {
        let global = |a: &&Alias| a.via == Via::Own && self.is_global(a.root);
        let globals = set.iter().filter(global).map(|a| Alias { via: Via::Shared, ..*a }).collect();
        set.filter(|a| a.via != Via::Own).union(&AliasSet::from_vec(globals))
    }

    pub fn indices(&mut self, indices: &mut [DimIndex]) {
        for index in indices {
            match index {
                DimIndex::Fix(x) => drop(self.exp(x)),
                DimIndex::Slice { start, end, stride } => {
                    for x in [start, end, stride].into_iter().flatten() {
                        self.exp(x);
                    }
                }
            }
        }
    }

    pub fn steps(&mut self, steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Field(_) => {}
                Step::Index(indices) => self.indices(indices),
            }
        }
    }

    /// One of several alternatives is evaluated: each starts from the same state, afterwards all
    /// that any consumed is consumed, and the value does not alias that any more (ALIAS-IF).
    fn branches<T>(
        &mut self,
        alternatives: &mut [T],
        mut check: impl FnMut(&mut Self, &mut T) -> Aliases,
    ) -> Aliases {
        let start = self.mark();
        let mut result = Aliases::Scalar;
        let mut contained = Vec::new();
        for alternative in alternatives {
            let aliases = check(self, alternative);
            result = result.or(&aliases);
            contained.push(self.contain(start));
        }
        contained.into_iter().for_each(|c| self.release(c));
        self.without_consumed(&result, start)
    }

    fn without_consumed(&self, aliases: &Aliases, start: Mark) -> Aliases {
        if self.consumed_since(start).is_empty() {
            return aliases.clone();
        }
        aliases.map(&mut |set| set.filter(|a| !self.is_consumed_since(a.root, start)))
    }

    fn case(&mut self, case: &mut Case, value: &Aliases) -> Aliases {
        self.bind_pat(&mut case.pat, value);
        let result = self.exp(&mut case.body);
        self.leave_pat(&case.pat);
        result
    }

    fn let_pat(&mut self, pat: &mut Pat, bound: &mut Exp, body: &mut Exp) -> Aliases {
        let value = self.exp(bound);
        self.check_many_calls(bound, &value, "let-bound value");
        self.bind_pat(pat, &value);
        let result = self.exp(body);
        self.leave_pat(pat);
        result
    }

    /// The variable that an expression is, apart from parentheses and the like.
    pub fn as_var(e: &Exp) -> Option<VarId> {
        match e.bare().kind {
            ExpKind::Var(v) => Some(v),
            _ => None,
        }
    }

    /// The consumption of a value.
    pub fn consumption(&self, e: &Exp, place: Place) -> Consumption {
        let copy = self.copy_at(e, place);
        Consumption { span: e.span, source: Self::as_var(e), pun: place == Place::Pun, copy }
    }

    /// How to write a copy of a value instead of the value, if it is a variable.
    pub fn copy_at(&self, e: &Exp, place: Place) -> Option<(Span, String)> {
        let span = e.bare().span;
        let name = self.name(Self::as_var(e)?).as_str();
        // Otherwise it is more than a name that is written there: one in a module, or an operator.
        let plain = (span.hi - span.lo) as usize == name.len() && name.starts_with(char::is_alphabetic);
        match place {
            Place::Argument if plain => Some((span, format!("(copy {name})"))),
            Place::Operand if plain => Some((span, format!("copy {name}"))),
            Place::Argument | Place::Operand | Place::Pun => None,
        }
    }
}
