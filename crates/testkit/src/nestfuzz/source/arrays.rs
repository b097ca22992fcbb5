//! Random expressions over arrays of known sizes: what makes them, and what is made of them.
//!
//! ```text
//! scan (+) 0 xs      map2 f xs ys      xs with [i] = x      scatter (copy xs) is ys      reduce (+) 0 xs
//! ```
//!
//! Every expression has the type that was asked for, so that all programs are accepted. Where two writes could meet at one index, the values are equal or the
//! index is unique: the language does not fix which one wins.

use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;

impl Gen {
    pub(super) fn array(&mut self, size: &Size, elem: &Ty, depth: u32) -> Exp {
        let ty = Ty::array(size, elem);
        if self.level >= 3 {
            return self.leaf(&ty);
        }
        let n = size.text();
        if let Ty::Prim(prim) = elem
            && prim.is_int()
            && self.one_in(4)
        {
            return self.of_the_library(&ty, size, *prim, depth);
        }
        match self.rng.below(16) {
            0..=2 => {
                let from = self.elem_ty();
                let f = self.repeated(&from, elem, depth);
                let xs = self.exp(&Ty::array(size, &from), depth);
                Exp::fill(&ty, "(map @ @)", vec![f, xs])
            }
            3 => {
                let (a, b) = (self.elem_ty(), self.elem_ty());
                let (x, y) = (self.fresh("x"), self.fresh("y"));
                let vars = [(x.clone(), a.clone()), (y.clone(), b.clone())];
                let body = self.inside(&vars, |cx| cx.exp(elem, depth));
                let parts =
                    vec![body, self.exp(&Ty::array(size, &a), depth), self.exp(&Ty::array(size, &b), depth)];
                Exp::fill(&ty, &format!("(map2 (\\{x} {y} -> @) @ @)"), parts)
            }
            4 | 5 => {
                let f = self.repeated(&Ty::Prim(Prim::I64), elem, depth);
                Exp::fill(&ty, &format!("(tabulate {n} @)"), vec![f])
            }
            6 => Exp::fill(&ty, "(reverse @)", vec![self.exp(&ty, depth)]),
            7 => {
                let parts = vec![self.exp(&Ty::Prim(Prim::I64), depth), self.exp(&ty, depth)];
                Exp::fill(&ty, "(rotate (@ % 7) @)", parts)
            }
            8 => self.scan(&ty, elem, depth),
            9 => self.zipped(&ty, size, elem, depth),
            10 => self.updated(&ty, elem, &n, depth),
            11 if !has_unsized(elem) => self.scattered(&ty, elem, depth),
            12 => match elem {
                Ty::Array(inner, scalar) if *inner != Size::Any => {
                    let turned = Ty::array(inner, &Ty::array(size, scalar));
                    Exp::fill(&ty, "(transpose @)", vec![self.exp(&turned, depth)])
                }
                Ty::Array(..)
                | Ty::Prim(_)
                | Ty::Tuple(_)
                | Ty::Record(_)
                | Ty::Sum(_)
                | Ty::List(_)
                | Ty::Fun(..) => Exp::fill(&ty, "(copy @)", vec![self.exp(&ty, depth)]),
            },
            13 => match size {
                Size::Const(k) if *k > 0 => {
                    let parts: Vec<Exp> = (0..*k).map(|_| self.exp(elem, depth)).collect();
                    let holes = vec!["@"; parts.len()].join(", ");
                    Exp::fill(&ty, &format!("[{holes}]"), parts)
                }
                Size::Const(_) | Size::Named(_) | Size::Any => {
                    let f = self.repeated(&Ty::Prim(Prim::I64), elem, depth);
                    Exp::fill(&ty, &format!("(map @ (iota {n}))"), vec![f])
                }
            },
            14 => Exp::fill(&ty, &format!("(replicate {n} @)"), vec![self.exp(elem, depth)]),
            _ => {
                let pair = Ty::Tuple(vec![elem.clone(), Ty::Prim(Prim::I32)]);
                let from = self.elem_ty();
                let f = self.repeated(&from, &pair, depth);
                let xs = self.exp(&Ty::array(size, &from), depth);
                Exp::fill(&ty, "((map_pair @ @).0)", vec![f, xs])
            }
        }
    }

