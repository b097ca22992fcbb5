//! Destinations of scatters, histograms and accumulators: arrays that are written at computed indices.
//!
//! A regular array is written in place. Rows of an irregular one may change their lengths: they are kept one by one until
//! all is written, and then concatenated (`rows`). An index outside of the destination is ignored, in every dimension.
//!
//! ```text
//! scatter xs is vs      for each i:  if 0 <= is[i] < n  { xs[is[i]] = vs[i] }
//! hist xs op is vs      for each i:  if 0 <= is[i] < n  { xs[is[i]] = op xs[is[i]] vs[i] }
//! ```
//!
//! Nothing here is parallel: `hist` decides which destinations chunks share, and which have copies.

use super::accs::lent;
use super::elementwise::is_elementwise;
use super::launch::Grid;
use super::rows::RowStore;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use crate::imp_gen::views::At;
use norn_ir::imp::{Exp, LoopForm};
use norn_ir::nest::{Atom, Lambda, Reduction, Var};

#[derive(Clone, Debug)]
pub enum Dest {
    Regular(Array),
    /// The rows below the dimensions that are indexed, which have these sizes.
    Rows(RowStore, Vec<Exp>),
}

impl Dest {
    pub fn for_each_exp_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        match self {
            Dest::Regular(array) => array.for_each_exp_mut(f),
            Dest::Rows(store, sizes) => {
                store.for_each_exp_mut(f);
                sizes.iter_mut().for_each(f);
            }
        }
    }

    /// Somebody else releases its memory.
    pub fn borrowed(self) -> Dest {
        match self {
            Dest::Regular(array) => Dest::Regular(array.borrowed()),
            Dest::Rows(store, sizes) => Dest::Rows(store.borrowed(), sizes),
        }
    }

    pub fn regular(&self) -> Option<&Array> {
        match self {
            Dest::Regular(array) => Some(array),
            Dest::Rows(..) => None,
        }
    }

    /// The size of each dimension that is indexed.
    pub fn sizes(&self, indexed: usize) -> Vec<Exp> {
        match self {
            Dest::Regular(array) => array.lead[..indexed].iter().map(|lead| lead.size.clone()).collect(),
            Dest::Rows(_, sizes) => sizes.clone(),
        }
    }

    /// Whether these are indices of it.
    pub fn contains(&self, indices: &[Exp]) -> Exp {
        let within = |(index, size): (&Exp, Exp)| Exp::i64(0).le(index.clone()).and(index.clone().lt(size));
        let sizes = self.sizes(indices.len());
        indices.iter().zip(sizes).map(within).fold(Exp::bool(true), Exp::and)
    }
}

/// The number of the row at these indices.
pub fn linear_index(sizes: &[Exp], indices: &[Exp]) -> Exp {
    let step = |number: Exp, (size, index): (&Exp, &Exp)| number.mul(size.clone()).add(index.clone());
    sizes.iter().zip(indices).fold(Exp::i64(0), step)
}

