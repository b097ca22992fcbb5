//! Rows that are sorted, all at once: all elements by their keys, then, stably, by their rows.

use super::Elements;
use super::nest::Nest;
use super::operators::NestResult;
use super::rows::{FlatDims, i64s};
use norn_ir::nest::{Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Operator, Sorted, Stm, Type, Var};

impl Elements {
    pub fn sorted(&mut self, nest: &Nest, width: Atom, keys: Var, yields: Sorted) -> Option<Vec<NestResult>> {
        let joined = self.joined_levels(nest, width);
        let keys = self.columns(nest, &joined, &[keys], None)[0];
        let total = self.names.ty(keys).dims()[0].atom()?;
        let rows = self.row_of_each(&joined, total);
        let by_keys = self.sort(keys, total);
        let in_rows = self.gathered(by_keys, rows);
        let by_rows = self.sort(in_rows, total);
        // Where each element of the sorted rows was among all.
        let places = self.gathered(by_rows, by_keys);
        let mut results = Vec::new();
        if yields.has_keys() {
            let sorted = self.gathered(places, keys);
            results.push(NestResult::rows(&joined, sorted));
        }
        if yields.has_places() {
            let within = self.places_within(&joined, places, rows);
            results.push(NestResult::rows(&joined, within));
        }
        Some(results)
    }

    /// The places of keys in ascending order.
    fn sort(&mut self, keys: Var, total: Atom) -> Var {
        self.emit(
            "sorted",
            i64s(total),
            Exp::Op(Operator::Sort { width: total, keys, yields: Sorted::Places }),
        )
    }

    /// The elements of an array at these places.
    fn gathered(&mut self, places: Var, array: Var) -> Var {
        let place = self.names.fresh("place", Type::i64());
        let ty = self.names.ty(array).clone();
        let name = self.names.name(array);
        let value = self.names.fresh(&name, ty.row().unwrap_or(Type::bool()));
        let index = Exp::index(array, vec![DimIndex::Fix(place.into())]);
        let body = Body { stms: vec![self.stm(vec![value], index)], result: vec![value.into()] };
        let width = self.names.ty(places).dims()[0].atom().unwrap_or(Atom::i64(0));
        let exp = Exp::map(width, vec![places], Lambda::new(vec![place], body));
        self.emit(&name, ty.with_dims(vec![Dim::Size(width)]), exp)
    }

    /// The number of the row of each element, in the order of rows.
    fn row_of_each(&mut self, joined: &FlatDims, total: Atom) -> Var {
        let width = match joined {
            FlatDims::Uneven(rows) => return self.numbers(rows),
            FlatDims::Even(width) => *width,
        };
        let range = Exp::iota(total);
        let places = self.emit("places", i64s(total), range);
        let place = self.names.fresh("place", Type::i64());
        let mut stms: Vec<Stm> = Vec::new();
        let row = self.again(&mut stms, "row", BinOp::Quot, place.into(), width);
        let lambda = Lambda::new(vec![place], Body { stms, result: vec![row.into()] });
        self.emit("rows", i64s(total), Exp::map(total, vec![places], lambda))
    }

    /// Places among all elements as places in their rows.
    fn places_within(&mut self, joined: &FlatDims, places: Var, numbers: Var) -> Var {
        let place = self.names.fresh("place", Type::i64());
        let mut stms: Vec<Stm> = Vec::new();
        let within = match joined {
            FlatDims::Even(width) => self.again(&mut stms, "within", BinOp::Rem, place.into(), *width),
            FlatDims::Uneven(rows) => {
                let row = self.entry(&mut stms, "row", numbers, place);
                let start = self.start_of(&mut stms, rows, row);
                self.again(&mut stms, "within", BinOp::Sub, place.into(), start.into())
            }
        };
        let lambda = Lambda::new(vec![place], Body { stms, result: vec![within.into()] });
        let width = self.names.ty(places).dims()[0].atom().unwrap_or(Atom::i64(0));
        self.emit("places", i64s(width), Exp::map(width, vec![places], lambda))
    }
}
