//! What the loops over parts have in common: a part's portion of a lambda, and results that have a place of their own in arrays of all parts.

use super::{slice, zeroes};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::Task;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Grid, Lambda, LoopForm, Param, Prim,
    Reduction, Stm, Type, Var,
};

/// The loop over the parts of a task in the making.
pub(super) struct Parts {
    pub span: Span,
    /// The number of the part, where it begins and how long it is.
    pub part: Var,
    pub from: Var,
    pub count: Var,
    /// What the loop carries, and what it begins with.
    pub params: Vec<(Param, Atom)>,
    pub stms: Vec<Stm>,
    pub next: Vec<Atom>,
    /// What the loop yields, and what is made of that.
    pub bound: Vec<Var>,
    pub after: Vec<Stm>,
}

impl Parts {
    /// The loop around these statements, which know which part this is and which rows that has.
    pub fn begin(part: Var, rows: (Var, Var), stms: Vec<Stm>, span: Span) -> Parts {
        let (from, count) = rows;
        let (params, next, bound, after) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Parts { span, part, from, count, params, stms, next, bound, after }
    }

    /// The loop, and what comes after it.
    pub fn finish(self, bound: Atom, certs: Vec<Var>, attrs: &[&str]) -> (Stm, Vec<Stm>) {
        let form = LoopForm::For(self.part, bound);
        let body = Body { stms: self.stms, result: self.next };
        let exp = Exp::Control(ControlExp::Loop { params: self.params, form, body });
        let attrs = attrs.iter().map(|attr| attr.to_string()).collect();
        (Stm { certs, attrs, ..Stm::new(self.bound, exp, self.span) }, self.after)
    }

    pub fn bind(&mut self, var: Var, exp: Exp) {
        self.stms.push(Stm::new(vec![var], exp, self.span));
    }

    /// A lambda of the task for this part, whose so many carries are known. What it yields.
    pub fn portion(&mut self, names: &mut Names, task: &Task, lambda: Lambda, carries: usize) -> Vec<Atom> {
        let mut params = lambda.params.iter().copied();
        let mut next = || params.next().expect("a lambda of a task takes all that the task takes");
        self.bind(next(), Exp::atom(self.from.into()));
        self.bind(next(), Exp::atom(self.count.into()));
        (0..carries).for_each(|_| _ = next());
        for input in &task.inputs {
            let slice = slice(self.from.into(), self.count.into());
            self.bind(next(), Exp::index(*input, slice));
        }
        for window in &task.windows {
            let range = [self.from.into(), self.count.into()];
            // Each lambda that reads the window computes it, and names are bound once.
            let need = names.copy_lambda(&window.need);
            let need = self.apply(&need, &range);
            let (first, size) = (next(), next());
            self.bind(first, Exp::atom(need[0]));
            self.bind(size, Exp::atom(need[1]));
            for array in &window.arrays {
                self.bind(next(), Exp::index(*array, slice(first.into(), size.into())));
            }
        }
        self.stms.extend(lambda.body.stms);
        lambda.body.result
    }

    /// The body of a lambda that is applied once. What it yields.
    pub fn apply(&mut self, lambda: &Lambda, args: &[Atom]) -> Vec<Atom> {
        for (param, arg) in lambda.params.iter().zip(args) {
            self.bind(*param, Exp::atom(*arg));
        }
        self.stms.extend(lambda.body.stms.iter().cloned());
        lambda.body.result.clone()
    }

    /// Rows of a part become rows of the result.
    pub fn rows(&mut self, names: &mut Names, out: &mut Vec<Stm>, var: Var, part: Atom) {
        let ty = names.ty(var).clone();
        let none = zeroes(names, out, &ty, self.span);
        let all = names.like(&[var])[0];
        self.params.push((Param::unique(all), none));
        let slice = slice(self.from.into(), self.count.into());
        let next = self.update(names, all, slice, part);
        self.next.push(next);
        self.bound.push(var);
    }

