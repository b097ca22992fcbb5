//! Programs whose maps make, change and use values of recursive types.
//!
//! ```text
//! type rec t = #a | #b i32 t | #c t i64 t | #d ([]i32) t
//! def make (d: i64) (x: i32) (xs: []i32) : t = if d <= 0 then #a else match x & 3 case 0 -> #b (x ^ 3) (make (d - 1) (x + 1) xs) ..
//! def fold (k: i64) (v: t) : i64 = match v case #a -> k case #b n l -> i64.i32 n + 3 * fold (k + 1) l ..
//! def change (k: i32) (v: t) : t = ..
//! entry main [n] [m] (xss: [n][m]i32) (us: [n]i32) (ys: [m]i32) (s: i32) =
//!   let v1 = map2 (\xs u -> make 3 u xs) xss us
//!   let v2 = map (change s) v1
//!   in (map (fold 7) v2, fold 0 (reduce join #a v2))
//! ```
//!
//! A value is made by an element for itself, by the host for all elements, or by one map for another; by recursion or by a loop; with arrays in it, and other values in those.
//! Arrays of values are mapped, filtered, scanned, reduced, updated and handed on by loops. Closures that capture others of their kind are such values, too.

use super::program::{Def, SourceProgram};
use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// The program of a seed; `scale` says how large it is, about.
pub fn trees_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen { plain: true, ..Gen::of_rows(seed, 20 + 3 * scale) };
    let kinds = Kinds { arrays: cx.one_in(2), children: cx.one_in(4) };
    let mut fixed = vec![kinds.type_text(), cx.make(&kinds), cx.fold(&kinds), cx.change(&kinds)];
    fixed.push(cx.by_loop());
    fixed.push(cx.join());
    fixed.push(cx.closures());
    fixed.iter_mut().for_each(|text| text.push('\n'));
    let entry = cx.trees_entry(1 + scale as usize / 2);
    SourceProgram::of(Rc::new(cx), fixed, vec![entry])
}

/// The constructors that are there beside `#a`, `#b` and `#c`.
struct Kinds {
    /// `#d` has an array of numbers.
    arrays: bool,
    /// `#e` has an array of values.
    children: bool,
}

impl Kinds {
    fn type_text(&self) -> String {
        let mut text = "type rec t = #a | #b i32 t | #c t i64 t".to_string();
        text += if self.arrays { " | #d ([]i32) t" } else { "" };
        text += if self.children { " | #e ([]t)" } else { "" };
        text
    }
}

impl Gen {
    fn among(&mut self, texts: &[&str]) -> String {
        texts[self.rng.below(texts.len())].to_string()
    }

    /// A number of type `i32` made of this one.
    fn number_from(&mut self, from: &str) -> String {
        let constant = self.rng.below(9);
        self.among(&[
            &format!("({from} + {constant})"),
            &format!("({from} ^ {constant})"),
            &format!("({from} * 3 - {constant})"),
            from,
        ])
    }

    fn make(&mut self, kinds: &Kinds) -> String {
        let call = |cx: &mut Gen| {
            let lower = 1 + cx.rng.below(2);
            let next = cx.number_from("x");
            format!("(make (d - {lower}) {next} xs)")
        };
        let mut cases = vec!["#a".to_string()];
        let next = self.number_from("x");
        cases.push(format!("#b {next} {}", call(self)));
        cases.push(format!("#c {} (i64.i32 x + d) {}", call(self), call(self)));
        if kinds.arrays {
            let array = self.among(&[
                "xs",
                "(map (+ x) xs)",
                "xs[:length xs / 2]",
                "(filter (> x) xs)",
                "[x, x + 1]",
            ]);
            cases.push(format!("#d {array} {}", call(self)));
        }
        if kinds.children {
            let width = self.among(&["2", "(i64.i32 (x & 3))", "(d % 3)"]);
            cases.push(format!("#e (map (\\i -> make (d - 2) (x + i32.i64 i) xs) (iota {width}))"));
        }
        let count = cases.len();
        let mut text =
            "def make (d: i64) (x: i32) (xs: []i32) : t = if d <= 0 then #a else match u32.i32 x % "
                .to_string();
        text += &format!("{count} ");
        for (at, case) in cases.iter().enumerate() {
            let pattern = if at + 1 == count { "_".to_string() } else { at.to_string() };
            text += &format!("case {pattern} -> {case} ");
        }
        text
    }

    fn fold(&mut self, kinds: &Kinds) -> String {
        let more = self.rng.below(3);
        let op = self.among(&["+", "-", "^"]);
        let mut text = format!(
            "def fold (k: i64) (v: t) : i64 = match v case #a -> k case #b n l -> i64.i32 n {op} 3 * fold (k + {more}) l "
        );
        let left = self.among(&["fold k l", "fold (k * 2 & 255) l", "(if x & 1 == 0 then fold k l else k)"]);
        text += &format!("case #c l x r -> {left} {op} x - fold (k + 1) r ");
        if kinds.arrays {
            let used = self.among(&[
                "i64.sum (map i64.i32 xs)",
                "length xs",
                "(if length xs > 0 then i64.i32 xs[0] else k)",
                "(loop s = 0 for x in xs do s * 3 + i64.i32 x & 1023)",
            ]);
            text += &format!("case #d xs l -> {used} {op} fold k l ");
        }
        if kinds.children {
            text += "case #e vs -> i64.sum (map (fold (k + 1)) vs) ";
        }
        text
    }

