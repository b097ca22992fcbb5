//! Arrays whose size has no name: rows of irregular arrays, and what filters yield.

use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;

impl Gen {
    pub(super) fn unsized_array(&mut self, elem: &Ty, depth: u32) -> Exp {
        let ty = Ty::array(&Size::Any, elem);
        if self.level >= 4 {
            return self.leaf(&ty);
        }
        if self.one_in(5) {
            return self.part_of_array(elem, depth);
        }
        match self.rng.below(10) {
            0 | 1 => {
                let xs = self.some_array(elem, depth);
                let p = self.repeated(elem, &Ty::Prim(Prim::Bool), depth);
                Exp::fill(&ty, "(filter @ @)", vec![p, xs])
            }
            2 | 3 => {
                let from = Ty::Prim(self.prim());
                let xs = self.exp(&Ty::array(&Size::Any, &from), depth);
                let f = self.repeated(&from, elem, depth);
                Exp::fill(&ty, "(map @ @)", vec![f, xs])
            }
            4 => {
                let parts = vec![self.some_array(elem, depth), self.some_array(elem, depth)];
                Exp::fill(&ty, "(@ ++ @)", parts)
            }
            5 => {
                let parts = vec![
                    self.exp(&Ty::Prim(Prim::Bool), depth),
                    self.some_array(elem, depth),
                    self.some_array(elem, depth),
                ];
                Exp::fill(&ty, "(if @ then @ else @)", parts)
            }
            6 => {
                let size = self.size();
                let rows = self.exp(&Ty::array(&size, &ty), depth);
                Exp::fill(&ty, "(irregular.flatten @)", vec![rows])
            }
            7 => {
                let xs = self.fresh("xs");
                let body = self.inside(&[(xs.clone(), ty.clone())], |cx| cx.exp(&ty, depth));
                let initial = self.exp(&ty, depth);
                let count = self.rng.below(3);
                Exp::fill(&ty, &format!("(loop {xs} = @ for _i < {count}i32 do @)"), vec![initial, body])
            }
            8 => {
                let xs = self.fresh("xs");
                let initial = self.exp(&ty, depth);
                let text = format!("(let {xs} = @ in {xs}[i64.min 1 (length {xs}):])");
                Exp::fill(&ty, &text, vec![initial])
            }
            _ => self.some_array(elem, depth),
        }
    }

    fn some_array(&mut self, elem: &Ty, depth: u32) -> Exp {
        let size = if self.one_in(4) { Size::Any } else { self.size() };
        self.exp(&Ty::array(&size, elem), depth)
    }

    /// An array of unknown size is given a name, and its size too.
    pub(super) fn with_named_size(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        let elem = self.ty(1);
        let value = self.exp(&Ty::array(&Size::Any, &elem), depth);
        let (xs, k) = (self.fresh("xs"), self.fresh("k"));
        let size = Size::Named(k.clone());
        let here = Ty::array(&size, &elem);
        let annotation = self.ty_text(&here);
        self.sizes.push(size);
        let body =
            self.under(&[(xs.clone(), here), (k.clone(), Ty::Prim(Prim::I64))], |cx| cx.exp(ty, depth));
        self.sizes.pop();
        Some(Exp::fill(ty, &format!("(let [{k}] ({xs}: {annotation}) = @ in @)"), vec![value, body]))
    }
}
