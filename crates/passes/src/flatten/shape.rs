//! The outer dimensions of an array as one, and back: views, which cost nothing but the lengths of rows.

use super::Distributor;
use super::context::{Context, Home, Stored};
use super::kernel::Core;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Dim, Exp, Prim, Stm, Type, Var};

/// How the outer dimensions of an array became one.
#[derive(Clone)]
pub enum Step {
    /// Rows were joined that had these lengths.
    Joined(Var),
    /// The first two dimensions had these sizes.
    Merged(Atom, Atom),
}

impl Distributor<'_, '_> {
    /// The values of a variable of the context, one after the other, and how these are to be taken apart again.
    pub fn all_in_one(&mut self, cx: &mut Context, var: Var) -> (Var, Vec<Step>) {
        let array = self.all_of(cx, var);
        self.in_one_dimension(array, cx.depth())
    }

    /// Rows of different lengths that each element of the context makes of an array: of all these arrays, one after the other, by all lengths.
    pub fn segments_of_all(&mut self, cx: &mut Context, at: u32, stm: &Stm) {
        let Exp::Array(ArrayExp::Segment { lengths, array }) = &stm.exp else {
            panic!("rows are made of an array");
        };
        if cx.depth() == 0 {
            return self.out.push(stm.clone());
        }
        let [lengths, values] = [*lengths, *array].map(|var| self.all_of(cx, var));
        let (lengths, steps) = self.in_one_dimension(lengths, cx.depth() + 1);
        let (values, _) = self.in_one_dimension(values, cx.depth() + 1);
        let rows = self.names.ty(lengths).dims()[0];
        let ty = self.names.ty(values);
        let ty = ty.with_dims([&[rows, Dim::Irregular], &ty.dims()[1..]].concat());
        let name = self.names.name(stm.vars[0]);
        let rows = self.emit(&name, ty, Exp::segment(lengths, values));
        let array = self.take_apart(rows, &steps);
        self.taken_out += 1;
        cx.set(stm.vars[0], Home::Stored(Stored { level: cx.depth(), array, fresh: false, at }));
    }

    /// The array of all values of a variable of the context, which is stored from now on.
    pub fn all_of(&mut self, cx: &mut Context, var: Var) -> Var {
        let demand = self.demand(cx, var);
        let array = self.results(cx, Core::new(), vec![demand], u32::MAX)[0].0;
        if let Some(Home::Again { level, at, .. }) = cx.home(var)
            && *level == cx.depth()
        {
            let stored = Stored { level: *level, array, fresh: false, at: *at };
            cx.set(var, Home::Stored(stored));
        }
        array
    }

    /// So many dimensions of an array become one, and how these are to be taken apart again.
    pub fn in_one_dimension(&mut self, mut array: Var, dimensions: usize) -> (Var, Vec<Step>) {
        let mut steps = Vec::new();
        for _ in 1..dimensions {
            let (step, joined) = self.join(array);
            steps.push(step);
            array = joined;
        }
        (array, steps)
    }

    /// The first two dimensions become one.
    fn join(&mut self, array: Var) -> (Step, Var) {
        let ty = self.names.ty(array).clone();
        let (dims, name) = (ty.dims().to_vec(), self.names.name(array));
        let joined = |first: Dim| ty.with_dims([&[first], &dims[2..]].concat());
        if dims[1] == Dim::Irregular {
            let lengths = self.emit(
                "lengths",
                Type::array(Prim::I64, vec![dims[0]]),
                Exp::Array(ArrayExp::Lengths(array)),
            );
            let count = self.names.fresh("count", Type::i64());
            let all = self.names.fresh(&name, joined(Dim::size(count)));
            self.out.push(self.stm(vec![count, all], Exp::Array(ArrayExp::JoinRows(array)), self.span));
            return (Step::Joined(lengths), all);
        }
        let sizes = [dims[0], dims[1]].map(|dim| dim.atom().unwrap_or(Atom::i64(0)));
        let count = self.emit("count", Type::i64(), Exp::bin(BinOp::Mul, Prim::I64, sizes[0], sizes[1]));
        let exp = Exp::reshape(array, 2, vec![count.into()]);
        let all = self.emit(&name, joined(Dim::size(count)), exp);
        (Step::Merged(sizes[0], sizes[1]), all)
    }

    /// The first dimension becomes what it was before these steps.
    pub fn take_apart(&mut self, mut array: Var, steps: &[Step]) -> Var {
        for step in steps.iter().rev() {
            let ty = self.names.ty(array).clone();
            let name = self.names.name(array);
            let inner = &ty.dims()[1..];
            array = match step {
                Step::Joined(lengths) => {
                    let lengths = *lengths;
                    let first = self.names.ty(lengths).dims()[0];
                    let ty = ty.with_dims([&[first, Dim::Irregular], inner].concat());
                    self.emit(&name, ty, Exp::segment(lengths, array))
                }
                Step::Merged(a, b) => {
                    let (a, b) = (*a, *b);
                    let ty = ty.with_dims([&[Dim::Size(a), Dim::Size(b)], inner].concat());
                    self.emit(&name, ty, Exp::reshape(array, 1, vec![a, b]))
                }
            };
        }
        array
    }
}
