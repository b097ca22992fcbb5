//! Programs whose maps call functions that call themselves and each other, without operators inside.
//!
//! ```text
//! def r1 [m] (d: i64) (a2: i32) (xs: [m]i32) (ys: [m]i32) : (i32, f64) =
//!   if d <= 0 then (a2, 3f64) else
//!   let (v3, v4) = r1 (d - 1) (a2 ^ 7) ys xs
//!   let (v5, v6) = loop (v5, v6) = (v3, v4) for i7 < 2 do r2 (d - 2) v6 i7 xs ys
//!   in (v5 - a2, v4)
//! with def r2 ..
//! entry main [n] [m] (xss: [n][m]i32) (us: [n]i32) (ws: [m]i32) = unzip (map2 (\xs u -> r1 (i64.i32 u & 3) u xs ws) xss us)
//! ```
//!
//! Calls are in statements, in branches, in loops, in arguments, and last of all; the arrays are handed on or change places. All calls lower `d`, so that they end. Functions with a
//! single call go deeper than what a thread has of its own for frames.

use super::program::{Def, SourceProgram};
use super::rows::row_ty;
use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;
use std::rc::Rc;

/// The program of a seed; `scale` says how large it is, about.
pub fn recursive_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen { plain: true, ..Gen::of_rows(seed, 20 + 3 * scale) };
    let count = 1 + cx.rng.below(3);
    let is_deep = cx.one_in(4);
    let members: Vec<Member> = (0..count).map(|_| cx.member()).collect();
    let mut defs = Vec::new();
    for (at, member) in members.iter().enumerate() {
        let word = if at == 0 { "def" } else { "with def" };
        defs.push(cx.recursive_def(word, member, &members, is_deep));
    }
    defs.push(cx.recursive_entry(&members, is_deep));
    SourceProgram::of(Rc::new(cx), Vec::new(), defs)
}

/// A function: what it takes besides its depth and two rows, and what it yields.
struct Member {
    name: String,
    params: Vec<(String, Prim)>,
    results: Vec<Prim>,
}

impl Member {
    fn ty(&self) -> Ty {
        match &self.results[..] {
            [only] => Ty::Prim(*only),
            several => Ty::Tuple(several.iter().map(|prim| Ty::Prim(*prim)).collect()),
        }
    }
}

impl Gen {
    fn member(&mut self) -> Member {
        let params = (0..1 + self.rng.below(3)).map(|_| (self.fresh("a"), self.row_prim())).collect();
        let results = (0..1 + self.rng.below(2)).map(|_| self.row_prim()).collect();
        Member { name: self.fresh("r"), params, results }
    }

    fn recursive_def(&mut self, word: &str, member: &Member, members: &[Member], is_deep: bool) -> Def {
        let mut head = format!("{word} {} [m] (d: i64)", member.name);
        for (name, prim) in &member.params {
            head += &format!(" ({name}: {})", prim.name());
        }
        let ret = member.ty();
        head += &format!(" (xs: [m]i32) (ys: [m]i32) : {}", self.ty_text(&ret));
        let numbers = member.params.iter().map(|(name, prim)| (name.clone(), Ty::Prim(*prim)));
        let mut vars: Vec<(String, Ty)> = numbers.collect();
        vars.push(("m".into(), Ty::Prim(Prim::I64)));
        vars.push(("d".into(), Ty::Prim(Prim::I64)));
        vars.push(("xs".into(), row_ty(Prim::I32)));
        vars.push(("ys".into(), row_ty(Prim::I32)));
        self.level += 1;
        let body = self.inside(&vars, |cx| {
            let end = cx.tuple_of(&member.results, 1);
            let count = if is_deep { 1 } else { 1 + cx.rng.below(3) };
            let rest = cx.recursive_statements(member, members, count, is_deep);
            Exp::fill(&ret, "(if d <= 0 then @ else @)", vec![end, rest])
        });
        self.level -= 1;
        Def::new(head, body)
    }

    /// A tuple of such numbers, or one.
    fn tuple_of(&mut self, prims: &[Prim], depth: u32) -> Exp {
        let parts: Vec<Exp> = prims.iter().map(|prim| self.number(*prim, depth)).collect();
        let ty = Ty::Tuple(prims.iter().map(|prim| Ty::Prim(*prim)).collect());
        match parts.len() {
            1 => Exp::fill(&Ty::Prim(prims[0]), "@", parts),
            count => Exp::fill(&ty, &format!("({})", vec!["@"; count].join(", ")), parts),
        }
    }

    /// So many values by calls, and then what the function yields.
    fn recursive_statements(
        &mut self,
        member: &Member,
        members: &[Member],
        count: usize,
        is_deep: bool,
    ) -> Exp {
        let ret = member.ty();
        if count == 0 {
            if !is_deep && self.one_in(3) {
                // A call that is the last deed.
                return self.recursive_call(member, is_deep);
            }
            return self.tuple_of(&member.results, 2);
        }
        let callee = &members[self.rng.below(members.len())];
        let names: Vec<String> = callee.results.iter().map(|_| self.fresh("v")).collect();
        let bound: Vec<(String, Ty)> =
            names.iter().cloned().zip(callee.results.iter().map(|prim| Ty::Prim(*prim))).collect();
        let pattern = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
        let value = self.called_somehow(callee, &pattern, &bound, is_deep);
        let rest = self.under(&bound, |cx| cx.recursive_statements(member, members, count - 1, is_deep));
        Exp::fill(&ret, &format!("(let {pattern} = @ in @)"), vec![value, rest])
    }

