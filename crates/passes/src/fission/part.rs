//! The lambdas of a task: the statements of a group again, for the rows of a part.
//!
//! ```text
//! let ys: [n]f32 = grid map n (xs, is) \(x, i) { .. zs[i + 1] .. }      is: 0, 1, ..
//!
//! \(from, count, xs: [count]f32, first, size, zs: [size]f32) {
//!   let is: [count]i64 = range count from 1
//!   let ys: [count]f32 = grid map count (xs, is) \(x, i) { let k = i + 1; let at = k - first; .. zs[at] .. }
//!   in ys
//! }
//! ```
//!
//! A task may have several lambdas (one for totals, one that begins with what was carried), which take the same: `Parts` is what they have in
//! common, a `Part` is one of them in the making. Widths and outermost dimensions become `count`, by the statement that has them and never by substitution, since `n` may
//! be another dimension, too. Inputs come by rows, windows by their own rows, at indices from their first on; ranges and copies of one value are made again, from the
//! number of the first row; everything else is free, so whole. What a group may hold has been decided before (`group`, `rows`): anything else here is a bug.

use super::calls::Lifted;
use super::hist::Bins;
use super::windows::Windowed;
use super::{Remade, operators};
use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::task::Window;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, FunId, Grid, Lambda, Operator, Param, Prim,
    Reduction, ScalarExp, Stm, Type, Var,
};
use std::collections::{HashMap, HashSet};

/// What all lambdas of one task take. It is known when all of them have been made.
pub struct Parts<'a> {
    remade: &'a HashMap<Var, Remade>,
    lifted: &'a Lifted,
    inputs: Vec<Var>,
    windows: Vec<Windowed>,
    span: Span,
}

impl<'a> Parts<'a> {
    pub fn new(
        remade: &'a HashMap<Var, Remade>,
        lifted: &'a Lifted,
        windows: Vec<Windowed>,
        span: Span,
    ) -> Parts<'a> {
        Parts { remade, lifted, inputs: Vec::new(), windows, span }
    }

    /// A lambda that does nothing yet.
    pub fn begin(&self, names: &mut Names) -> Part {
        let from = names.fresh("from", Type::i64());
        let count = names.fresh("count", Type::i64());
        let mut windows = Vec::new();
        for window in &self.windows {
            let first = names.fresh("first", Type::i64());
            let size = names.fresh("size", Type::i64());
            let array = names.fresh(&names.name(window.array), with_rows(names.ty(window.array), size));
            windows.push(Taken { of: window.array, first, size, array });
        }
        Part {
            from,
            count,
            subst: Subst::default(),
            rows: HashSet::new(),
            taken: HashMap::new(),
            windows,
            span: self.span,
            first: Vec::new(),
            stms: Vec::new(),
        }
    }

    /// The lambda as it is in the task.
    pub fn lambda(&self, names: &mut Names, mut part: Part, carried: &[Var], results: Vec<Atom>) -> Lambda {
        let mut params = vec![part.from, part.count];
        params.extend(carried);
        for input in &self.inputs {
            params.push(part.taken.get(input).copied().unwrap_or_else(|| part.rows_like(names, *input)));
        }
        part.windows.iter().for_each(|taken| params.extend([taken.first, taken.size, taken.array]));
        part.first.append(&mut part.stms);
        Lambda::new(params, Body { stms: part.first, result: results })
    }

    /// What the task takes.
    pub fn operands(self) -> (Vec<Var>, Vec<Window>) {
        let window = |window: Windowed| Window { arrays: vec![window.array], need: window.need };
        (self.inputs, self.windows.into_iter().map(window).collect())
    }
}

/// One of these lambdas in the making.
pub struct Part {
    from: Var,
    count: Var,
    /// What stands for the variables of the group.
    subst: Subst,
    /// Its own variables that are rows of the part.
    rows: HashSet<Var>,
    /// The rows of each input, and of what is made again.
    taken: HashMap<Var, Var>,
    windows: Vec<Taken>,
    span: Span,
    /// What comes before all others: arrays that are made again.
    first: Vec<Stm>,
    stms: Vec<Stm>,
}

