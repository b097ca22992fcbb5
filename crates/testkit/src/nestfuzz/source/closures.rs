//! Programs whose maps make, hand on and apply functions that capture numbers, rows and other functions.
//!
//! ```text
//! type^ rec choice = #none | #one (i32 -> i32) | #two (i32 -> i32) (i32 -> i32) | #with i32 ([]i32) (i32 -> i32)
//! type^ rec steps = #done i32 | #more (i32 -> steps) | #both steps (i32 -> i32) | #row ([]i32) steps
//! def build [m] (d: i64) (x: i32) (xs: [m]i32) : i32 -> i32 = if d <= 0 then \y -> y + x else let f = build (d - 1) (x ^ 3) xs in \y -> 3 * f y
//! def pass [m] (d: i64) (x: i32) (xs: [m]i32) (k: i32 -> i32) : i32 = if d <= 0 then k x else pass (d - 1) (x + 1) xs (\v -> k (v - x))
//! with def turn ..
//! def grow .. : steps = ..
//! entry main [n] [m] (xss: [n][m]i32) (us: [n]i32) (ys: [m]i32) (s: i32) =
//!   let fs = map2 (\xs u -> if u < 3 then build 2 u xs else \y -> y * u) xss us
//!   let gs = scan (\f g -> \y -> g (f y)) (\y -> y) fs
//!   in (map2 (\g u -> g u) gs us, map2 (\xs u -> pass 3 u xs (\v -> v + s)) xss us, ..)
//! ```
//!
//! Functions come out of branches, matches, loops, records, sums, recursive types and recursion; they are continuations, two at a time where functions call each other, and elements of arrays.
//! What is applied several times in a loop is short, so that the work stays small.

use super::program::{Def, SourceProgram};
use super::rows::row_ty;
use super::types::{Size, Ty};
use super::{Exp, Gen, ListDef};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// The program of a seed; `scale` says how large it is, about.
pub fn closures_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen { plain: true, level: 2, ..Gen::of_rows(seed, 60 + 4 * scale) };
    cx.lists = ["steps", "choice"].map(|name| ListDef { name: name.into(), elem: int() }).into();
    let depth = 1 + (scale / 12).min(2);
    // With rows in it, it is a recursive type: others have one size for all constructors.
    let (sum, row, used) = match cx.one_in(2) {
        true => (
            "rec choice",
            "([]i32)",
            "def held [k] (n: i32) (xs: [k]i32) (f: i32 -> i32) : choice = #with n xs f\ndef used [k] (xs: [k]i32) : i32 = first xs\n",
        ),
        false => (
            "choice",
            "i32",
            "def held [k] (n: i32) (xs: [k]i32) (f: i32 -> i32) : choice = #with n (first xs) f\ndef used (x: i32) : i32 = x\n",
        ),
    };
    let fixed = vec![
        format!("type^ {sum} = #none | #one (i32 -> i32) | #two (i32 -> i32) (i32 -> i32) | #with i32 {row} (i32 -> i32)\n"),
        "type^ rec steps = #done i32 | #more (i32 -> steps) | #both steps (i32 -> i32) | #row ([]i32) steps\n".to_string(),
        "def first [k] (xs: [k]i32) : i32 = if k > 0 then xs[0] else 5\n".to_string(),
        used.to_string(),
    ];
    let mut defs = vec![cx.chosen_def(depth), cx.build_def(depth)];
    defs.extend(cx.continuation_defs(depth));
    defs.push(cx.grow_def(depth));
    defs.push(cx.run_def(depth));
    cx.fuel = 60 + 4 * scale;
    defs.push(cx.closures_entry(depth, 1 + scale as usize / 4));
    SourceProgram::of(Rc::new(cx), fixed, defs)
}

/// The two types, which nobody makes in other ways than those here.
const STEPS: Ty = Ty::List(0);
const CHOICE: Ty = Ty::List(1);

fn int() -> Ty {
    Ty::Prim(Prim::I32)
}

fn fun() -> Ty {
    Ty::fun(&int(), &int())
}

