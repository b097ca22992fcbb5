//! Programs for groups of threads: maps over few rows, whose bodies hold loops, branches and operators over all elements of a row.
//!
//! ```text
//! unzip4 (map2 (\xs u ->
//!   let r1 = loop acc2 = scan (+) 0 xs for i3 < 3 do rotate 1 (map2 (+) acc2 xs)
//!   let s4 = reduce i32.max i32.lowest r1
//!   in (r1, s4, if s4 > u then map (\x -> x ^ s4) xs else copy xs, digest)) xss us)
//! ```
//!
//! There are two sizes, `n` rows of `m` elements, and three levels: outside (0), for a row (1), for an element (2 and more). Results do
//! not depend on the order in which operators combine: floats are small whole numbers, and no place is written twice.
//! A digest of all values that have names makes each of them needed.

use super::program::{Def, SourceProgram};
use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// What elements are. The first are more likely.
const PRIMS: [Prim; 8] =
    [Prim::I32, Prim::I64, Prim::Bool, Prim::F64, Prim::U8, Prim::F32, Prim::I16, Prim::U32];

/// The program of a seed; `scale` says how large it is, about.
pub fn rows_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen::of_rows(seed, 10 + 2 * scale);
    cx.plain = !cx.one_in(4);
    let entry = cx.rows_entry();
    SourceProgram::of(Rc::new(cx), Vec::new(), vec![entry])
}

pub(super) fn row_ty(prim: Prim) -> Ty {
    Ty::array(&Size::Named("m".into()), &Ty::Prim(prim))
}

/// An associative operator on these numbers, with its neutral element, whose results are exact.
pub(super) fn operator(prim: Prim, choice: usize) -> (String, String) {
    let name = prim.name();
    let list = match prim {
        Prim::Bool => vec![("(&&)".to_string(), "true".to_string()), ("(||)".into(), "false".into())],
        Prim::F32 | Prim::F16 => vec![
            (format!("{name}.max"), format!("(-{name}.inf)")),
            (format!("{name}.min"), format!("{name}.inf")),
        ],
        Prim::F64 => vec![("(+)".into(), "0f64".into()), ("f64.max".into(), "(-f64.inf)".into())],
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => vec![
            ("(+)".into(), format!("0{name}")),
            ("(*)".into(), format!("1{name}")),
            ("(^)".into(), format!("0{name}")),
            (format!("{name}.max"), format!("{name}.lowest")),
            (format!("{name}.min"), format!("{name}.highest")),
            // The first of two that are not 0: it does not commute.
            (format!("(\\a b -> if a != 0{name} then a else b)"), format!("0{name}")),
        ],
    };
    list[choice % list.len()].clone()
}

fn prim_of(ty: &Ty) -> Option<Prim> {
    if let Ty::Prim(prim) = ty { Some(*prim) } else { None }
}

pub(super) fn prim_of_row(ty: &Ty) -> Option<Prim> {
    if let Ty::Array(_, elem) = ty { prim_of(elem) } else { None }
}

/// A number in which each element of these values counts, at its place.
fn digest(named: &[(String, Ty)]) -> Exp {
    let number = |prim: Prim, name: &str| match prim.is_float() {
        true => format!("i64.bool ({name} > 3)"),
        false => format!("i64.{} {name}", prim.name()),
    };
    let one = |(name, ty): &(String, Ty)| match (prim_of(ty), prim_of_row(ty)) {
        (Some(prim), _) => number(prim, name),
        (_, Some(prim)) => {
            format!("i64.sum (map2 (\\x j -> ({}) * (j + 1)) {name} (iota m))", number(prim, "x"))
        }
        (None, None) => "0".into(),
    };
    let parts: Vec<String> = named.iter().map(one).collect();
    Exp::text(&Ty::Prim(Prim::I64), format!("({})", parts.join(" + 31 * ")))
}