/// The rows of a window.
struct Taken {
    of: Var,
    first: Var,
    size: Var,
    array: Var,
}

impl Part {
    /// What stands here for a variable of the group.
    pub fn atom(&self, var: Var) -> Atom {
        self.subst.atom(var.into())
    }

    /// A statement of the group, for the rows of the part. What it binds here.
    pub fn member(&mut self, all: &mut Parts, names: &mut Names, stm: &Stm) -> Vec<Var> {
        let mut copy = names.copy_stm(&mut self.subst, stm);
        self.for_part(all, names, &mut copy);
        self.windows.iter().for_each(|taken| taken.rebase_in(names, &mut copy));
        let vars = copy.vars.clone();
        self.stms.push(copy);
        vars
    }

    /// The same with bins that are neutral in place of the destinations.
    pub fn hist(&mut self, all: &mut Parts, names: &mut Names, stm: &Stm, bins: &Bins) {
        let fresh = bins.neutral(names, &mut self.stms);
        self.member(all, names, stm);
        if let Some(Exp::Op(Operator::Hist { dests, .. })) = self.stms.last_mut().map(|stm| &mut stm.exp) {
            *dests = fresh;
        }
    }

    /// What the scan of a part has yielded is combined with what the parts before yield, and stands for the scan from now on.
    pub fn go_on(&mut self, names: &mut Names, stm: &Stm, vars: &[Var], scan: &Reduction, before: &[Var]) {
        let lambda = operators::combined_with(names, scan, before);
        let inputs: Vec<Var> = vars.iter().map(|var| self.subst.var(*var)).collect();
        let combined = names.like(&inputs);
        self.rows.extend(&combined);
        let exp = Exp::map(self.count.into(), inputs, lambda);
        self.stms.push(Stm { grid: stm.grid, ..Stm::new(combined.clone(), exp, stm.span) });
        vars.iter().zip(combined).for_each(|(var, combined)| self.subst.set(*var, combined));
    }

    /// Of a partition those that satisfy its lambda, and the others: how many, and the rows.
    pub fn halves(&mut self, names: &mut Names, copy: &[Var]) -> [Vec<Var>; 2] {
        let (count, arrays) = (copy[0], &copy[1..]);
        let rest = self.bin(names, "rest", BinOp::Sub, Prim::I64, self.count.into(), count.into());
        let mut half = |start: Atom, size: Var| -> Vec<Var> {
            let mut half = vec![size];
            for array in arrays {
                let slice = DimIndex::Slice { start, count: size.into(), stride: Atom::i64(1) };
                let var = names.fresh(&names.name(*array), with_rows(names.ty(*array), size));
                self.stms.push(Stm::new(vec![var], Exp::index(*array, vec![slice]), self.span));
                half.push(var);
            }
            half
        };
        [half(Atom::i64(0), count), half(count.into(), rest)]
    }

    /// Rows of different lengths as these lengths, and all elements one after the other, of which there are so many.
    pub fn lengths_and_elements(&mut self, names: &mut Names, rows: Var) -> [Var; 3] {
        let [lengths, total, elements] = lengths_and_elements(names, rows, self.count.into());
        self.stms.push(Stm::new(vec![lengths], Exp::Array(ArrayExp::Lengths(rows)), self.span));
        self.stms.push(Stm::new(vec![total, elements], Exp::Array(ArrayExp::JoinRows(rows)), self.span));
        [lengths, total, elements]
    }

