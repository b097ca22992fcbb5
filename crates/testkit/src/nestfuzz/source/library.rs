//! What the prelude has beside maps: histograms, sorts, scans and reductions whose operator is not commutative or combines rows, columns of matrices;
//! partitions, slices with strides, ranges. What has places in several dimensions, and sorts by a comparison, are in `places`.
//!
//! Operators are associative and their neutral elements are neutral, in the arithmetic of their type, so that every order yields the same.

use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;

/// Affine functions, composed: not commutative.
const COMPOSE: &str = "(\\a b -> (a.0 * b.0, a.1 * b.0 + b.1))";

impl Gen {
    /// An array of integers.
    pub(super) fn of_the_library(&mut self, ty: &Ty, size: &Size, prim: Prim, depth: u32) -> Exp {
        let (n, t) = (size.text(), prim.name());
        let (op, neutral) = self.operator_on(prim);
        let other = self.size();
        let w = other.text();
        let of_own = |this: &mut Self| this.exp(ty, depth);
        if self.one_in(4) {
            return self.of_places(ty, size, prim, depth);
        }
        match self.rng.below(13) {
            0 => Exp::fill(ty, &format!("(exscan {op} {neutral} @)"), vec![of_own(self)]),
            1 => {
                let text = format!("(map (\\p -> p.1) (scan {COMPOSE} (1{t}, 0{t}) (zip @ @)))");
                let parts = vec![of_own(self), of_own(self)];
                Exp::fill(ty, &text, parts)
            }
            2 | 3 => {
                let parts = vec![self.places(&other, depth), self.numbers(&other, prim, depth)];
                Exp::fill(ty, &format!("(hist {op} {neutral} {n} @ @)"), parts)
            }
            4 => {
                let parts = vec![
                    self.places(&other, depth),
                    self.numbers(&other, prim, depth),
                    self.numbers(&other, prim, depth),
                ];
                let both = format!("(\\a b -> (a.0 + b.0, {t}.max a.1 b.1)) (0{t}, {t}.lowest)");
                let text = format!("((unzip (hist {both} {n} @ (zip @ @))).{})", self.rng.below(2));
                Exp::fill(ty, &text, parts)
            }
            5 => {
                let parts = vec![of_own(self), self.places(&other, depth), self.numbers(&other, prim, depth)];
                Exp::fill(ty, &format!("(reduce_by_index (copy @) {op} {neutral} @ @)"), parts)
            }
            6 => {
                let rows = self.matrix(&other, size, prim, depth);
                Exp::fill(ty, &format!("(reduce (map2 {op}) (replicate {n} {neutral}) @)"), vec![rows])
            }
            7 => {
                let rows = self.matrix(&other, size, prim, depth);
                let (none, r) = (format!("(replicate {n} {neutral})"), self.fresh("r"));
                let text = format!(
                    "(let {r} = scan (map2 {op}) {none} @ in if {w} > 0 then {r}[{w} - 1] else {none})"
                );
                Exp::fill(ty, &text, vec![rows])
            }
            8 => {
                let rows = self.matrix(&other, size, prim, depth);
                let column = format!("(\\c -> (reduce {COMPOSE} (1{t}, 0{t}) (zip c c)).1)");
                Exp::fill(ty, &format!("(map {column} (transpose @))"), vec![rows])
            }
            9 => {
                let rows = self.matrix(&other, size, prim, depth);
                let text = format!("(map {t}.sum (map (scan {op} {neutral}) (transpose @)))");
                Exp::fill(ty, &text, vec![rows])
            }
            10 => Exp::fill(ty, "(sort @)", vec![of_own(self)]),
            11 => {
                let parts = vec![
                    self.exp(&Ty::Prim(prim), depth),
                    self.exp(&Ty::array(&other, &Ty::Prim(prim)), depth),
                ];
                let step = ["i", "(1 - i)", "(i * 2)", "(i + 1)"][self.rng.below(4)];
                let text = format!("(spread {n} @ (map (\\i -> {step}) (iota {w})) @)");
                Exp::fill(ty, &text, parts)
            }
            _ => {
                let xs = self.fresh("xs");
                Exp::fill(ty, &format!("(let {xs} = @ in {xs}[::-1])"), vec![of_own(self)])
            }
        }
    }