impl Gen {
    fn rows_entry(&mut self) -> Def {
        let of_rows = |prim: Prim| Ty::array(&Size::Named("n".into()), &row_ty(prim));
        let of_numbers = |prim: Prim| Ty::array(&Size::Named("n".into()), &Ty::Prim(prim));
        let (a, b, c) = (self.row_prim(), self.row_prim(), self.row_prim());
        let ret = Ty::Tuple(vec![of_rows(a), of_numbers(b), of_rows(c), of_numbers(Prim::I64)]);
        let params = "(xss: [n][m]i32) (us: [n]i32) (ws: [m]i64) (s: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        let shared = [
            ("ws".to_string(), row_ty(Prim::I64)),
            ("s".to_string(), Ty::Prim(Prim::I32)),
            ("m".to_string(), Ty::Prim(Prim::I64)),
        ];
        let own = [("xs".to_string(), row_ty(Prim::I32)), ("u".to_string(), Ty::Prim(Prim::I32))];
        let vars: Vec<(String, Ty)> = shared.into_iter().chain(own).collect();
        let yielded = [row_ty(a), Ty::Prim(b), row_ty(c)];
        let result = |cx: &mut Gen| {
            cx.inside(&vars, |cx| {
                let count = 1 + cx.rng.below(4);
                cx.row_statements(&yielded, count, &mut Vec::new())
            })
        };
        let body = match self.rng.below(6) {
            0 => {
                let parts = vec![result(self)];
                let text = "(unzip4 (map (\\i -> let xs = xss[i] let u = us[i] in @) (iota n)))";
                Exp::fill(&ret, text, parts)
            }
            1 => {
                let first = self.inside(&vars, |cx| cx.row(Prim::I32, 4));
                let parts = vec![first, result(self)];
                let rounds = self.rng.below(4);
                let text = format!(
                    "(let xss = loop xss for _t < {rounds} do map2 (\\xs u -> @) xss us in unzip4 (map2 (\\xs u -> @) xss us))"
                );
                Exp::fill(&ret, &text, parts)
            }
            2 => {
                let parts = vec![result(self)];
                let text = "(let (a, b, c, d) = unzip4 (flatten (map2 (\\xs v -> map (\\l -> let u = v + i32.i64 l in @) (iota 2)) xss us)) in (a[:n], b[:n], c[:n], d[:n]))";
                Exp::fill(&ret, text, parts)
            }
            _ => Exp::fill(&ret, "(unzip4 (map2 (\\xs u -> @) xss us))", vec![result(self)]),
        };
        Def::new(head, body)
    }

    pub(super) fn row_prim(&mut self) -> Prim {
        let reach = if self.one_in(2) { 2 } else { PRIMS.len() };
        PRIMS[self.rng.below(reach)]
    }

    /// So many values with names, and then a tuple of these types and a digest of what has a name.
    pub(super) fn row_statements(
        &mut self,
        result: &[Ty; 3],
        count: usize,
        named: &mut Vec<(String, Ty)>,
    ) -> Exp {
        let ty = Ty::Tuple(result.iter().cloned().chain([Ty::Prim(Prim::I64)]).collect());
        if count == 0 {
            let mut parts: Vec<Exp> = result.iter().map(|ty| self.row_value(ty, 2)).collect();
            parts.push(digest(named));
            return Exp::fill(&ty, "(@, @, @, @)", parts);
        }
        let prim = self.row_prim();
        let own = if self.one_in(3) { Ty::Prim(prim) } else { row_ty(prim) };
        let name = self.fresh("v");
        let value = self.row_value(&own, 5);
        named.push((name.clone(), own.clone()));
        let rest = self.under(&[(name.clone(), own)], |cx| cx.row_statements(result, count - 1, named));
        Exp::fill(&ty, &format!("(let {name} = @ in @)"), vec![value, rest])
    }

    /// A row or a number.
    fn row_value(&mut self, ty: &Ty, depth: u32) -> Exp {
        match prim_of(ty) {
            Some(prim) => self.number(prim, depth),
            None => self.row(prim_of_row(ty).expect("values are rows and numbers"), depth),
        }
    }

    /// A row of `m` elements, for a row.
    pub(super) fn row(&mut self, prim: Prim, depth: u32) -> Exp {
        self.fuel = self.fuel.saturating_sub(1);
        let depth = if self.fuel == 0 { 0 } else { depth };
        let ty = row_ty(prim);
        if depth == 0 || self.one_in(6) {
            if let Some(found) = self.variable(&ty) {
                return found;
            }
            let from = [Prim::I32, Prim::I64][self.rng.below(2)];
            let xs = self.variable(&row_ty(from)).expect("rows of these are always there");
            let x = self.fresh("x");
            let converted = self.conversion(prim, from, Exp::text(&Ty::Prim(from), &x));
            return Exp::fill(&ty, &format!("(map (\\{x} -> @) @)"), vec![converted, xs]);
        }
        let depth = depth - 1;
        match self.rng.below(27) {
            0 | 1 => self.mapped(prim, depth),
            2 | 3 => self.gathered(prim, depth),
            4 | 5 => {
                let choice = self.rng.below(6);
                let (op, neutral) = operator(prim, choice);
                Exp::fill(&ty, &format!("(scan {op} {neutral} @)"), vec![self.row(prim, depth)])
            }
            6 => self.segmented_scan(prim, depth),
            7 => {
                let amount = self.index(depth);
                Exp::fill(&ty, "(rotate (@ % 77) @)", vec![amount, self.row(prim, depth)])
            }
            8 => Exp::fill(&ty, "(reverse @)", vec![self.row(prim, depth)]),
            9 | 10 => {
                let parts =
                    vec![self.number(Prim::Bool, depth), self.row(prim, depth), self.row(prim, depth)];
                Exp::fill(&ty, "(if @ then @ else @)", parts)
            }
            11..=15 if self.is_host() => self.carried(&ty, depth),
            11..=13 => self.counted(&ty, depth),
            14 | 15 => self.tested(&ty, depth),
            16 | 17 => self.overwritten(prim, depth),
            18 => self.scattered_row(prim, depth),
            19 if !self.plain => self.histogram(prim, depth),
            20 if !self.plain => self.filtered(prim, depth),
            21 | 22 => self.joined(prim, depth),
            23 => self.transposed(prim, depth),
            25 if self.is_host() && self.one_in(2) => self.row_of_matrix(prim, depth),
            25 => self.ordered(prim, depth),
            24 => {
                let other = self.row_prim();
                let from = self.row_prim();
                let x = self.fresh("x");
                let vars = [(x.clone(), Ty::Prim(from))];
                let one = self.inside(&vars, |cx| cx.number(prim, depth));
                let two = self.inside(&vars, |cx| cx.number(other, depth));
                let parts = vec![one, two, self.row(from, depth)];
                Exp::fill(&ty, &format!("((unzip (map (\\{x} -> (@, @)) @)).0)"), parts)
            }
            _ => Exp::fill(&ty, "(replicate m @)", vec![self.number(prim, depth)]),
        }
    }

    fn mapped(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = row_ty(prim);
        let (from, other) = (self.row_prim(), self.row_prim());
        let (x, y) = (self.fresh("x"), self.fresh("y"));
        let vars = [(x.clone(), Ty::Prim(from)), (y.clone(), Ty::Prim(other))];
        let body = self.inside(&vars, |cx| cx.number(prim, depth));
        let parts = vec![body, self.row(from, depth), self.row(other, depth)];
        Exp::fill(&ty, &format!("(map2 (\\{x} {y} -> @) @ @)"), parts)
    }

    /// Elements by their number.
    fn gathered(&mut self, prim: Prim, depth: u32) -> Exp {
        let j = self.fresh("j");
        let xs = self.fresh("xs");
        let source = self.row(prim, depth);
        let vars = [(j.clone(), Ty::Prim(Prim::I64)), (xs.clone(), row_ty(prim))];
        let body = self.inside(&vars, |cx| {
            let step = cx.rng.below(40);
            let index =
                [format!("({j} + {step}) % m"), format!("m - 1 - {j}"), format!("({j} * {step}) % m")];
            let element = Exp::text(&Ty::Prim(prim), format!("({xs}[{}])", index[cx.rng.below(3)]));
            let other = cx.number(prim, depth);
            cx.combined(prim, element, other)
        });
        let text = format!("(let {xs} = @ in map (\\{j} -> @) (iota m))");
        Exp::fill(&row_ty(prim), &text, vec![source, body])
    }

    fn segmented_scan(&mut self, prim: Prim, depth: u32) -> Exp {
        let choice = self.rng.below(5);
        let (op, neutral) = operator(prim, choice);
        let op = if op.starts_with("(\\") { "(|)".to_string() } else { op };
        let parts = vec![self.row(prim, depth), self.row(Prim::Bool, depth)];
        let text = format!(
            "((unzip (scan (\\(a, f) (b, g) -> (if g then b else {op} a b, f || g)) ({neutral}, false) (zip @ @))).0)"
        );
        Exp::fill(&row_ty(prim), &text, parts)
    }

    /// A loop that counts, over one value or two.
    fn counted(&mut self, ty: &Ty, depth: u32) -> Exp {
        let (acc, i) = (self.fresh("acc"), self.fresh("i"));
        let bound = self.bound(depth);
        let counter = (i.clone(), Ty::Prim(Prim::I64));
        if self.one_in(2) {
            let body = self.under(&[(acc.clone(), ty.clone()), counter], |cx| cx.row_value(ty, depth));
            let parts = vec![self.row_value(ty, depth), bound, body];
            return Exp::fill(ty, &format!("(loop {acc} = @ for {i} < @ do @)"), parts);
        }
        let prim = self.row_prim();
        let other = if self.one_in(2) { Ty::Prim(prim) } else { row_ty(prim) };
        let second = self.fresh("acc");
        let vars = [(acc.clone(), ty.clone()), (second.clone(), other.clone()), counter];
        let one = self.under(&vars, |cx| cx.row_value(ty, depth));
        let two = self.under(&vars, |cx| cx.row_value(&other, depth));
        let parts = vec![self.row_value(ty, depth), self.row_value(&other, depth), bound, one, two];
        let text = format!("((loop ({acc}, {second}) = (@, @) for {i} < @ do (@, @)).0)");
        Exp::fill(ty, &text, parts)
    }

    /// A loop that tests what it has made.
    fn tested(&mut self, ty: &Ty, depth: u32) -> Exp {
        let (acc, t) = (self.fresh("acc"), self.fresh("t"));
        let vars = [(acc.clone(), ty.clone()), (t.clone(), Ty::Prim(Prim::I64))];
        let cond = self.under(&vars, |cx| cx.number(Prim::Bool, depth));
        let body = self.under(&vars, |cx| cx.row_value(ty, depth));
        let parts = vec![self.row_value(ty, depth), cond, body];
        let most = 1 + self.rng.below(5);
        let text = format!("((loop ({acc}, {t}) = (@, 0i64) while {t} < {most} && @ do (@, {t} + 1)).0)");
        Exp::fill(ty, &text, parts)
    }

    /// How often a loop runs: always as often, or more often for some rows.
    pub(super) fn bound(&mut self, depth: u32) -> Exp {
        let ty = Ty::Prim(Prim::I64);
        if self.one_in(2) {
            return Exp::text(&ty, self.rng.below(5).to_string());
        }
        Exp::fill(&ty, "(@ & 3)", vec![self.number(Prim::I64, depth.min(1))])
    }

    fn overwritten(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = row_ty(prim);
        let (ys, i) = (self.fresh("ys"), self.fresh("i"));
        match self.rng.below(4) {
            0 => {
                let parts = vec![self.row(prim, depth), self.index(depth), self.number(prim, depth)];
                let text = format!("(let {ys} = copy @ in if m > 0 then {ys} with [@ % m] = @ else {ys})");
                Exp::fill(&ty, &text, parts)
            }
            1 => {
                let name = prim.name();
                let initial = self.row(prim, depth);
                let bound = self.bound(depth);
                let vars = [(i.clone(), Ty::Prim(Prim::I64))];
                let value = self.under(&vars, |cx| cx.number(prim, depth));
                let step = self.rng.below(50);
                let text = format!(
                    "(loop ({ys}: *[m]{name}) = copy @ for {i} < @ do (if m > 0 then {ys} with [({i} * {step}) % m] = @ else {ys}))"
                );
                Exp::fill(&ty, &text, vec![initial, bound, value])
            }
            2 => {
                let parts = vec![self.row(prim, depth), self.row(prim, depth)];
                let text = format!(
                    "(let h = m / 2 let {ys} = copy @ in {ys} with [:h] = (@[m - h:] :> [h]{}))",
                    prim.name()
                );
                Exp::fill(&ty, &text, parts)
            }
            _ => {
                let parts = vec![self.row(prim, depth), self.row(prim, depth)];
                let text =
                    format!("(let h = m / 3 let zs = copy @ let {ys} = copy @ in {ys} with [h:] = zs[h:])");
                Exp::fill(&ty, &text, parts)
            }
        }
    }

    fn scattered_row(&mut self, prim: Prim, depth: u32) -> Exp {
        let parts = vec![self.row(prim, depth), self.row(prim, depth)];
        let k = self.rng.below(20);
        let step = [
            format!("j + {k}"),
            "m - 1 - j".into(),
            format!("(j + {k}) % m"),
            "j * 2".into(),
            format!("j - {k}"),
        ][self.rng.below(5)]
        .clone();
        Exp::fill(&row_ty(prim), &format!("(scatter (copy @) (map (\\j -> {step}) (iota m)) @)"), parts)
    }

    /// As many bins as elements, or few.
    fn histogram(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = row_ty(prim);
        let choice = self.rng.below(5);
        let (op, neutral) = operator(prim, choice);
        let op = if op.starts_with("(\\") { "(|)".to_string() } else { op };
        let indices = self.row(Prim::I64, depth);
        let values = self.row(prim, depth);
        if self.one_in(2) {
            let parts = vec![self.row(prim, depth), indices, values];
            let text = format!("(reduce_by_index (copy @) {op} {neutral} (map (% 90) @) @)");
            return Exp::fill(&ty, &text, parts);
        }
        let bins = [1, 7, 64, 300][self.rng.below(4)];
        let text = format!(
            "(let h = hist {op} {neutral} {bins} (map (% {bins}) @) @ in map (\\j -> h[j % {bins}]) (iota m))"
        );
        Exp::fill(&ty, &text, vec![indices, values])
    }

    fn filtered(&mut self, prim: Prim, depth: u32) -> Exp {
        let (x, fs) = (self.fresh("x"), self.fresh("fs"));
        let keeps = self.inside(&[(x.clone(), Ty::Prim(prim))], |cx| cx.number(Prim::Bool, depth));
        let parts = vec![keeps, self.row(prim, depth), self.number(prim, 0)];
        let text = format!(
            "(let {fs} = filter (\\{x} -> @) @ in map (\\j -> if j < length {fs} then {fs}[j] else @) (iota m))"
        );
        Exp::fill(&row_ty(prim), &text, parts)
    }

    fn joined(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = row_ty(prim);
        let name = prim.name();
        let (one, two) = (self.row(prim, depth), self.row(prim, depth));
        let c = self.fresh("c");
        let text = match self.rng.below(3) {
            0 => "((@ ++ @)[:m])".to_string(),
            1 => format!(
                "(let {c} = i64.min {} m in ((@[{c}:] ++ @[:{c}]) :> [m]{name}))",
                self.rng.below(100)
            ),
            _ => format!("(let {c} = m - m / 3 in ((@[:{c}] ++ @[{c}:]) :> [m]{name}))"),
        };
        Exp::fill(&ty, &text, vec![one, two])
    }

    /// The row as a matrix: transposed, or an operator on each of its rows.
    fn transposed(&mut self, prim: Prim, depth: u32) -> Exp {
        let name = prim.name();
        let k = 2 + self.rng.below(19);
        let (q, xss) = (self.fresh("q"), self.fresh("xss"));
        let choice = self.rng.below(6);
        let (op, neutral) = operator(prim, choice);
        let parts = vec![self.row(prim, depth), self.row(prim, depth)];
        let matrix = format!(
            "let {q} = m / {k} let {xss} = (unflatten (@[:{q} * {k}] :> [{q} * {k}]{name}) : [{q}][{k}]{name})"
        );
        let made = match self.rng.below(if self.plain { 1 } else { 4 }) {
            0 => format!("flatten (transpose {xss})"),
            1 => format!("flatten (map (scan {op} {neutral}) {xss})"),
            2 => format!("map (reduce {op} {neutral}) {xss}"),
            _ => format!("map (reduce {op} {neutral}) (transpose {xss})"),
        };
        let text = format!("({matrix} let made = {made} in ((made ++ @)[:m]))");
        Exp::fill(&row_ty(prim), &text, parts)
    }

    /// Any number, to take a place by.
    pub(super) fn index(&mut self, depth: u32) -> Exp {
        self.number(Prim::I64, depth.min(2))
    }

    /// A number, for a row or for an element.
    pub(super) fn number(&mut self, prim: Prim, depth: u32) -> Exp {
        self.fuel = self.fuel.saturating_sub(1);
        let depth = if self.fuel == 0 { 0 } else { depth };
        let ty = Ty::Prim(prim);
        if depth == 0 || self.one_in(5) {
            return self.atom(prim);
        }
        let depth = depth - 1;
        let of_row = self.level < 2 || !self.plain && self.one_in(12);
        if of_row && self.one_in(2) {
            let level = self.level;
            let exp = self.reduced_row(prim, depth);
            self.level = level;
            return exp;
        }
        match self.rng.below(8) {
            0 => {
                let parts =
                    vec![self.number(Prim::Bool, depth), self.number(prim, depth), self.number(prim, depth)];
                Exp::fill(&ty, "(if @ then @ else @)", parts)
            }
            1 => {
                let xs = self.variable(&row_ty(prim));
                let Some(xs) = xs else { return self.atom(prim) };
                let index = self.index(depth);
                if !self.plain && self.one_in(12) {
                    return Exp::fill(&ty, "(@[@])", vec![xs, index]);
                }
                let otherwise = self.atom(prim);
                Exp::fill(&ty, "(if m > 0 then @[@ % m] else @)", vec![xs, index, otherwise])
            }
            2 if self.one_in(2) => {
                let (acc, i) = (self.fresh("acc"), self.fresh("i"));
                let vars = [(acc.clone(), ty.clone()), (i.clone(), Ty::Prim(Prim::I64))];
                let body = self.under(&vars, |cx| cx.number(prim, depth));
                let parts = vec![self.number(prim, depth), self.bound(depth), body];
                Exp::fill(&ty, &format!("(loop {acc} = @ for {i} < @ do @)"), parts)
            }
            3 => {
                let from = self.row_prim();
                let value = self.number(from, depth);
                self.conversion(prim, from, value)
            }
            _ => {
                let (x, y) = (self.number(prim, depth), self.number(prim, depth));
                self.combined(prim, x, y)
            }
        }
    }

    /// A number made of a whole row.
    fn reduced_row(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = Ty::Prim(prim);
        match self.rng.below(6) {
            0 if prim == Prim::I64 && !self.plain => {
                let from = self.row_prim();
                let x = self.fresh("x");
                let keeps = self.inside(&[(x.clone(), Ty::Prim(from))], |cx| cx.number(Prim::Bool, depth));
                let xs = self.row(from, depth);
                Exp::fill(&ty, &format!("(length (filter (\\{x} -> @) @))"), vec![keeps, xs])
            }
            1 if prim == Prim::I64 => {
                let of = [Prim::I32, Prim::U8, Prim::F32][self.rng.below(3)];
                let lowest =
                    if of.is_float() { "(-f32.inf)".into() } else { format!("{}.lowest", of.name()) };
                let text = format!(
                    "((reduce (\\(a, i) (b, j) -> if b > a || (b == a && j < i) then (b, j) else (a, i)) ({lowest}, i64.highest) (zip @ (iota m))).1)"
                );
                Exp::fill(&ty, &text, vec![self.row(of, depth)])
            }
            2 | 3 if self.is_host() => self.carried(&ty, depth),
            4 if self.one_in(2) => self.reduced_tuple(prim, depth),
            2 if self.level < 2 => self.tested(&ty, depth),
            3 if self.level < 2 => self.counted(&ty, depth),
            k => {
                let (op, neutral) = operator(prim, k + self.names as usize);
                Exp::fill(&ty, &format!("(reduce {op} {neutral} @)"), vec![self.row(prim, depth)])
            }
        }
    }

    pub(super) fn combined(&mut self, prim: Prim, x: Exp, y: Exp) -> Exp {
        let ty = Ty::Prim(prim);
        let name = prim.name();
        let choice = self.rng.below(8);
        let text = match prim {
            Prim::Bool => ["(@ && @)", "(@ || @)", "(@ != @)"][choice % 3].to_string(),
            Prim::F32 | Prim::F16 => format!("({name}.{} @ @)", ["max", "min"][choice % 2]),
            Prim::F64 => ["(@ + @)", "(@ - @)", "(f64.max @ @)"][choice % 3].to_string(),
            Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => {
                match choice {
                    0 => format!("({name}.max @ @)"),
                    1 => "(@ ^ @)".into(),
                    2 => "(@ & @)".into(),
                    3 => "(@ * @)".into(),
                    4 | 5 => "(@ - @)".into(),
                    _ => "(@ + @)".into(),
                }
            }
        };
        Exp::fill(&ty, &text, vec![x, y])
    }

    /// A number in another type; floats stay small and whole.
    pub(super) fn conversion(&mut self, to: Prim, from: Prim, value: Exp) -> Exp {
        let ty = Ty::Prim(to);
        let (name, of) = (to.name(), from.name());
        let text = match (to, from) {
            _ if to == from => return value,
            (Prim::Bool, Prim::F32 | Prim::F64) => format!("(@ < {}{of})", self.rng.below(90)),
            (Prim::Bool, _) => {
                let most = self.rng.below(5);
                [format!("(@ % 5 < {most}{of})"), format!("(@ > {most}{of})")][self.rng.below(2)].clone()
            }
            (_, Prim::Bool) => format!("({name}.bool @)"),
            (Prim::F32 | Prim::F64, Prim::F32 | Prim::F64) => format!("({name}.{of} @)"),
            (Prim::F32 | Prim::F64, Prim::U8) => format!("({name}.{of} @)"),
            (Prim::F32 | Prim::F64, _) => format!("({name}.{of} (@ % 1000{of}))"),
            (_, _) => format!("({name}.{of} @)"),
        };
        Exp::fill(&ty, &text, vec![value])
    }

    /// A variable, or a small number.
    fn atom(&mut self, prim: Prim) -> Exp {
        let ty = Ty::Prim(prim);
        if !self.one_in(4) {
            if let Some(found) = self.variable(&ty) {
                return found;
            }
            let scalars =
                self.env.iter().filter_map(|(name, ty)| prim_of(ty).map(|from| (name.clone(), from)));
            let scalars: Vec<(String, Prim)> = scalars.collect();
            if let Some((name, from)) = self.rng.pick(&scalars).cloned() {
                let value = Exp::text(&Ty::Prim(from), name);
                return self.conversion(prim, from, value);
            }
        }
        let text = match prim == Prim::Bool {
            true => ["true", "false"][self.rng.below(2)].to_string(),
            false => format!("{}{}", self.rng.below(9), prim.name()),
        };
        Exp::text(&ty, text)
    }
}