/// What each of the functions takes besides others.
fn given(more: &[(&str, Ty)]) -> Vec<(String, Ty)> {
    let row = [("x", int()), ("xs", row_ty(Prim::I32)), ("m", Ty::Prim(Prim::I64))];
    row.iter().chain(more).map(|(name, ty)| (name.to_string(), ty.clone())).collect()
}

impl Gen {
    fn build_def(&mut self, depth: u32) -> Def {
        let end = self.under(&given(&[]), |cx| cx.closure(depth));
        let next = self.under(&given(&[]), |cx| cx.whole(depth));
        let last = self.under(&given(&[("f", fun())]), |cx| cx.closure(depth));
        let body = Exp::fill(
            &fun(),
            "(if d <= 0 then @ else let f = build (d - 1) @ xs in @)",
            vec![end, next, last],
        );
        Def::new("def build [m] (d: i64) (x: i32) (xs: [m]i32) : i32 -> i32".into(), body)
    }

    /// Functions that hand on what is left to do, and call each other.
    fn continuation_defs(&mut self, depth: u32) -> Vec<Def> {
        let heads = [
            "def pass [m] (d: i64) (x: i32) (xs: [m]i32) (k: i32 -> i32) : i32",
            "with def turn [m] (d: i64) (x: i32) (xs: [m]i32) (k: i32 -> i32) (h: i32 -> i32) : i32",
        ];
        let scopes = [given(&[("k", fun())]), given(&[("k", fun()), ("h", fun())])];
        let mut defs = Vec::new();
        for (head, vars) in heads.into_iter().zip(scopes) {
            let body = self.under(&vars, |cx| {
                let end = cx.whole(depth);
                let rest = cx.continued(depth);
                Exp::fill(&int(), "(if d <= 0 then k @ else @)", vec![end, rest])
            });
            defs.push(Def::new(head.into(), body));
        }
        defs
    }

    /// A call with something left to do, in one of these functions.
    fn continued(&mut self, depth: u32) -> Exp {
        let v = self.fresh("v");
        let bound = [(v.clone(), int())];
        let argument = self.whole(depth);
        match self.rng.below(8) {
            0 | 1 => {
                let left = self.under(&bound, |cx| cx.whole(depth));
                Exp::fill(&int(), &format!("(pass (d - 1) @ xs (\\{v} -> k @))"), vec![argument, left])
            }
            2 => {
                let left = self.under(&bound, |cx| cx.whole(depth));
                let text = format!("(pass (d - 1) @ xs (\\{v} -> pass (d - 2) @ xs k))");
                Exp::fill(&int(), &text, vec![argument, left])
            }
            3 => {
                let other = self.closure(depth);
                Exp::fill(&int(), "(k (pass (d - 2) @ xs @))", vec![argument, other])
            }
            4 => {
                let left = self.under(&bound, |cx| cx.whole(depth));
                let other = self.closure(depth);
                let text = format!("(turn (d - 1) @ xs @ (\\{v} -> k @))");
                Exp::fill(&int(), &text, vec![argument, other, left])
            }
            5 => {
                let left = self.under(&bound, |cx| cx.whole(depth));
                let text = format!("(turn (d - 1) @ xs (\\{v} -> turn (d - 2) @ xs k k) k)");
                Exp::fill(&int(), &text, vec![argument, left])
            }
            6 => {
                let (a, b) = (self.whole(depth), self.whole(depth));
                let parts = vec![a, b, argument, self.whole(depth)];
                Exp::fill(&int(), "(if @ < @ then pass (d - 1) @ xs k else k @)", parts)
            }
            _ => {
                let other = self.closure(depth);
                let text = "(let f = build 1 @ xs in pass (d - 1) x xs (if x & 1 == 0 then f else @))";
                Exp::fill(&int(), text, vec![argument, other])
            }
        }
    }

    fn chosen_def(&mut self, depth: u32) -> Def {
        let vars = |names: &[&str]| -> Vec<(String, Ty)> {
            names.iter().map(|name| (name.to_string(), if *name == "n" { int() } else { fun() })).collect()
        };
        let none = self.under(&[], |cx| cx.closure(depth));
        let two = self.under(&vars(&["f", "g"]), |cx| cx.closure(depth));
        let with = self.under(&vars(&["n", "f"]), |cx| cx.closure(depth));
        let text = "(match c case #none -> @ case #one f -> f case #two f g -> @ case #with n ys f -> let g = @ in \\y -> g y + used ys)";
        Def::new("def chosen (c: choice) : i32 -> i32".into(), Exp::fill(&fun(), text, vec![none, two, with]))
    }