    /// A statement works on the rows of the part, as do those inside it.
    fn for_part(&mut self, all: &mut Parts, names: &mut Names, stm: &mut Stm) {
        let makes_rows = match &mut stm.exp {
            Exp::Op(op) => self.operator(all, names, op),
            Exp::Scalar(ScalarExp::Atom(Atom::Var(var))) => self.rows.contains(var),
            Exp::Array(exp) => self.view(exp),
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                then.stms.iter_mut().chain(&mut els.stms).for_each(|stm| self.for_part(all, names, stm));
                true
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                let bodies = cases.iter_mut().map(|(_, body)| body).chain([default]);
                bodies.flat_map(|body| &mut body.stms).for_each(|stm| self.for_part(all, names, stm));
                true
            }
            Exp::Control(ControlExp::Loop { params, form: _, body }) => {
                params.iter_mut().for_each(|(param, initial)| self.initial(all, names, param, initial));
                body.stms.iter_mut().for_each(|stm| self.for_part(all, names, stm));
                true
            }
            Exp::Control(ControlExp::Call { fun, args }) => self.call(all, names, fun, args),
            Exp::Scalar(_) | Exp::Control(_) | Exp::Cell(_) => false,
        };
        if makes_rows {
            stm.vars.iter().for_each(|var| self.becomes_rows(names, *var));
        }
    }

    /// Whether its results that are arrays are rows of the part.
    fn operator(&mut self, all: &mut Parts, names: &mut Names, op: &mut Operator) -> bool {
        let (width, inputs, makes_rows) = match op {
            Operator::Map { width, inputs, .. }
            | Operator::Scan { width, inputs, .. }
            | Operator::Fused { width, inputs, .. }
            | Operator::Partition { width, inputs, .. } => (width, inputs, true),
            Operator::Reduce { width, inputs, .. }
            | Operator::Filter { width, inputs, .. }
            | Operator::Hist { width, inputs, .. } => (width, inputs, false),
            Operator::Sort { .. }
            | Operator::Scatter { .. }
            | Operator::Stream { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_) => panic!("fission: {} is in a group", op.name()),
        };
        *width = self.count.into();
        inputs.iter_mut().for_each(|input| *input = self.rows_of(all, names, *input));
        makes_rows
    }

    /// A lifted function is called with the rows of the part.
    fn call(&mut self, all: &mut Parts, names: &mut Names, fun: &mut FunId, args: &mut [Atom]) -> bool {
        let Some((copy, are_rows)) = all.lifted.in_parts(*fun) else { return false };
        *fun = copy;
        args[0] = self.count.into();
        for (arg, is_rows) in args.iter_mut().zip(are_rows) {
            if let (true, Atom::Var(var)) = (*is_rows, *arg) {
                *arg = self.rows_of(all, names, var).into();
            }
        }
        true
    }

    fn view(&self, exp: &mut ArrayExp) -> bool {
        let count: Atom = self.count.into();
        match exp {
            ArrayExp::Index { array, slice } if self.rows.contains(array) => {
                slice[0] = DimIndex::whole(count)
            }
            ArrayExp::Reshape { array, old: _, new } if self.rows.contains(array) => new[0] = count,
            ArrayExp::Rearrange { array, perm: _ } | ArrayExp::Copy(array) if self.rows.contains(array) => {}
            ArrayExp::Coerce { array, dims } if self.rows.contains(array) => dims[0] = Dim::Size(count),
            _ => return false,
        }
        true
    }

    /// Rows that a loop begins with. A loop that overwrites them gets rows of its own.
    fn initial(&mut self, all: &mut Parts, names: &mut Names, param: &Param, initial: &mut Atom) {
        let Some(var) = initial.var().filter(|_| names.ty(param.var).is_array()) else { return };
        self.becomes_rows(names, param.var);
        let mut rows = self.rows_of(all, names, var);
        if param.unique && rows != var {
            let copy = self.rows_like(names, rows);
            self.first.push(Stm::new(vec![copy], Exp::copy(rows), self.span));
            rows = copy;
        }
        *initial = rows.into();
    }

    fn becomes_rows(&mut self, names: &mut Names, var: Var) {
        if names.ty(var).is_array() {
            names.vars[var.0 as usize].ty = with_rows(names.ty(var), self.count);
            self.rows.insert(var);
        }
    }

    /// A variable like this one for rows of the part.
    fn rows_like(&mut self, names: &mut Names, var: Var) -> Var {
        let rows = names.fresh(&names.name(var), with_rows(names.ty(var), self.count));
        self.rows.insert(rows);
        rows
    }

    /// The rows of an array that belong to the part.
    fn rows_of(&mut self, all: &mut Parts, names: &mut Names, var: Var) -> Var {
        if self.rows.contains(&var) {
            return var;
        }
        if let Some(rows) = self.taken.get(&var) {
            return *rows;
        }
        let rows = self.rows_like(names, var);
        match all.remade.get(&var) {
            Some(remade) => {
                let exp = self.remake(names, *remade);
                self.first.push(Stm::new(vec![rows], exp, self.span));
            }
            None if all.inputs.contains(&var) => {}
            None => all.inputs.push(var),
        }
        self.taken.insert(var, rows);
        rows
    }

    fn remake(&mut self, names: &mut Names, remade: Remade) -> Exp {
        let count = self.count.into();
        match remade {
            Remade::Replicate(value) => Exp::replicate(count, value),
            Remade::Range { prim, start, step } => {
                let mut at: Atom = self.from.into();
                let stms = std::mem::take(&mut self.stms);
                if prim != Prim::I64 {
                    let exp = Exp::convert(Prim::I64, prim, at);
                    at = self.scalar(names, "from", prim, exp).into();
                }
                if step != Atom::int(prim, 1) {
                    at = self.bin(names, "skipped", BinOp::Mul, prim, at, step).into();
                }
                if start != Atom::int(prim, 0) {
                    at = self.bin(names, "start", BinOp::Add, prim, start, at).into();
                }
                let computed = std::mem::replace(&mut self.stms, stms);
                self.first.extend(computed);
                Exp::Array(ArrayExp::Range { prim, count, start: at, step })
            }
        }
    }

    fn bin(&mut self, names: &mut Names, name: &str, op: BinOp, prim: Prim, x: Atom, y: Atom) -> Var {
        self.scalar(names, name, prim, Exp::bin(op, prim, x, y))
    }

    fn scalar(&mut self, names: &mut Names, name: &str, prim: Prim, exp: Exp) -> Var {
        let var = names.fresh(name, Type::scalar(prim));
        self.stms.push(Stm::new(vec![var], exp, self.span));
        var
    }
}