impl Gen<'_> {
    /// Arrays to be written, of which so many dimensions are indexed.
    pub fn open_dests(&mut self, vars: &[Var], indexed: usize, operator: &str) -> Vec<Dest> {
        vars.iter().map(|var| self.open_dest(*var, indexed, operator)).collect()
    }

    fn open_dest(&mut self, var: Var, indexed: usize, operator: &str) -> Dest {
        let array = self.array(var);
        if array.is_regular() {
            return Dest::Regular(array);
        }
        let sizes: Vec<Exp> = array.lead[..indexed].iter().map(|lead| lead.size.clone()).collect();
        let rows = self.code.atom("rows", Exp::product(sizes.iter().cloned()));
        let store = self.new_rows(array.prim, &array.sizes()[indexed..], &rows, operator);
        let array = self.in_row_major(array);
        self.each_index(&sizes, &mut Vec::new(), &mut |this, indices| {
            let slice: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
            let Some(Repr::Array(row)) = this.part_of(&array, &slice).pop() else {
                panic!("imp_gen: a row that is no array in {}", this.fun.name)
            };
            let number = linear_index(&sizes, indices);
            let number = this.code.atom("number", number);
            this.set_row(&store, &number, &lent(&row));
        });
        Dest::Rows(store, sizes)
    }

    /// Loops over all indices of these dimensions, in order.
    fn each_index(&mut self, sizes: &[Exp], indices: &mut Vec<Exp>, body: &mut dyn FnMut(&mut Self, &[Exp])) {
        let [size, inner @ ..] = sizes else { return body(self, indices) };
        self.each(0, size.clone(), LoopForm::Plain, &mut |this, i| {
            indices.push(i);
            this.each_index(inner, indices, body);
            indices.pop();
        });
    }

    /// The variables are the destinations, now that everything is written.
    pub fn bind_dests(&mut self, vars: &[Var], dests: Vec<Dest>, grid: Option<&Grid>) {
        for (var, dest) in vars.iter().zip(dests) {
            let array = match dest {
                Dest::Regular(array) => array,
                Dest::Rows(store, sizes) => self.assemble(self.name(*var), &store, &sizes, grid),
            };
            self.bind(*var, Repr::Array(array));
        }
    }

    /// Write a value to each destination, or combine it with what is there, where the indices are of the destination. `and`
    /// has to hold too.
    pub fn write_at(
        &mut self,
        op: Option<&Reduction>,
        dests: &[Dest],
        indices: &[Exp],
        values: &[Repr],
        and: Option<Exp>,
    ) {
        let and = and.unwrap_or(Exp::bool(true));
        if let Some(op) = op {
            self.code.open();
            self.combine_at(&op.lambda, dests, indices, values);
            let block = self.code.close();
            return self.code.when(dests[0].contains(indices).and(and), block);
        }
        let conditions: Vec<Exp> = dests.iter().map(|dest| dest.contains(indices)).collect();
        let mut done = 0;
        while done < dests.len() {
            let same = conditions[done..].iter().take_while(|cond| **cond == conditions[done]).count();
            self.code.open();
            for (dest, value) in dests.iter().zip(values).skip(done).take(same) {
                self.scoped(&mut |this| this.store_at(dest, indices, value));
            }
            let block = self.code.close();
            self.code.when(conditions[done].clone().and(and.clone()), block);
            done += same;
        }
    }

    fn store_at(&mut self, dest: &Dest, indices: &[Exp], value: &Repr) {
        match (dest, value) {
            (Dest::Regular(array), Repr::Scalar(value)) => self.store(array, indices, value.clone()),
            (Dest::Regular(array), Repr::Array(row)) => {
                let place = self.view_at(array, indices);
                self.copy_into(&place, row);
            }
            (Dest::Rows(store, sizes), Repr::Array(row)) => {
                let number = self.code.atom("number", linear_index(sizes, indices));
                self.replace_row(store, &number, row);
            }
            (Dest::Regular(_), Repr::Acc(_) | Repr::Region(_) | Repr::Cert)
            | (Dest::Rows(..), Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) => {
                panic!("imp_gen: a value of another kind is written in {}", self.fun.name)
            }
        }
    }

    /// What is below these indices of a regular array, as memory to write to.
    fn view_at(&mut self, array: &Array, indices: &[Exp]) -> Array {
        let slice: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
        match self.part_of(array, &slice).pop() {
            Some(Repr::Array(view)) => lent(&view),
            Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                panic!("imp_gen: a row that is no array in {}", self.fun.name)
            }
        }
    }

    /// Combine values with what is at these indices, which are known to be within bounds.
    pub fn combine_at(&mut self, op: &Lambda, dests: &[Dest], indices: &[Exp], values: &[Repr]) {
        let columns = self.dest_columns(op, dests.len());
        let params = &op.params[..op.params.len() / 2];
        let mut there = Vec::with_capacity(dests.len());
        for dest in dests {
            there.push(self.load_at(dest, indices));
        }
        let mut args = Vec::with_capacity(op.params.len());
        for value in there.iter().chain(values) {
            // In front of a row that varies comes its length.
            let at = args.len() % params.len();
            if let (Repr::Array(row), true) = (value, self.is_length(params, at)) {
                args.push(Repr::Scalar(row.length()));
            }
            args.push(value.clone());
        }
        let mut targets: Vec<(Atom, Option<Array>)> = Vec::new();
        for ((dest, value), column) in dests.iter().zip(&there).zip(&columns) {
            let result = op.body.result[*column];
            let place = match (dest, value) {
                (Dest::Regular(_), Repr::Array(row))
                    if is_elementwise(self.fun, &op.body, params[*column], result) =>
                {
                    Some(row.clone())
                }
                (Dest::Regular(_) | Dest::Rows(..), _) => None,
            };
            targets.push((result, place));
        }
        self.apply(op, args, &targets, &mut |this| {
            for ((dest, (result, place)), there) in dests.iter().zip(&targets).zip(&there) {
                let mut value = this.value(*result);
                match (place, &value, there) {
                    (Some(place), _, _) => {
                        this.deliver(*result, place);
                        continue;
                    }
                    // What is not of this body may be what is there, seen in another way.
                    (None, Repr::Array(row), Repr::Array(old))
                        if row.data.owner.is_none() && row.data.ptr != old.data.ptr =>
                    {
                        value = Repr::Array(this.copy_array("combined", row, "hist"));
                    }
                    (None, _, _) => {}
                }
                this.store_at(dest, indices, &value);
            }
        });
    }

    fn load_at(&mut self, dest: &Dest, indices: &[Exp]) -> Repr {
        match dest {
            Dest::Regular(array) if array.lead.len() == indices.len() => {
                let slice: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
                self.part_of(array, &slice).pop().expect("imp_gen: an element of nothing")
            }
            Dest::Regular(array) => Repr::Array(self.view_at(array, indices)),
            Dest::Rows(store, sizes) => {
                let number = self.code.atom("number", linear_index(sizes, indices));
                Repr::Array(self.stored_row(store, &number))
            }
        }
    }

    /// Which columns of an operator belong to destinations: not those that are lengths.
    fn dest_columns(&self, op: &Lambda, dests: usize) -> Vec<usize> {
        let params = &op.params[..op.params.len() / 2];
        let columns: Vec<usize> = (0..params.len()).filter(|at| !self.is_length(params, *at)).collect();
        assert!(columns.len() == dests, "imp_gen: an operator of other columns in {}", self.fun.name);
        columns
    }
}