    /// An operator and its neutral element.
    pub(super) fn operator_on(&mut self, prim: Prim) -> (String, String) {
        let t = prim.name();
        match self.rng.below(6) {
            0 | 1 => ("(+)".into(), format!("0{t}")),
            2 => ("(*)".into(), format!("1{t}")),
            3 => (format!("{t}.min"), format!("{t}.highest")),
            4 => (format!("{t}.max"), format!("{t}.lowest")),
            _ => ("(^)".into(), format!("0{t}")),
        }
    }

    pub(super) fn numbers(&mut self, size: &Size, prim: Prim, depth: u32) -> Exp {
        self.exp(&Ty::array(size, &Ty::Prim(prim)), depth)
    }

    pub(super) fn matrix(&mut self, rows: &Size, columns: &Size, prim: Prim, depth: u32) -> Exp {
        self.exp(&Ty::array(rows, &Ty::array(columns, &Ty::Prim(prim))), depth)
    }

    /// Indices, most of them small.
    pub(super) fn places(&mut self, size: &Size, depth: u32) -> Exp {
        let ty = Ty::array(size, &Ty::Prim(Prim::I64));
        let is = self.exp(&ty, depth);
        Exp::fill(&ty, "(map (\\i -> i % 5 - 1) @)", vec![is])
    }

    /// A part of an array, or a range.
    pub(super) fn part_of_array(&mut self, elem: &Ty, depth: u32) -> Exp {
        let ty = Ty::array(&Size::Any, elem);
        if let Ty::Prim(prim) = elem
            && prim.is_int()
            && self.one_in(2)
        {
            return self.range(&ty, *prim, depth);
        }
        let size = if self.one_in(4) { Size::Any } else { self.size() };
        let array = self.exp(&Ty::array(&size, elem), depth);
        let xs = self.fresh("xs");
        let few = self.rng.below(3);
        match self.rng.below(5) {
            0 => {
                let p = self.repeated(elem, &Ty::Prim(Prim::Bool), depth);
                Exp::fill(&ty, &format!("((partition @ @).{})", self.rng.below(2)), vec![p, array])
            }
            1 => Exp::fill(&ty, &format!("(let {xs} = @ in {xs}[::{}])", few + 2), vec![array]),
            2 => Exp::fill(&ty, &format!("(let {xs} = @ in {xs}[::-{}])", few + 1), vec![array]),
            3 => {
                let text = format!("(let {xs} = @ in drop (i64.min {few} (length {xs})) {xs})");
                Exp::fill(&ty, &text, vec![array])
            }
            _ => {
                let text = format!("(let {xs} = @ in take (i64.min {few} (length {xs})) {xs})");
                Exp::fill(&ty, &text, vec![array])
            }
        }
    }

    /// One that is short; of small numbers, also any.
    fn range(&mut self, ty: &Ty, prim: Prim, depth: u32) -> Exp {
        let number = Ty::Prim(prim);
        let depth = depth.min(1);
        if prim.size() == 1 && self.one_in(4) {
            let template = ["(@..<@)", "(@..>@)", "(@...@)", "(@..@..<@)", "(@..@..>@)", "(@..@...@)"];
            let template = template[self.rng.below(6)];
            let parts = (0..template.matches('@').count()).map(|_| self.exp(&number, depth)).collect();
            return Exp::fill(ty, template, parts);
        }
        let (a, t) = (self.fresh("a"), prim.name());
        let (up, down) = match self.rng.below(3) {
            0 => (format!("{a}..<{a} + 4"), format!("{a}..>{a} - 3")),
            1 => (format!("{a}...{a} + 2"), format!("{a}..{a} - 1...{a} - 4")),
            _ => (format!("{a}..{a} + 2..<{a} + 7"), format!("{a}..{a} - 3..>{a} - 8")),
        };
        let text = format!("(let {a} = @ in if {a} < {t}.highest - 9 then {up} else {down})");
        Exp::fill(ty, &text, vec![self.exp(&number, depth)])
    }
}
