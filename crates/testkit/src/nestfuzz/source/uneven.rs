//! Programs whose rows have lengths of their own and change them: loops in maps that run more often for some rows than for others,
//! and hand on rows that become shorter (filters, slices) or longer (concatenations), are overwritten, and are made in branches.
//!
//! ```text
//! unzip3 (map2 (\xs u ->
//!   let v1 = loop acc2 = xs for i3 < (i64.i32 u & 3) do filter (\x4 -> x4 > u) acc2 ++ cut 3 acc2
//!   let v5 = if length v1 > 2 then put v1 (i64.i32 u) 7i32 else xs
//!   in (v5, reduce (+) 0 v1, weigh v1 + ..)) xss us)
//! ```
//!
//! The sizes and levels are those of `rows`, and so is what makes numbers: each row `xs` has a row `full` of `m` elements beside it. All loops end
//! after a few steps, and no row becomes longer than `LONGEST`, so that loops in loops do not make rows of millions of elements.

use super::program::{Def, SourceProgram};
use super::rows::{operator, prim_of_row, row_ty};
use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// The most elements of a row that was assembled of others.
const LONGEST: i64 = 700;

/// What all programs use. Nothing is known of the length of a part, so that rows of which all have one length are rows of any length, too.
const FUNCTIONS: [&str; 6] = [
    "def cut [k] 'a (c: i64) (xs: [k]a) : ?[d].[d]a = if c < k then xs[:i64.max 0 c] else xs\n",
    "def behind [k] 'a (c: i64) (xs: [k]a) : ?[d].[d]a = if c < k then xs[i64.max 0 c:] else xs[k:]\n",
    "def put [k] 'a (xs: [k]a) (i: i64) (x: a) : *[k]a = if k > 0 then copy xs with [i % k] = x else copy xs\n",
    "def element [k] 'a (xs: [k]a) (i: i64) (other: a) : a = if k > 0 then xs[i % k] else other\n",
    "def numbered [k] 'a 'b (f: a -> i64 -> b) (xs: [k]a) : [k]b = map2 f xs (iota k)\n",
    "def weigh [k] (xs: [k]i64) : i64 = k + i64.sum (map2 (\\x j -> x * (j + 1)) xs (iota k))\n",
];

/// The program of a seed; `scale` says how large it is, about.
pub fn uneven_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen { plain: true, ..Gen::of_rows(seed, 10 + 2 * scale) };
    let entry = cx.uneven_entry();
    let fixed = FUNCTIONS.iter().map(|text| text.to_string()).collect();
    SourceProgram::of(Rc::new(cx), fixed, vec![entry])
}

fn uneven_ty(prim: Prim) -> Ty {
    Ty::array(&Size::Any, &Ty::Prim(prim))
}

/// A number in which each element of these values counts, at its place.
fn weight(named: &[(String, Ty)]) -> Exp {
    let number = |prim: Prim, name: &str| match prim.is_float() {
        true => format!("i64.bool ({name} > 3)"),
        false => format!("i64.{} {name}", prim.name()),
    };
    let one = |(name, ty): &(String, Ty)| match (ty, prim_of_row(ty)) {
        (_, Some(prim)) => format!("weigh (map (\\x -> {}) {name})", number(prim, "x")),
        (Ty::Prim(prim), None) => number(*prim, name),
        _ => "0".into(),
    };
    let parts: Vec<String> = named.iter().map(one).collect();
    Exp::text(&Ty::Prim(Prim::I64), format!("({})", parts.join(" + 31 * ")))
}