impl Taken {
    /// What a statement reads of the array it reads of the window.
    fn rebase_in(&self, names: &mut Names, stm: &mut Stm) {
        use norn_ir::nest::walk::PartMut;
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => self.rebase(names, body),
            PartMut::Lambda(lambda) => self.rebase(names, &mut lambda.body),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }

    fn rebase(&self, names: &mut Names, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            match &mut stm.exp {
                Exp::Array(ArrayExp::Index { array, slice }) if *array == self.of => {
                    *array = self.array;
                    if let Some(DimIndex::Fix(index)) = slice.first_mut() {
                        let at = names.fresh("at", Type::i64());
                        let exp = Exp::bin(BinOp::Sub, Prim::I64, *index, self.first.into());
                        body.stms.push(Stm::new(vec![at], exp, stm.span));
                        *index = at.into();
                    }
                }
                _ => self.rebase_in(names, &mut stm),
            }
            body.stms.push(stm);
        }
    }
}

/// Variables for lengths of rows, and for all their elements.
pub fn lengths_and_elements(names: &mut Names, rows: Var, count: Atom) -> [Var; 3] {
    let lengths = names.fresh("lengths", Type::array(Prim::I64, vec![Dim::Size(count)]));
    let total = names.fresh("total", Type::i64());
    let mut dims = names.ty(rows).dims()[1..].to_vec();
    dims[0] = Dim::size(total);
    let elements = names.fresh("elements", names.ty(rows).with_dims(dims));
    [lengths, total, elements]
}

/// The type of so many rows.
pub fn with_rows(ty: &Type, count: Var) -> Type {
    let mut dims = ty.dims().to_vec();
    dims[0] = Dim::size(count);
    ty.with_dims(dims)
}

/// The mark of a kernel.
pub fn kernel() -> Option<Grid> {
    Some(Grid { work: Atom::i64(0), balance: None })
}