    fn grow_def(&mut self, depth: u32) -> Def {
        let vars = given(&[]);
        let y = ("y".to_string(), int());
        let inner: Vec<(String, Ty)> = vars.iter().cloned().chain([y]).collect();
        let parts = vec![
            self.under(&inner, |cx| cx.whole(depth)),
            self.under(&vars, |cx| cx.whole(depth)),
            self.under(&vars, |cx| cx.closure(depth)),
            self.under(&vars, |cx| cx.whole(depth)),
            self.under(&vars, |cx| cx.closure(depth)),
        ];
        let text = "(if d <= 0 then #done x else match u32.i32 x % 4 case 0 -> #more (\\y -> grow (d - 1) @ xs) case 1 -> #both (grow (d - 1) @ xs) @ case 2 -> #row (map (+ x) xs) (grow (d - 1) @ xs) case _ -> let f = @ in #more (\\y -> #done (f y)))";
        let head = "def grow [m] (d: i64) (x: i32) (xs: [m]i32) : steps";
        Def::new(head.into(), Exp::fill(&STEPS, text, parts))
    }

    fn run_def(&mut self, depth: u32) -> Def {
        let ints = |names: &[&str]| -> Vec<(String, Ty)> {
            names.iter().map(|name| (name.to_string(), int())).collect()
        };
        let parts = vec![
            self.under(&ints(&["r", "x"]), |cx| cx.whole(depth)),
            self.under(&ints(&["x"]), |cx| cx.whole(depth)),
        ];
        let text = "(match s case #done r -> @ case #more f -> run (f x) @ case #both rest f -> f (run rest x) case #row ys rest -> first ys + run rest x)";
        Def::new("def run (s: steps) (x: i32) : i32".into(), Exp::fill(&int(), text, parts))
    }

    /// A number, perhaps by a function.
    fn whole(&mut self, depth: u32) -> Exp {
        self.fuel = self.fuel.saturating_sub(1);
        if depth == 0 || self.fuel == 0 || self.one_in(3) {
            return self.number(Prim::I32, depth.min(1));
        }
        let depth = depth - 1;
        match self.rng.below(7) {
            0 | 1 => {
                let parts = vec![self.closure(depth), self.whole(depth)];
                Exp::fill(&int(), "(@ @)", parts)
            }
            2 => match self.variable(&fun()) {
                Some(f) => {
                    let x = self.whole(depth);
                    Exp::fill(&int(), "(@ @)", vec![f, x])
                }
                None => self.number(Prim::I32, 1),
            },
            3 => {
                let op = ["+", "-", "*", "^", "&"][self.rng.below(5)];
                let parts = vec![self.whole(depth), self.whole(depth)];
                Exp::fill(&int(), &format!("(@ {op} @)"), parts)
            }
            4 => {
                let f = self.fresh("g");
                let value = self.closure(depth);
                let rest = self.under(&[(f.clone(), fun())], |cx| cx.whole(depth));
                Exp::fill(&int(), &format!("(let {f} = @ in @)"), vec![value, rest])
            }
            _ => self.number(Prim::I32, depth.min(2)),
        }
    }

    fn condition(&mut self, depth: u32) -> Exp {
        let op = ["<", "==", "<=", "!="][self.rng.below(4)];
        let parts = vec![self.whole(depth), self.whole(depth)];
        Exp::fill(&Ty::Prim(Prim::Bool), &format!("(@ {op} @)"), parts)
    }

    /// A lambda, whose body may apply what is in scope.
    fn closed_lambda(&mut self, depth: u32) -> Exp {
        let y = self.fresh("y");
        let body = self.under(&[(y.clone(), int())], |cx| cx.whole(depth));
        Exp::fill(&fun(), &format!("(\\{y} -> @)"), vec![body])
    }