impl Gen {
    fn uneven_entry(&mut self) -> Def {
        let (a, b) = (self.row_prim(), self.row_prim());
        let of = |ty: &Ty| Ty::array(&Size::Named("n".into()), ty);
        let ret = Ty::Tuple(vec![of(&uneven_ty(a)), of(&Ty::Prim(b)), of(&Ty::Prim(Prim::I64))]);
        let params = "(fulls: [n][m]i32) (rows: [n][?]i32) (us: [n]i32) (ws: [m]i64) (s: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        let vars = [
            ("ws", row_ty(Prim::I64)),
            ("s", Ty::Prim(Prim::I32)),
            ("m", Ty::Prim(Prim::I64)),
            ("full", row_ty(Prim::I32)),
            ("xs", uneven_ty(Prim::I32)),
            ("u", Ty::Prim(Prim::I32)),
        ];
        let vars = vars.map(|(name, ty)| (name.to_string(), ty));
        let yielded = [uneven_ty(a), Ty::Prim(b)];
        let result = self.inside(&vars, |cx| {
            let count = 1 + cx.rng.below(3);
            cx.uneven_statements(&yielded, count, &mut Vec::new())
        });
        // The rows are long, or short and some of them empty.
        let rows = match self.rng.below(4) {
            0 => "rows".to_string(),
            1 => "(map2 (\\full u -> cut (i64.i32 u % (m + 1)) full) fulls us)".into(),
            2 => "(map2 (\\full u -> filter (\\x -> x % 7 > u % 7) full) fulls us)".into(),
            _ => {
                "(map3 (\\full (xs: []i32) u -> if u > 2 then cut 40 full else xs ++ cut 3 full) fulls rows us)".into()
            }
        };
        let body = match self.rng.below(5) {
            0 => {
                let step = self.inside(&vars, |cx| cx.uneven(Prim::I32, 4));
                let rounds = self.rng.below(4);
                let text = format!(
                    "(let rows = loop (rows: [n][?]i32) = {rows} for _t < {rounds} do map3 (\\full (xs: []i32) u -> @) fulls rows us in unzip3 (map3 (\\full (xs: []i32) u -> @) fulls rows us))"
                );
                Exp::fill(&ret, &text, vec![step, result])
            }
            1 => {
                let text = format!(
                    "(let rows = {rows} in unzip3 (map (\\l -> let full = fulls[l] let xs = rows[l] let u = us[l] in @) (iota n)))"
                );
                Exp::fill(&ret, &text, vec![result])
            }
            2 => {
                let text = format!(
                    "(let (a, b, c) = unzip3 (flatten (map3 (\\full (xs: []i32) v -> map (\\l -> let u = v + i32.i64 l in @) (iota 2)) fulls {rows} us)) in (a[:n], b[:n], c[:n]))"
                );
                Exp::fill(&ret, &text, vec![result])
            }
            _ => {
                let text = format!("(unzip3 (map3 (\\full (xs: []i32) u -> @) fulls {rows} us))");
                Exp::fill(&ret, &text, vec![result])
            }
        };
        Def::new(head, body)
    }

    /// So many values with names, and then a tuple of these types and a digest of what has a name.
    fn uneven_statements(&mut self, result: &[Ty; 2], count: usize, named: &mut Vec<(String, Ty)>) -> Exp {
        let ty = Ty::Tuple(result.iter().cloned().chain([Ty::Prim(Prim::I64)]).collect());
        if count == 0 {
            let mut parts: Vec<Exp> = result.iter().map(|ty| self.uneven_value(ty, 3)).collect();
            parts.push(weight(named));
            return Exp::fill(&ty, "(cut 1000 @, @, @)", parts);
        }
        let prim = self.row_prim();
        let own = if self.one_in(4) { Ty::Prim(prim) } else { uneven_ty(prim) };
        let name = self.fresh("v");
        let value = self.uneven_value(&own, 5);
        named.push((name.clone(), own.clone()));
        let rest = self.under(&[(name.clone(), own)], |cx| cx.uneven_statements(result, count - 1, named));
        Exp::fill(&ty, &format!("(let {name} = @ in @)"), vec![value, rest])
    }

    fn uneven_value(&mut self, ty: &Ty, depth: u32) -> Exp {
        match (ty, prim_of_row(ty)) {
            (Ty::Prim(prim), _) => self.number_of_uneven(*prim, depth),
            (_, Some(prim)) => self.uneven(prim, depth),
            (_, None) => self.simplest(ty),
        }
    }

    /// A row of any length.
    fn uneven(&mut self, prim: Prim, depth: u32) -> Exp {
        self.fuel = self.fuel.saturating_sub(1);
        let depth = if self.fuel == 0 { 0 } else { depth };
        let ty = uneven_ty(prim);
        if depth == 0 || self.one_in(8) {
            if let Some(found) = self.variable(&ty) {
                return found;
            }
            let xs = self.variable(&uneven_ty(Prim::I32)).expect("a row of these is always there");
            let x = self.fresh("x");
            let converted = self.conversion(prim, Prim::I32, Exp::text(&Ty::Prim(Prim::I32), &x));
            return Exp::fill(&ty, &format!("(map (\\{x} -> @) @)"), vec![converted, xs]);
        }
        let depth = depth - 1;
        match self.rng.below(24) {
            0..=2 => {
                let x = self.fresh("x");
                let keeps = self.inside(&[(x.clone(), Ty::Prim(prim))], |cx| cx.number(Prim::Bool, depth));
                Exp::fill(&ty, &format!("(filter (\\{x} -> @) @)"), vec![keeps, self.uneven(prim, depth)])
            }
            3 | 4 => {
                let parts = vec![self.uneven(prim, depth), self.uneven(prim, depth)];
                Exp::fill(&ty, &format!("(cut {LONGEST} (@ ++ @))"), parts)
            }
            5 | 6 => {
                let side = ["cut", "behind"][self.rng.below(2)];
                let parts = vec![self.length(depth), self.uneven(prim, depth)];
                Exp::fill(&ty, &format!("({side} @ @)"), parts)
            }
            7 | 8 => self.changed_elements(prim, depth),
            9..=12 => self.varying(&ty, depth),
            13 | 14 => {
                let parts = vec![
                    self.number_of_uneven(Prim::Bool, depth),
                    self.uneven(prim, depth),
                    self.uneven(prim, depth),
                ];
                Exp::fill(&ty, "(if @ then @ else @)", parts)
            }
            15..=17 => self.overwritten_uneven(prim, depth),
            18 => {
                let choice = self.rng.below(6);
                let (op, neutral) = operator(prim, choice);
                Exp::fill(&ty, &format!("(scan {op} {neutral} @)"), vec![self.uneven(prim, depth)])
            }
            19 => {
                let text = ["(reverse @)", "(rotate 1 @)", "(let ys = @ in ys[::2])"][self.rng.below(3)];
                Exp::fill(&ty, text, vec![self.uneven(prim, depth)])
            }
            20 => {
                let j = self.fresh("j");
                let body = self.inside(&[(j.clone(), Ty::Prim(Prim::I64))], |cx| cx.number(prim, depth));
                Exp::fill(&ty, &format!("(tabulate @ (\\{j} -> @))"), vec![self.length(depth), body])
            }
            21 if self.level < 2 => {
                let x = self.fresh("x");
                let row = self.inside(&[(x.clone(), Ty::Prim(prim))], |cx| cx.uneven(prim, depth.min(2)));
                let text =
                    format!("(cut {LONGEST} (irregular.flatten (map (\\{x} -> cut {LONGEST} @) (cut 5 @))))");
                Exp::fill(&ty, &text, vec![row, self.uneven(prim, depth)])
            }
            _ => {
                let parts = vec![self.length(depth), self.row(prim, depth)];
                Exp::fill(&ty, "(cut @ @)", parts)
            }
        }
    }

    /// Each element by itself, with its number or with another row.
    fn changed_elements(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = uneven_ty(prim);
        let from = self.row_prim();
        let (x, j) = (self.fresh("x"), self.fresh("j"));
        let vars = [(x.clone(), Ty::Prim(from)), (j.clone(), Ty::Prim(Prim::I64))];
        let body = self.inside(&vars, |cx| cx.number(prim, depth));
        if self.one_in(2) {
            let parts = vec![body, self.uneven(from, depth)];
            return Exp::fill(&ty, &format!("(numbered (\\{x} {j} -> @) @)"), parts);
        }
        let ys = self.fresh("ys");
        let step = self.rng.below(9);
        let parts = vec![self.uneven(from, depth), body];
        let text = format!(
            "(let {ys} = @ in numbered (\\_ {j} -> let {x} = element {ys} ({j} + {step}) {ys}[{j}] in @) {ys})"
        );
        Exp::fill(&ty, &text, parts)
    }

    /// A loop that runs more often for some rows, and hands on rows of other lengths, alone or with another value.
    fn varying(&mut self, ty: &Ty, depth: u32) -> Exp {
        let (acc, i) = (self.fresh("acc"), self.fresh("i"));
        let i64 = Ty::Prim(Prim::I64);
        let counter = (i.clone(), i64.clone());
        let prim = self.row_prim();
        let other = [Ty::Prim(prim), uneven_ty(prim), row_ty(prim)][self.rng.below(3)].clone();
        let value = |cx: &mut Gen, ty: &Ty| match ty {
            Ty::Array(Size::Named(_), _) => cx.row(prim, depth),
            _ => cx.uneven_value(ty, depth),
        };
        let second = self.fresh("acc");
        let single = self.one_in(2);
        let mut vars = vec![(acc.clone(), ty.clone()), counter];
        if !single {
            vars.push((second.clone(), other.clone()));
        }
        // The body comes first: what is drawn last is often no more than a variable.
        let mut next = vec![self.under(&vars, |cx| cx.uneven_value(ty, depth))];
        if !single {
            next.push(self.under(&vars, |cx| value(cx, &other)));
        }
        let counts = self.one_in(2);
        let test = match (counts, self.rng.below(3)) {
            (true, 0) => Exp::text(&i64, self.rng.below(4).to_string()),
            (true, _) => Exp::fill(&i64, "(@ & 3)", vec![self.number_of_uneven(Prim::I64, depth.min(2))]),
            (false, _) => self.under(&vars, |cx| cx.number_of_uneven(Prim::Bool, depth.min(3))),
        };
        let mut parts = vec![self.uneven_value(ty, depth)];
        if !single {
            parts.push(value(self, &other));
        }
        parts.push(test);
        parts.extend(next);
        let most = 1 + self.rng.below(5);
        let text = match (counts, single) {
            (true, true) => format!("(loop {acc} = @ for {i} < @ do @)"),
            (true, false) => format!("((loop ({acc}, {second}) = (@, @) for {i} < @ do (@, @)).0)"),
            (false, true) => {
                format!("((loop ({acc}, {i}) = (@, 0i64) while {i} < {most} && @ do (@, {i} + 1)).0)")
            }
            (false, false) => format!(
                "((loop ({acc}, {second}, {i}) = (@, @, 0i64) while {i} < {most} && @ do (@, @, {i} + 1)).0)"
            ),
        };
        Exp::fill(ty, &text, parts)
    }

    /// Elements and parts of a copy are overwritten, once or in a loop, or not at all.
    fn overwritten_uneven(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = uneven_ty(prim);
        let name = prim.name();
        let (ys, i) = (self.fresh("ys"), self.fresh("i"));
        let own = self.uneven(prim, depth);
        match self.rng.below(6) {
            0 => {
                let parts = vec![own, self.index(depth), self.number(prim, depth)];
                Exp::fill(&ty, "(put @ @ @)", parts)
            }
            1 => {
                let vars = [(i.clone(), Ty::Prim(Prim::I64)), (ys.clone(), ty.clone())];
                let step = 1 + self.rng.below(9);
                let bound = self.bound(depth);
                let value = self.under(&vars, |cx| cx.number_of_uneven(prim, depth));
                let text = format!(
                    "(let [k] ({ys}: [k]{name}) = @ in loop ({ys}: *[k]{name}) = copy {ys} for {i} < @ do (if k > 0 then {ys} with [({i} * {step}) % k] = @ else {ys}))"
                );
                Exp::fill(&ty, &text, vec![own, bound, value])
            }
            2 => {
                let parts = vec![own, self.uneven(prim, depth)];
                let text = format!(
                    "(let zs = @ let {ys} = copy @ let h = i64.min (length zs) (length {ys}) in {ys} with [:h] = (zs[length zs - h:] :> [h]{name}))"
                );
                Exp::fill(&ty, &text, parts)
            }
            3 => {
                let parts = vec![self.number_of_uneven(Prim::Bool, depth), own, self.number(prim, depth)];
                let text = format!(
                    "(let c = @ let {ys} = copy @ in if c && length {ys} > 1 then {ys} with [1] = @ else {ys})"
                );
                Exp::fill(&ty, &text, parts)
            }
            4 => {
                let step = ["j * 2", "j + 3", "length ys - 1 - j"][self.rng.below(3)];
                let parts = vec![own, self.uneven(prim, depth)];
                let text = format!(
                    "(let ys = @ let zs = @ in scatter (copy ys) (numbered (\\_ j -> {step}) zs) zs)"
                );
                Exp::fill(&ty, &text, parts)
            }
            _ => {
                let choice = self.rng.below(5);
                let (op, neutral) = operator(prim, choice);
                let op = if op.starts_with("(\\") { "(|)".to_string() } else { op };
                let parts = vec![own, self.uneven(prim, depth)];
                let text = format!(
                    "(let zs = @ in reduce_by_index (copy @) {op} {neutral} (numbered (\\_ j -> j % 13) zs) zs)"
                );
                Exp::fill(&ty, &text, parts)
            }
        }
    }

    /// How long a row becomes.
    fn length(&mut self, depth: u32) -> Exp {
        let ty = Ty::Prim(Prim::I64);
        let most = [3, 9, 40, 150][self.rng.below(4)];
        match self.rng.below(3) {
            0 => Exp::text(&ty, self.rng.below(most).to_string()),
            1 => {
                Exp::fill(&ty, &format!("(@ % {most})"), vec![self.number_of_uneven(Prim::I64, depth.min(2))])
            }
            _ => Exp::fill(&ty, "(length @ / 2)", vec![self.uneven(Prim::I32, depth.min(1))]),
        }
    }

    /// A number made of a row of any length, where that is not too deep, or of anything else.
    fn number_of_uneven(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = Ty::Prim(prim);
        if depth == 0 || self.level > 2 || self.one_in(3) {
            return self.number(prim, depth);
        }
        let depth = depth - 1;
        match self.rng.below(7) {
            0 | 1 if prim == Prim::I64 => {
                let from = self.row_prim();
                Exp::fill(&ty, "(length @)", vec![self.uneven(from, depth)])
            }
            0 | 1 if prim == Prim::Bool => {
                let from = self.row_prim();
                let than = self.rng.below(6);
                Exp::fill(&ty, &format!("(length @ > {than})"), vec![self.uneven(from, depth)])
            }
            2 | 3 => {
                let parts = vec![self.uneven(prim, depth), self.index(depth), self.number(prim, 0)];
                Exp::fill(&ty, "(element @ @ @)", parts)
            }
            4 => self.varying(&ty, depth),
            k => {
                let (op, neutral) = operator(prim, k + self.names as usize);
                Exp::fill(&ty, &format!("(reduce {op} {neutral} @)"), vec![self.uneven(prim, depth)])
            }
        }
    }
}