    fn change(&mut self, kinds: &Kinds) -> String {
        let next = self.number_from("n");
        let mut text = format!(
            "def change (k: i32) (v: t) : t = match v case #a -> {} ",
            self.among(&["#a", "#b k #a"])
        );
        text += &format!(
            "case #b n l -> {} ",
            self.among(&[&format!("#b {next} (change k l)"), "l", "#c l 5 l"])
        );
        text += &format!(
            "case #c l x r -> {} ",
            self.among(&[
                "#c (change k r) (x + i64.i32 k) (change (k + 1) l)",
                "(if x < 9 then #b k r else #c l x r)"
            ])
        );
        if kinds.arrays {
            let made =
                self.among(&["#d (map (+ k) xs) (change k l)", "#d xs l", "#d (xs ++ [k]) (change k l)"]);
            text += &format!("case #d xs l -> {made} ");
        }
        if kinds.children {
            text += "case #e vs -> #e (map (change k) vs) ";
        }
        text
    }

    fn by_loop(&mut self) -> String {
        let step = self.among(&[
            "#b (x + i32.i64 i) v",
            "(if i % 3 == 0 then #c v i #a else #b x v)",
            "#c v i (#b x #a)",
        ]);
        format!("def chain (k: i64) (x: i32) : t = loop v = #a for i < k do {step}")
    }

    fn join(&self) -> String {
        // Associative: what is combined are lists.
        "def join (v: t) (w: t) : t = match v case #a -> w case #b n l -> #b n (join l w) case _ -> v"
            .to_string()
    }

    fn closures(&mut self) -> String {
        let first = self.among(&["\\y -> y + x", "\\y -> y ^ x", "\\_ -> x"]);
        let odd = self.among(&["\\y -> f y + 1", "\\y -> f (y + x)", "\\y -> f (f y & 7)"]);
        format!(
            "def nested (k: i64) (x: i32) : i32 -> i32 = loop f = {first} for i < k do if i % 2 == 0 then \\y -> 3 * f y else {odd}"
        )
    }

    /// Statements that make arrays of values from those before, and then what is yielded.
    fn trees_entry(&mut self, count: usize) -> Def {
        let ints = || Ty::array(&Size::Named("n".into()), &Ty::Prim(Prim::I64));
        let ret = Ty::Tuple(vec![ints(), ints(), Ty::Prim(Prim::I64)]);
        let params = "(xss: [n][m]i32) (us: [n]i32) (ys: [m]i32) (s: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        let mut text = String::new();
        let depth = 1 + self.rng.below(5);
        let mut last = self.fresh("v");
        text += &format!("let {last} = ");
        text += &match self.rng.below(4) {
            0 => format!("map2 (\\xs u -> make ({depth} + i64.i32 (u & 1)) u xs) xss us "),
            1 => {
                let number = self.number_from("s");
                format!(
                    "(let w = make {depth} {number} ys in map (\\u -> if u & 1 == 0 then w else #b u w) us) "
                )
            }
            2 => format!("map (\\u -> chain (i64.i32 (u & 31) * {depth}) u) us "),
            _ => format!("map2 (\\xs u -> #c (make {depth} u xs) 3 (chain 2 u)) xss us "),
        };
        for _ in 0..self.rng.below(count + 1) {
            let next = self.fresh("v");
            let step = match self.rng.below(8) {
                0 | 1 => {
                    let number = self.number_from("s");
                    format!("map (change {number}) {last}")
                }
                2 => format!("map2 (\\v u -> if fold 1 v & 1 == 0 then #b u v else v) {last} us"),
                3 => format!("scan join #a {last}"),
                4 => format!("(loop vs = {last} for i < 2 do map (change (i32.i64 i)) vs)"),
                5 => {
                    let number = self.number_from("s");
                    format!(
                        "(if n > 0 then copy {last} with [0] = change {number} {last}[n / 2] else {last})"
                    )
                }
                6 => format!(
                    "(let ws = filter (\\v -> fold 0 v > 3) {last} in map (\\i -> if i < length ws then ws[i] else #a) (iota n))"
                ),
                _ => format!("map (\\i -> {last}[(i * 7 + 3) % n]) (iota n)"),
            };
            text += &format!("let {next} = {step} ");
            last = next;
        }
        let columns = match self.rng.below(4) {
            0 => format!("map (fold 7) {last}"),
            1 => format!("map2 (\\v u -> fold (i64.i32 (u & 7)) (change u v)) {last} us"),
            2 => "map (\\u -> i64.i32 (nested (i64.i32 (u & 15)) u (s & 255))) us".to_string(),
            _ => {
                "(let fs = map (\\u -> nested (i64.i32 (u & 7)) u) us in map2 (\\f u -> i64.i32 (f u)) fs us)"
                    .to_string()
            }
        };
        let sum = match self.rng.below(4) {
            0 => format!("fold 0 (reduce join #a {last})"),
            1 => format!("i64.sum (map (fold 0) {last})"),
            2 => format!("(if n > 0 then fold 1 {last}[0] else 0)"),
            _ => format!("(loop k = 0 for v in {last} do fold (k & 255) v)"),
        };
        text += &format!("in (map (fold 1) {last}, {columns}, {sum})");
        Def::new(head, Exp::fill(&ret, &format!("({text})"), Vec::new()))
    }
}