    /// What a function yields: by a call, in a branch or in a loop that carries it.
    fn called_somehow(
        &mut self,
        callee: &Member,
        pattern: &str,
        bound: &[(String, Ty)],
        is_deep: bool,
    ) -> Exp {
        let ty = callee.ty();
        match self.rng.below(if is_deep { 3 } else { 6 }) {
            0 => {
                let parts = vec![
                    self.number(Prim::Bool, 2),
                    self.recursive_call(callee, is_deep),
                    self.tuple_of(&callee.results, 1),
                ];
                Exp::fill(&ty, "(if @ then @ else @)", parts)
            }
            3 => {
                let first = self.tuple_of(&callee.results, 1);
                let i = self.fresh("i");
                let times = 1 + self.rng.below(2);
                let counter = (i.clone(), Ty::Prim(Prim::I64));
                let vars: Vec<(String, Ty)> = bound.iter().cloned().chain([counter]).collect();
                let next = self.under(&vars, |cx| cx.recursive_call(callee, is_deep));
                let text = format!("(loop {pattern} = @ for {i} < {times} do @)");
                Exp::fill(&ty, &text, vec![first, next])
            }
            4 => {
                let first = self.tuple_of(&callee.results, 1);
                let t = self.fresh("t");
                let counter = (t.clone(), Ty::Prim(Prim::I64));
                let vars: Vec<(String, Ty)> = bound.iter().cloned().chain([counter]).collect();
                let goes_on = self.under(&vars, |cx| cx.number(Prim::Bool, 1));
                let next = self.under(&vars, |cx| cx.recursive_call(callee, is_deep));
                let text =
                    format!("((loop ({pattern}, {t}) = (@, 0i64) while {t} < 2 && @ do (@, {t} + 1)).0)");
                Exp::fill(&ty, &text, vec![first, goes_on, next])
            }
            _ => self.recursive_call(callee, is_deep),
        }
    }

    fn recursive_call(&mut self, callee: &Member, is_deep: bool) -> Exp {
        let mut parts: Vec<Exp> = Vec::new();
        for (_, prim) in &callee.params {
            // A number that a call yields.
            let is_nested = !is_deep && self.one_in(12) && callee.results.len() == 1;
            parts.push(match is_nested {
                true => {
                    let inner = self.plain_call(callee);
                    self.conversion(*prim, callee.results[0], inner)
                }
                false => self.number(*prim, 2),
            });
        }
        let lower = if is_deep { 1 } else { 1 + self.rng.below(2) };
        self.call_with(callee, parts, lower)
    }

    fn plain_call(&mut self, callee: &Member) -> Exp {
        let parts = callee.params.iter().map(|(_, prim)| self.number(*prim, 1)).collect();
        self.call_with(callee, parts, 2)
    }

    fn call_with(&mut self, callee: &Member, parts: Vec<Exp>, lower: usize) -> Exp {
        let holes = vec!["@"; parts.len()].join(" ");
        let rows = ["xs ys", "xs ys", "ys xs", "xs xs"][self.rng.below(4)];
        Exp::fill(&callee.ty(), &format!("({} (d - {lower}) {holes} {rows})", callee.name), parts)
    }

    fn recursive_entry(&mut self, members: &[Member], is_deep: bool) -> Def {
        // The first functions are called from outside.
        let called = &members[..1 + self.rng.below(members.len())];
        let prims: Vec<Prim> = called.iter().flat_map(|member| member.results.clone()).collect();
        let of_rows = |prim: &Prim| Ty::array(&Size::Named("n".into()), &Ty::Prim(*prim));
        let ret = Ty::Tuple(prims.iter().map(of_rows).chain([Ty::Prim(Prim::I64)]).collect());
        let params = "(xss: [n][m]i32) (us: [n]i32) (ys: [m]i32) (s: i32)";
        let head = format!("entry main [n] [m] {params} : {}", self.ty_text(&ret));
        let vars = [
            ("s", Ty::Prim(Prim::I32)),
            ("u", Ty::Prim(Prim::I32)),
            ("m", Ty::Prim(Prim::I64)),
            ("xs", row_ty(Prim::I32)),
            ("ys", row_ty(Prim::I32)),
        ];
        let vars = vars.map(|(name, ty)| (name.to_string(), ty));
        let mask = if is_deep { 255 } else { 3 };
        let mut text = String::new();
        let mut parts = Vec::new();
        let mut names = Vec::new();
        self.level += 1;
        for (at, member) in called.iter().enumerate() {
            let own: Vec<String> = member.results.iter().map(|_| self.fresh("v")).collect();
            let pattern = if own.len() == 1 { own[0].clone() } else { format!("({})", own.join(", ")) };
            let holes = vec!["@"; member.params.len()].join(" ");
            let call = format!("{} ((i64.i32 u + {at}) & {mask}) {holes} xs ys", member.name);
            text += &format!("let {pattern} = {call} ");
            for (_, prim) in &member.params {
                parts.push(self.inside(&vars, |cx| cx.number(*prim, 2)));
            }
            names.extend(own);
        }
        self.level -= 1;
        // A column after the other, so that any number of them can be yielded.
        let columns: Vec<String> = (0..names.len()).map(|at| format!("(map (.{at}) vs)")).collect();
        let made = format!("map2 (\\xs u -> {text}in ({}, u)) xss us", names.join(", "));
        let body = format!(
            "(let vs = {made} in ({}, i64.sum (map (\\v -> i64.i32 v.{}) vs)))",
            columns.join(", "),
            names.len()
        );
        Def::new(head, Exp::fill(&ret, &body, parts))
    }
}