    /// A function from number to number.
    fn closure(&mut self, depth: u32) -> Exp {
        self.fuel = self.fuel.saturating_sub(1);
        if self.one_in(4)
            && let Some(f) = self.variable(&fun())
        {
            return f;
        }
        if depth == 0 || self.fuel == 0 || self.one_in(4) {
            return self.closed_lambda(depth.min(1));
        }
        let depth = depth - 1;
        let has_row = self.env.iter().any(|(name, _)| name == "xs");
        match self.rng.below(12) {
            0 | 1 => {
                let parts = vec![self.condition(depth), self.closure(depth), self.closure(depth)];
                Exp::fill(&fun(), "(if @ then @ else @)", parts)
            }
            2 => {
                let parts =
                    vec![self.whole(depth), self.closure(depth), self.closure(depth), self.closure(depth)];
                Exp::fill(&fun(), "(match u32.i32 @ % 3 case 0 -> @ case 1 -> @ case _ -> @)", parts)
            }
            3 | 4 => {
                // What the loop hands on is applied once or twice in each step.
                let (f, i, y) = (self.fresh("g"), self.fresh("at"), self.fresh("y"));
                let first = self.closure(depth);
                let vars = [(i.clone(), int()), (y.clone(), int())];
                let number = self.under(&vars, |cx| cx.number(Prim::I32, 1));
                let step = [
                    format!("\\{y} -> {f} @"),
                    format!("\\{y} -> {f} {y} + @"),
                    format!("if {i} & 1 == 0 then \\{y} -> {f} ({f} {y} & 7) - @ else {f}"),
                    format!("let {y} = 4 in \\z -> {f} (z ^ @)"),
                ];
                let step = &step[self.rng.below(step.len())];
                let bound = self.whole(depth.min(1));
                let text = format!("(loop {f} = @ for {i} < (@ & 3) do ({step}))");
                Exp::fill(&fun(), &text, vec![first, bound, number])
            }
            5 => {
                let (r, y) = (self.fresh("r"), self.fresh("y"));
                let used = [
                    format!("if {r}.on then {r}.f else {r}.g"),
                    format!("\\{y} -> {r}.f ({r}.g {y})"),
                    format!("({r} with f = {r}.g).f"),
                ];
                let used = &used[self.rng.below(used.len())];
                let parts = vec![self.closure(depth), self.closure(depth), self.condition(depth)];
                Exp::fill(&fun(), &format!("(let {r} = {{f = @, g = @, on = @}} in {used})"), parts)
            }
            // Where nothing is captured, `chosen` is defined.
            6 | 7 if has_row || self.calls => {
                let choice = self.choice(depth, has_row);
                Exp::fill(&fun(), "(chosen @)", vec![choice])
            }
            8 if has_row && self.calls => {
                let x = self.whole(depth);
                Exp::fill(&fun(), "(build 2 @ xs)", vec![x])
            }
            9 if has_row && self.calls => {
                let y = self.fresh("y");
                let k = self.closure(depth);
                Exp::fill(&fun(), &format!("(\\{y} -> pass 2 {y} xs @)"), vec![k])
            }
            10 => {
                let (f, g, y) = (self.fresh("g"), self.fresh("g"), self.fresh("y"));
                let parts = vec![self.closure(depth), self.closure(depth)];
                Exp::fill(&fun(), &format!("((\\{f} {g} {y} -> {f} ({g} {y})) @ @)"), parts)
            }
            _ => {
                let f = self.fresh("g");
                let value = self.closure(depth);
                let rest = self.under(&[(f.clone(), fun())], |cx| cx.closure(depth));
                Exp::fill(&fun(), &format!("(let {f} = @ in @)"), vec![value, rest])
            }
        }
    }

    fn choice(&mut self, depth: u32, has_row: bool) -> Exp {
        let ty = CHOICE;
        match self.rng.below(if has_row { 5 } else { 4 }) {
            0 => {
                let parts = vec![self.condition(depth), self.closure(depth)];
                Exp::fill(&ty, "(if @ then #one @ else #none : choice)", parts)
            }
            1 => {
                let parts = vec![self.closure(depth), self.closure(depth)];
                Exp::fill(&ty, "((#two @ @) : choice)", parts)
            }
            2 | 3 => {
                let parts = vec![self.condition(depth), self.closure(depth), self.closure(depth)];
                Exp::fill(&ty, "(if @ then #one @ else #two (\\z -> z - 1) @ : choice)", parts)
            }
            _ => {
                let parts = vec![self.whole(depth), self.closure(depth)];
                let row = ["xs", "(map (+ 1) xs)", "xs[:m / 2]"][self.rng.below(3)];
                Exp::fill(&ty, &format!("(held @ {row} @)"), parts)
            }
        }
    }