    pub fn update(&mut self, names: &mut Names, array: Var, slice: Vec<DimIndex>, value: Atom) -> Atom {
        let next = names.like(&[array])[0];
        self.bind(next, Exp::Array(ArrayExp::Update { array, slice, value }));
        next.into()
    }

    /// Values of parts are collected, each in its place of an array; numbers stay where they are. The arrays behind the loop.
    pub fn collected(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        parts: Var,
        found: &[Atom],
        like: &[Var],
    ) -> Vec<Var> {
        let mut collected = Vec::new();
        for (var, part) in like.iter().zip(found) {
            let ty = names.ty(*var).array_of(Dim::size(parts));
            collected.push(self.in_place(
                names,
                out,
                ty,
                |these, names, all| match names.ty(*var).is_scalar() {
                    true => {
                        let one = names.fresh("one", names.ty(*var).array_of(Dim::Size(Atom::i64(1))));
                        these.bind(one, Exp::array(vec![*part]));
                        these.update(names, all, slice(these.part.into(), Atom::i64(1)), one.into())
                    }
                    false => these.update(names, all, vec![DimIndex::Fix(these.part.into())], *part),
                },
            ));
        }
        collected
    }

    /// An array of this type that each part writes some of, which is what `write` does. The array behind the loop.
    pub fn in_place(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        ty: Type,
        write: impl FnOnce(&mut Parts, &mut Names, Var) -> Atom,
    ) -> Var {
        let none = zeroes(names, out, &ty, self.span);
        let (all, last) = (names.fresh("all", ty.clone()), names.fresh("all", ty));
        self.params.push((Param::unique(all), none));
        let next = write(self, names, all);
        self.next.push(next);
        self.bound.push(last);
        last
    }

    /// What a part keeps comes behind what those before have kept.
    pub fn kept_behind(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        vars: &[Var],
        part: &[Atom],
        attrs: &[&str],
    ) {
        let with_attrs = |stm: Stm| Stm { attrs: attrs.iter().map(|attr| attr.to_string()).collect(), ..stm };
        let before = names.like(vars);
        self.params.push((Param::plain(before[0]), Atom::i64(0)));
        let more = names.fresh("kept", Type::i64());
        let exp = Exp::bin(BinOp::Add, Prim::I64, before[0].into(), part[0]);
        self.stms.push(with_attrs(Stm::new(vec![more], exp, self.span)));
        self.next.push(more.into());
        for (before, part) in before[1..].iter().zip(&part[1..]) {
            let ty = with_rows(names, *before, Atom::i64(0));
            let none = zeroes(names, out, &ty, self.span);
            self.params.push((Param::plain(*before), none));
            let all = names.fresh("all", with_rows(names, *before, more.into()));
            let arrays = [Atom::Var(*before), *part].iter().filter_map(|atom| atom.var()).collect();
            let exp = Exp::Array(ArrayExp::Concat { arrays, size: more.into() });
            self.stms.push(with_attrs(Stm::new(vec![all], exp, self.span)));
            self.next.push(all.into());
        }
        self.bound.extend(vars);
    }

    /// Numbers of parts are collected, and combined by a kernel: the host need not know them.
    pub fn reduced(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        parts: Var,
        op: &Reduction,
        vars: &[Var],
        found: &[Atom],
    ) {
        let collected = self.collected(names, out, parts, found, vars);
        self.after.push(reduction(parts.into(), op.clone(), collected, vars.to_vec(), self.span));
    }
}

/// A kernel that reduces so many values.
pub(super) fn reduction(width: Atom, op: Reduction, inputs: Vec<Var>, vars: Vec<Var>, span: Span) -> Stm {
    let grid = Some(Grid { work: Atom::i64(0), balance: None });
    Stm { grid, ..Stm::new(vars, Exp::reduce(width, op, inputs), span) }
}

/// The type of a variable with so many rows.
pub(super) fn with_rows(names: &Names, var: Var, rows: Atom) -> Type {
    let mut dims = names.ty(var).dims().to_vec();
    dims[0] = Dim::Size(rows);
    names.ty(var).with_dims(dims)
}
