//! What writes at places in several dimensions, sorts by a comparison, splits, and reduces tuples of different types.
//!
//! Places of scatters differ from each other, comparisons are total preorders (sorts are stable), and operators are associative and
//! have neutral elements, so that every order yields the same.

use super::rows::row_ty;
use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;

/// Pairs and triples that differ for each `i`, some of them outside of most arrays.
const PAIRS: [&str; 4] = ["(i / 2, i % 2)", "(i % 3, i / 3)", "(1 - i, i)", "(i, 2 * i - 1)"];
const TRIPLES: [&str; 3] = ["(i / 4, i / 2 % 2, i % 2)", "(i % 2, i / 2, i % 2)", "(0, i / 2, i % 2)"];

impl Gen {
    /// An array of integers.
    pub(super) fn of_places(&mut self, ty: &Ty, size: &Size, prim: Prim, depth: u32) -> Exp {
        let n = size.text();
        let (op, neutral) = self.operator_on(prim);
        let (other, count) = (self.size(), self.size());
        let k = count.text();
        match self.rng.below(6) {
            0 => {
                let parts = vec![self.matrix(size, &other, prim, depth), self.numbers(&count, prim, depth)];
                let place = PAIRS[self.rng.below(PAIRS.len())];
                let made = format!("scatter_2d (copy @) (map (\\i -> {place}) (iota {k})) @");
                Exp::fill(ty, &format!("(map (reduce {op} {neutral}) ({made}))"), parts)
            }
            1 => {
                let cubes = Ty::array(&Size::Const(2), &Ty::Prim(prim));
                let cubes = Ty::array(size, &Ty::array(&other, &cubes));
                let parts = vec![self.exp(&cubes, depth), self.numbers(&count, prim, depth)];
                let place = TRIPLES[self.rng.below(TRIPLES.len())];
                let made = format!("scatter_3d (copy @) (map (\\i -> {place}) (iota {k})) @");
                let text = format!("(map (\\r -> reduce {op} {neutral} (flatten r)) ({made}))");
                Exp::fill(ty, &text, parts)
            }
            2 => {
                let parts = vec![
                    self.matrix(size, &other, prim, depth),
                    self.places(&count, depth),
                    self.places(&count, depth),
                    self.numbers(&count, prim, depth),
                ];
                let made = format!("reduce_by_index_2d (copy @) {op} {neutral} (zip @ @) @");
                Exp::fill(ty, &format!("(map (reduce {op} {neutral}) ({made}))"), parts)
            }
            3 => self.sorted_by(ty, prim, |cx| cx.exp(ty, depth)),
            4 => {
                let mixed = self.mixed_reduction(prim, size, depth);
                let x = self.fresh("x");
                let parts = vec![mixed, self.exp(ty, depth)];
                Exp::fill(ty, &format!("(let {x} = @ in map (+ {x}) @)"), parts)
            }
            _ => {
                let (t, h) = (prim.name(), self.fresh("h"));
                let most = self.rng.below(3);
                let text = format!(
                    "(let {h} = i64.min {most} {n} let (a, b) = split (@ :> [{h} + ({n} - {h})]{t}) in (b ++ a) :> [{n}]{t})"
                );
                Exp::fill(ty, &text, vec![self.exp(ty, depth)])
            }
        }
    }

    /// The array in another order, of integers. Elements may be equal to the comparison and still differ.
    fn sorted_by(&mut self, ty: &Ty, prim: Prim, make: impl Fn(&mut Gen) -> Exp) -> Exp {
        let (xs, t) = (make(self), prim.name());
        match self.rng.below(3) {
            0 => Exp::fill(ty, &format!("(sort_by (\\a b -> (a & 3{t}) <= (b & 3{t})) @)"), vec![xs]),
            1 => Exp::fill(ty, "(sort_by (>=) @)", vec![xs]),
            _ => {
                let parts = vec![xs, make(self)];
                let leq = "\\a b -> a.0 & 1 < b.0 & 1 || a.0 & 1 == b.0 & 1 && a.1 >= b.1";
                let leq = leq.replace("& 1", &format!("% 2{t}"));
                let which = self.rng.below(2);
                Exp::fill(ty, &format!("((unzip (sort_by ({leq}) (zip @ @))).{which})"), parts)
            }
        }
    }

    /// A number or a truth value made by an operator on tuples of different types.
    pub(super) fn mixed_reduction(&mut self, prim: Prim, size: &Size, depth: u32) -> Exp {
        let ty = Ty::Prim(prim);
        let own = if prim == Prim::Bool {
            self.exp(&Ty::array(size, &Ty::Prim(Prim::Bool)), depth)
        } else {
            self.numbers(size, prim, depth)
        };
        let other = self.exp(&Ty::array(size, &Ty::Prim(Prim::U8)), depth);
        let bools = self.exp(&Ty::array(size, &Ty::Prim(Prim::Bool)), depth);
        let text = mixed(prim, self.rng.below(2));
        Exp::fill(&ty, &text.replace("{n}", &size.text()), vec![own, other, bools])
    }

    /// The same of rows of `m` elements.
    pub(super) fn reduced_tuple(&mut self, prim: Prim, depth: u32) -> Exp {
        let parts = vec![self.row(prim, depth), self.row(Prim::U8, depth), self.row(Prim::Bool, depth)];
        let text = mixed(prim, self.rng.below(2));
        Exp::fill(&Ty::Prim(prim), &text.replace("{n}", "m"), parts)
    }

    /// A row in another order.
    pub(super) fn ordered(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = row_ty(prim);
        if prim.is_int() && !self.plain {
            return self.sorted_by(&ty, prim, |cx| cx.row(prim, depth));
        }
        Exp::fill(&ty, "(replicate m @)", vec![self.number(prim, depth)])
    }
}

/// A reduction of three arrays of these numbers, of `u8` and of `bool`, of whose result only the first part is taken.
fn mixed(prim: Prim, choice: usize) -> String {
    let t = prim.name();
    let (least, more, greater) = match prim {
        Prim::Bool => ("false".to_string(), "||".to_string(), "a && !x".to_string()),
        Prim::F16 | Prim::F32 | Prim::F64 => (format!("(-{t}.inf)"), format!("`{t}.max`"), "a > x".into()),
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => {
            (format!("{t}.lowest"), format!("`{t}.max`"), "a > x".into())
        }
    };
    match choice {
        0 => format!(
            "((reduce (\\(x, y, z) (a, b, c) -> (x {more} a, y + b, z && c)) ({least}, 0u8, true) (zip3 @ @ @)).0)"
        ),
        // The last part is that of the winner, and so is the number of it.
        _ => format!(
            "(let r = reduce (\\(x, y, z, i) (a, b, c, j) -> if {greater} || a == x && j < i then (a, y + b, c, j) else (x, y + b, z, i)) ({least}, 0u8, false, i64.highest) (zip4 @ @ @ (iota {{n}})) in if r.2 then r.0 else {least})"
        ),
    }
}