    /// Arrays of functions, made one from another, and what they yield.
    fn closures_entry(&mut self, depth: u32, count: usize) -> Def {
        let ints = Ty::array(&Size::Named("n".into()), &int());
        let ret = Ty::Tuple(vec![ints.clone(), ints, int()]);
        let params = "(xss: [n][m]i32) (us: [n]i32) (ys: [m]i32) (s: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        self.calls = true;
        let scope = |more: &[(&str, Ty)]| -> Vec<(String, Ty)> {
            let all = [("s", int()), ("x", int()), ("xs", row_ty(Prim::I32)), ("m", Ty::Prim(Prim::I64))];
            all.iter().chain(more).map(|(name, ty)| (name.to_string(), ty.clone())).collect()
        };
        let mut parts = vec![self.under(&scope(&[]), |cx| cx.closure(depth + 1))];
        let mut last = self.fresh("fs");
        let mut text = format!("let {last} = map2 (\\xs x -> @) xss us ");
        for _ in 0..self.rng.below(count + 1) {
            let next = self.fresh("fs");
            let mut changed = |cx: &mut Gen| {
                let exp = cx.under(&scope(&[("f", fun())]), |cx| cx.closure(depth));
                parts.push(exp);
            };
            let step = match self.rng.below(8) {
                0 | 1 => {
                    changed(self);
                    format!("map3 (\\f xs x -> @) {last} xss us")
                }
                2 => format!("scan (\\f g -> \\y -> g (f y)) (\\y -> y) {last}"),
                3 => {
                    changed(self);
                    format!("(loop fs = {last} for i < 2i32 do map3 (\\f xs x -> @) fs xss us)")
                }
                4 => format!(
                    "(if n > 0 then copy {last} with [0] = (let f = {last}[n / 2] in \\y -> f (y + s)) else {last})"
                ),
                5 => format!(
                    "(let gs = filter (\\f -> f 3 > s) {last} in map (\\i -> if i < length gs then gs[i] else \\y -> y ^ s) (iota n))"
                ),
                6 => format!(
                    "map2 (\\f x -> let c: choice = if x < 4 then #one f else #two f (\\y -> y + x) in chosen c) {last} us"
                ),
                _ => format!("map (\\i -> {last}[(i * 7 + 3) % n]) (iota n)"),
            };
            text += &format!("let {next} = {step} ");
            last = next;
        }
        let column = match self.rng.below(4) {
            0 => {
                parts.push(self.under(&scope(&[]), |cx| cx.closure(depth)));
                "map2 (\\xs x -> pass (i64.i32 (x & 3)) x xs @) xss us".to_string()
            }
            1 => {
                parts.push(self.under(&scope(&[]), |cx| cx.whole(depth)));
                "map2 (\\xs x -> run (grow (i64.i32 (x & 7)) x xs) @) xss us".to_string()
            }
            2 => {
                parts.push(self.under(&scope(&[]), |cx| cx.closure(depth)));
                format!("map3 (\\f xs x -> turn (i64.i32 (x & 3)) x xs f @) {last} xss us")
            }
            _ => {
                parts.push(self.under(&scope(&[]), |cx| cx.whole(depth + 1)));
                "map2 (\\xs x -> @) xss us".to_string()
            }
        };
        let sum = match self.rng.below(4) {
            0 => format!("reduce (\\f g -> \\y -> g (f y)) (\\y -> y) {last} s"),
            1 => format!("i32.sum (map (\\f -> f s) {last})"),
            2 => format!("(if n > 0 then {last}[0] s else build 2 s ys s)"),
            _ => format!("(loop k = s for f in {last} do f k & 255)"),
        };
        text += &format!("in (map2 (\\f x -> f x) {last} us, {column}, {sum})");
        Def::new(head, Exp::fill(&ret, &format!("({text})"), parts))
    }
}