    /// A type for the elements of an array, rows of any size among them.
    fn elem_ty(&mut self) -> Ty {
        if self.one_in(5) { Ty::array(&Size::Any, &Ty::Prim(self.prim())) } else { self.ty(1) }
    }

    fn scan(&mut self, ty: &Ty, elem: &Ty, depth: u32) -> Exp {
        match elem {
            Ty::Prim(prim) if prim.is_int() => {
                let op = ["+", "*", "&", "|", "^"][self.rng.below(5)];
                let neutral = match op {
                    "*" => format!("1{}", prim.name()),
                    "&" => format!("(!0{})", prim.name()),
                    _ => format!("0{}", prim.name()),
                };
                Exp::fill(ty, &format!("(scan ({op}) {neutral} @)"), vec![self.exp(ty, depth)])
            }
            Ty::Prim(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Sum(_)
            | Ty::List(_)
            | Ty::Array(..)
            | Ty::Fun(..) => self.leaf(ty),
        }
    }

    fn zipped(&mut self, ty: &Ty, size: &Size, elem: &Ty, depth: u32) -> Exp {
        match elem {
            Ty::Tuple(types) if types.len() == 2 => {
                let parts: Vec<Exp> =
                    types.iter().map(|part| self.exp(&Ty::array(size, part), depth)).collect();
                Exp::fill(ty, "(zip @ @)", parts)
            }
            Ty::Prim(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Sum(_)
            | Ty::List(_)
            | Ty::Array(..)
            | Ty::Fun(..) => {
                let other = Ty::Prim(self.prim());
                let pairs = Ty::array(size, &Ty::Tuple(vec![elem.clone(), other]));
                Exp::fill(ty, "((unzip @).0)", vec![self.exp(&pairs, depth)])
            }
        }
    }

    /// Elements overwritten in a copy, once or in a loop.
    fn updated(&mut self, ty: &Ty, elem: &Ty, n: &str, depth: u32) -> Exp {
        if has_unsized(elem) {
            return self.exp(ty, depth);
        }
        let (xs, i) = (self.fresh("xs"), self.fresh("i"));
        if self.one_in(2) {
            let parts = vec![self.exp(ty, depth), self.exp(elem, depth)];
            let index = self.rng.below(3);
            let text = format!(
                "(let {xs} = copy @ in if {n} > {index} then {xs} with [{index}] = copy @ else {xs})"
            );
            return Exp::fill(ty, &text, parts);
        }
        let body = self.inside(&[(i.clone(), Ty::Prim(Prim::I64))], |cx| cx.exp(elem, depth));
        let initial = self.exp(ty, depth);
        let param = format!("({xs}: *{})", self.ty_text(ty));
        let text = format!("(loop {param} = copy @ for {i} < {n} do {xs} with [{i}] = copy @)");
        Exp::fill(ty, &text, vec![initial, body])
    }

    fn scattered(&mut self, ty: &Ty, elem: &Ty, depth: u32) -> Exp {
        let width = self.size();
        let dest = self.exp(ty, depth);
        // All the same, so that the order of writes does not matter.
        if self.one_in(2) {
            let is = self.exp(&Ty::array(&width, &Ty::Prim(Prim::I64)), depth);
            let value = self.exp(elem, depth);
            let text = format!("(scatter (copy @) @ (replicate {} @))", width.text());
            return Exp::fill(ty, &text, vec![dest, is, value]);
        }
        let values = self.exp(&Ty::array(&width, elem), depth);
        let step = ["i", "(1 - i)", "(i * 2)", "(i + 1)"][self.rng.below(4)];
        let text = format!("(scatter (copy @) (map (\\i -> {step}) (iota {})) @)", width.text());
        Exp::fill(ty, &text, vec![dest, values])
    }

    /// A number made of an array.
    pub(super) fn reduction(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = Ty::Prim(prim);
        let size = self.size();
        let name = prim.name();
        match self.rng.below(7) {
            0 if prim == Prim::I64 => {
                let elem = self.elem_ty();
                let xs = self.exp(&Ty::array(&size, &elem), depth);
                Exp::fill(&ty, "(length @)", vec![xs])
            }
            1 if prim == Prim::Bool => {
                let elem = self.elem_ty();
                let f = self.repeated(&elem, &ty, depth);
                let xs = self.exp(&Ty::array(&size, &elem), depth);
                let which = ["all", "any"][self.rng.below(2)];
                Exp::fill(&ty, &format!("({which} @ @)"), vec![f, xs])
            }
            2 if prim == Prim::I64 => {
                let rows = Ty::array(&size, &Ty::array(&Size::Any, &Ty::Prim(self.prim())));
                Exp::fill(&ty, "(i64.sum (lengths @))", vec![self.exp(&rows, depth)])
            }
            3 if prim.is_int() => {
                let rows = Ty::array(&size, &Ty::array(&Size::Any, &ty));
                Exp::fill(&ty, &format!("({name}.sum (irregular.flatten @))"), vec![self.exp(&rows, depth)])
            }
            4 => self.folded(&ty, depth),
            5 if prim.is_int() || prim == Prim::Bool => self.mixed_reduction(prim, &size, depth),
            _ if prim == Prim::Bool => {
                Exp::fill(&ty, "(and @)", vec![self.exp(&Ty::array(&size, &ty), depth)])
            }
            _ => {
                let xs = if self.one_in(3) { Size::Any } else { size };
                let xs = self.exp(&Ty::array(&xs, &ty), depth);
                let which = if prim.is_float() {
                    "maximum"
                } else {
                    ["sum", "product", "maximum"][self.rng.below(3)]
                };
                Exp::fill(&ty, &format!("({name}.{which} @)"), vec![xs])
            }
        }
    }

    fn folded(&mut self, ty: &Ty, depth: u32) -> Exp {
        let elem = self.elem_ty();
        let size = if self.one_in(3) { Size::Any } else { self.size() };
        let (acc, x) = (self.fresh("acc"), self.fresh("x"));
        let vars = [(acc.clone(), ty.clone()), (x.clone(), elem.clone())];
        let body = self.inside(&vars, |cx| cx.exp(ty, depth));
        let parts = vec![self.exp(ty, depth), self.exp(&Ty::array(&size, &elem), depth), body];
        Exp::fill(ty, &format!("(loop {acc} = @ for {x} in @ do @)"), parts)
    }

    /// An element of an array, or something else where there is none.
    pub(super) fn element(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        if self.one_in(3) {
            let xs = self.fresh("xs");
            let array = self.exp(&Ty::array(&Size::Any, ty), depth);
            let index = self.exp(&Ty::Prim(Prim::I64), depth.min(1));
            let otherwise = self.exp(ty, 0);
            let text = format!("(let {xs} = @ in if length {xs} > 0 then {xs}[@ % length {xs}] else @)");
            return Some(Exp::fill(ty, &text, vec![array, index, otherwise]));
        }
        let size = self.size();
        let xs = self.exp(&Ty::array(&size, ty), depth);
        let index = self.exp(&Ty::Prim(Prim::I64), depth.min(1));
        let n = size.text();
        if self.one_in(20) {
            return Some(Exp::fill(ty, "(@[@])", vec![xs, index]));
        }
        let otherwise = self.exp(ty, 0);
        Some(Exp::fill(ty, &format!("(if {n} > 0 then @[@ % {n}] else @)"), vec![xs, index, otherwise]))
    }
}

/// Whether it has rows of any size: those are not overwritten.
fn has_unsized(ty: &Ty) -> bool {
    match ty {
        Ty::Array(Size::Any, _) => true,
        Ty::Array(_, elem) => has_unsized(elem),
        Ty::Tuple(types) => types.iter().any(has_unsized),
        Ty::Record(fields) => fields.iter().any(|(_, ty)| has_unsized(ty)),
        Ty::Fun(..) => true,
        Ty::Prim(_) | Ty::Sum(_) | Ty::List(_) => false,
    }
}
