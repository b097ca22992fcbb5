//! Programs that are written with indices: loops that update arrays, and maps over numbers that read arrays. Some are operators in disguise, and some only look so.
//!
//! ```text
//! let a1 = loop (a, s) = (copy xs, 3i32) for i < m do
//!   let a = if xs[i] > 2 then a with [m - 1 - i] = xs[i] * 2 else a
//!   in (a, s + xs[(i + 1) % m])
//! let b2 = tabulate_2d n m (\i j -> xss[i, j] - yss[i, m - 1 - j])
//! ```
//!
//! An iteration writes one place, and reads that and others, so that whether iterations meet is decided by indices alone.

use super::program::{Def, SourceProgram};
use super::rows::row_ty;
use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// The program of a seed.
pub fn indexed_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen::of_rows(seed, scale);
    let entry = cx.indexed_entry();
    SourceProgram::of(Rc::new(cx), Vec::new(), vec![entry])
}

impl Gen {
    fn indexed_entry(&mut self) -> Def {
        let matrix = Ty::array(&Size::Named("n".into()), &row_ty(Prim::I32));
        let pair = Ty::Tuple(vec![row_ty(Prim::I32), Ty::Prim(Prim::I32)]);
        let ret = Ty::Tuple(vec![pair.clone(), matrix.clone(), matrix.clone()]);
        let params = "(xss: [n][m]i32) (us: [n]i32) (xs: [m]i32) (ws: [m]i64) (s: i32) (u: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        let parts = vec![
            Exp::text(&pair, self.loop_over_row()),
            Exp::text(&matrix, self.loop_over_rows()),
            Exp::text(&matrix, self.map_by_index()),
        ];
        Def::new(head, Exp::fill(&ret, "(@, @, @)", parts))
    }

    fn choose(&mut self, from: &[&str]) -> String {
        self.rng.pick(from).copied().unwrap_or_default().to_string()
    }

    /// An index below the size, which is not 0.
    fn place(&mut self, i: &str, size: &str) -> String {
        match self.rng.below(8) {
            0..=3 => i.to_string(),
            4 | 5 => format!("{size} - 1 - {i}"),
            6 => format!("({i} + 1) % {size}"),
            _ => format!("{i} * {i} % {size}"),
        }
    }

    /// A number made of these.
    fn made_of(&mut self, reads: &[String], depth: u32) -> String {
        if depth == 0 || self.one_in(3) {
            return self.rng.pick(reads).cloned().unwrap_or_default();
        }
        let [x, y] = [0, 1].map(|_| self.made_of(reads, depth - 1));
        if self.one_in(4) {
            return format!("(if {x} > {y} then {x} else {y} - 1)");
        }
        let op = self.choose(&["+", "-", "*", "^"]);
        format!("({x} {op} {y})")
    }

    fn loop_over_row(&mut self) -> String {
        let written = self.place("i", "m");
        let other = self.place("i", "m");
        let own = if self.one_in(5) { self.place("i", "m") } else { written.clone() };
        let mut reads = vec!["xs[i]".into(), format!("xs[{other}]"), "i32.i64 i".into(), "u".into()];
        if self.one_in(2) {
            reads.push(format!("a[{own}]"));
        }
        let update = format!("a with [{written}] = {}", self.made_of(&reads, 2));
        let update = match self.one_in(3) {
            true => format!("if {} > 1 then {update} else a", self.made_of(&reads, 1)),
            false => update,
        };
        let op = self.choose(&["+", "*", "`i32.max`", "`i32.min`", "^", "-", "|"]);
        let value = self.made_of(&reads[..4], 1);
        let sum = format!("k {op} {value}");
        let sum = if self.one_in(3) { format!("if xs[i] > 1 then {sum} else k") } else { sum };
        let bound = self.choose(&["i < m", "i < m", "i in 1..<i64.max 1 m", "i < m - 1"]);
        let first = self.choose(&["copy xs", "replicate m 7"]);
        format!("(loop (a, k) = ({first}, s) for {bound} do let next = {sum} in ({update}, next))")
    }

    fn loop_over_rows(&mut self) -> String {
        let (row, column) = (self.place("i", "n"), self.place("j", "m"));
        let mut reads = vec!["xss[i, j]".into(), "us[i]".into(), "xs[j]".into(), "i32.i64 (i + j)".into()];
        if self.one_in(2) {
            let other = if self.one_in(3) { self.place("j", "m") } else { column.clone() };
            reads.push(format!("a[{row}, {other}]"));
        }
        let update = format!("a with [{row}, {column}] = {}", self.made_of(&reads, 2));
        let inner = match self.rng.below(4) {
            0 => format!("a with [{row}] = map (* us[i]) xss[{}]", self.place("i", "n")),
            1 => format!("if us[i] > 0 then (loop a for j < m do {update}) else a"),
            _ => format!("loop a for j < m do {update}"),
        };
        format!("(loop a = copy xss for i < n do {inner})")
    }

    fn map_by_index(&mut self) -> String {
        let made = self.choose(&["map (map (* 3)) xss", "tabulate_2d n m (\\i j -> xss[i, j] - us[i])"]);
        let summed = self.choose(&["map (+ u) us", "scan (+) 0 us", "map (\\i -> us[i] * 2) (iota n)"]);
        let other = self.place("i", "n");
        let reads: Vec<String> = vec![
            "us[i]".into(),
            "sums[i]".into(),
            "xss[i, j]".into(),
            "yss[i, j]".into(),
            "yss[i, m - 1 - j]".into(),
            "zss[j, i]".into(),
            format!("xss[{other}, j]"),
        ];
        let body = self.made_of(&reads, 3);
        let map = match self.rng.below(3) {
            0 => format!("tabulate_2d n m (\\i j -> {body})"),
            1 => format!("map (\\i -> map (\\j -> {body}) (iota m)) (iota n)"),
            _ => {
                let row = "let row = if us[i] > 0 then yss[i] else yss[n - 1 - i]";
                format!("map (\\i -> {row} in map (\\j -> row[j] + {body}) (iota m)) (iota n)")
            }
        };
        format!("(let yss = {made} let sums = {summed} let zss = transpose yss in {map})")
    }
}
