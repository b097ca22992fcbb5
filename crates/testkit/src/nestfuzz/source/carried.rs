//! Programs for the host of a GPU: loops that carry numbers from one iteration to the next, which reductions compute, and that read
//! single elements of arrays. What the host needs of the device, and what can stay there, is decided by how they use it.
//!
//! ```text
//! let v1 = (loop (acc2, s3, s4) = (xs, 0i32, 1i64) for i5 < 3 do
//!   let t6 = reduce (+) 0 (map (\x7 -> x7 * s3) acc2)
//!   let p8 = if m > 0 then acc2[i5 * 7 % m] else s3
//!   let a = t6 + p8 let b = s4 ^ i64.i32 p8
//!   in (map (\x9 -> x9 - t6) acc2, a, b)).0
//! ```
//!
//! The rows and numbers are those of `rows`, but without a map around them: a row is an array of the device, and a number is one of the host.
//! There are rows of a matrix, too, so that whole nests are launched in these loops.

use super::program::{Def, SourceProgram};
use super::rows::{operator, row_ty};
use super::types::Ty;
use super::{Exp, Gen};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// The program of a seed; `scale` says how large it is, about.
pub fn carried_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen { host: true, ..Gen::of_rows(seed, 16 + 2 * scale) };
    let entry = cx.carried_entry();
    SourceProgram::of(Rc::new(cx), Vec::new(), vec![entry])
}

impl Gen {
    fn carried_entry(&mut self) -> Def {
        let (a, b, c) = (self.row_prim(), self.row_prim(), self.row_prim());
        let yielded = [row_ty(a), Ty::Prim(b), row_ty(c)];
        let ret = Ty::Tuple(yielded.iter().cloned().chain([Ty::Prim(Prim::I64)]).collect());
        let params = "(xss: [n][m]i32) (us: [n]i32) (xs: [m]i32) (ws: [m]i64) (s: i32) (u: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        let vars = [
            ("xs", row_ty(Prim::I32)),
            ("ws", row_ty(Prim::I64)),
            ("s", Ty::Prim(Prim::I32)),
            ("u", Ty::Prim(Prim::I32)),
            ("m", Ty::Prim(Prim::I64)),
        ];
        let vars = vars.map(|(name, ty)| (name.to_string(), ty));
        let count = 1 + self.rng.below(3);
        let prim = self.row_prim();
        let first = if self.one_in(2) { Ty::Prim(prim) } else { row_ty(prim) };
        let name = self.fresh("v");
        let body = self.inside(&vars, |cx| {
            let value = cx.carried(&first, 4);
            let mut named = vec![(name.clone(), first)];
            let rest = cx.under(&named.clone(), |cx| cx.row_statements(&yielded, count, &mut named));
            Exp::fill(&ret, &format!("(let {name} = @ in @)"), vec![value, rest])
        });
        Def::new(head, body)
    }

    /// Whether this is code of the host, where loops carry what reductions compute.
    pub(super) fn is_host(&self) -> bool {
        self.host && self.level == 1
    }

    /// A row or a number from a loop that carries a row and two numbers.
    pub(super) fn carried(&mut self, ty: &Ty, depth: u32) -> Exp {
        let (row, first) = match ty {
            Ty::Array(_, elem) => ((**elem).clone(), Ty::Prim(self.row_prim())),
            _ => (Ty::Prim(self.row_prim()), ty.clone()),
        };
        let (Ty::Prim(row), Ty::Prim(first)) = (row, first) else { return self.simplest(ty) };
        let (second, total) = (self.row_prim(), self.row_prim());
        let [acc, s, r, i, t, p] = ["acc", "s", "s", "i", "t", "p"].map(|hint| self.fresh(hint));
        let number = |name: &str, prim| (name.to_string(), Ty::Prim(prim));
        let carried =
            [(acc.clone(), row_ty(row)), number(&s, first), number(&r, second), number(&i, Prim::I64)];
        let own = [number(&t, total), number(&p, row)];
        let all: Vec<(String, Ty)> = carried.iter().chain(&own).cloned().collect();

        let reduced = self.under(&carried, |cx| cx.reduction_of(&acc, row, total, depth));
        let step = self.rng.below(40);
        let other = self.under(&carried, |cx| cx.number(row, 0));
        let element = if self.one_in(2) {
            Exp::fill(&Ty::Prim(row), &format!("(if m > 0 then {acc}[{i} * {step} % m] else @)"), vec![other])
        } else {
            let index = self.under(&carried, |cx| cx.index(depth));
            let text = format!("(if m > 0 then {acc}[@ % m] else @)");
            Exp::fill(&Ty::Prim(row), &text, vec![index, other])
        };
        let numbers = [(&s, first), (&r, second), (&t, total), (&p, row)];
        let one = self.under(&all, |cx| cx.next_number(first, &numbers, depth));
        let two = self.under(&all, |cx| cx.next_number(second, &numbers, depth));
        let writes = self.one_in(4);
        let next = self.under(&all, |cx| match writes {
            true => {
                let parts = vec![cx.index(depth), cx.next_number(row, &numbers, depth)];
                let text = format!("(if m > 0 then {acc} with [@ % m] = @ else {acc})");
                Exp::fill(&row_ty(row), &text, parts)
            }
            false if cx.one_in(2) => {
                let x = cx.fresh("x");
                let other = cx.next_number(row, &numbers, 0);
                let body = cx.combined(row, Exp::text(&Ty::Prim(row), &x), other);
                Exp::fill(&row_ty(row), &format!("(map (\\{x} -> @) {acc})"), vec![body])
            }
            false => cx.row(row, depth),
        });
        let body = format!("let {t} = @ let {p} = @ let a = @ let b = @ in (@, a, b");
        let parts = vec![reduced, element, one, two, next];

        let which = if *ty == row_ty(row) { 0 } else { 1 };
        let initial = vec![self.row(row, depth), self.number(first, depth), self.number(second, depth)];
        let (param, copy) = match writes {
            true => (format!("({acc}: *[m]{})", row.name()), "copy "),
            false => (acc.clone(), ""),
        };
        let (text, test) = if self.one_in(2) {
            let bound = self.bound(depth);
            let head = format!("loop ({param}, {s}, {r}) = ({copy}@, @, @) for {i} < @ do");
            (format!("(({head} {body})).{which})"), bound)
        } else {
            let holds = self.under(&carried, |cx| cx.next_number(Prim::Bool, &numbers[..2], depth.min(3)));
            let most = 1 + self.rng.below(5);
            let head =
                format!("loop ({param}, {s}, {r}, {i}) = ({copy}@, @, @, 0i64) while {i} < {most} && @ do");
            (format!("(({head} {body}, {i} + 1)).{which})"), holds)
        };
        let parts = initial.into_iter().chain([test]).chain(parts).collect();
        Exp::fill(ty, &text, parts)
    }

    /// A number made of two of these, or any.
    fn next_number(&mut self, prim: Prim, numbers: &[(&String, Prim)], depth: u32) -> Exp {
        if self.one_in(3) {
            return self.number(prim, depth);
        }
        let [one, two] = [0, 1].map(|_| {
            let (name, from) = numbers[self.rng.below(numbers.len())];
            self.conversion(prim, from, Exp::text(&Ty::Prim(from), name))
        });
        self.combined(prim, one, two)
    }

    /// A number made of all elements of the row of this name.
    fn reduction_of(&mut self, row: &str, from: Prim, to: Prim, depth: u32) -> Exp {
        let ty = Ty::Prim(to);
        let choice = self.rng.below(6);
        let (op, neutral) = operator(to, choice);
        let x = self.fresh("x");
        let body = self.inside(&[(x.clone(), Ty::Prim(from))], |cx| {
            let element = Exp::text(&Ty::Prim(from), &x);
            let own = cx.conversion(to, from, element);
            let other = cx.number(to, depth.min(2));
            cx.combined(to, own, other)
        });
        Exp::fill(&ty, &format!("(reduce {op} {neutral} (map (\\{x} -> @) {row}))"), vec![body])
    }

    /// One row of a matrix that is computed as a whole.
    pub(super) fn row_of_matrix(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = row_ty(prim);
        let (xs, u, made) = (self.fresh("xs"), self.fresh("u"), self.fresh("made"));
        let vars = [(xs.clone(), row_ty(Prim::I32)), (u.clone(), Ty::Prim(Prim::I32))];
        let row = self.inside(&vars, |cx| cx.row(prim, depth));
        let parts = vec![row, self.index(depth), self.row(prim, 0)];
        let text = format!(
            "(let {made} = map2 (\\{xs} {u} -> @) xss us in if n > 0 then {made}[@ % n] else copy @)"
        );
        Exp::fill(&ty, &text, parts)
    }
}
