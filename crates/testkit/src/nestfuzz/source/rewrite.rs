//! Printing, and printing with rewritings that keep the meaning.

use super::types::Ty;
use super::{Exp, Gen, Piece};
use crate::rng::Rng;

impl Exp {
    pub fn print(&self) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out += text,
                Piece::Exp(exp) => out += &exp.print(),
            }
        }
        out
    }
}

/// Names and wraps subexpressions, expands functions.
pub(super) struct Rewriter<'a> {
    pub cx: &'a Gen,
    pub rng: Rng,
    pub names: u32,
    /// One expression in so many is rewritten.
    pub rarity: usize,
}

impl Rewriter<'_> {
    pub fn print(&mut self, exp: &Exp) -> String {
        let mut out = String::new();
        for piece in &exp.pieces {
            match piece {
                Piece::Text(text) => out += text,
                Piece::Exp(exp) => out += &self.print(exp),
            }
        }
        if self.rng.below(self.rarity) > 0 { out } else { self.wrapped(&exp.ty, out) }
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("w{}", self.names)
    }

    fn wrapped(&mut self, ty: &Ty, text: String) -> String {
        if ty.is_unsized() {
            return text;
        }
        let (v, w) = (self.fresh(), self.fresh());
        let of_type = match ty {
            Ty::Prim(prim) if prim.is_int() => match self.rng.below(4) {
                0 => Some(format!("({text} + 0)")),
                1 => Some(format!("({text} - 0)")),
                2 => Some(format!("({text} ^ 0)")),
                _ => None,
            },
            Ty::Prim(prim) if prim.is_float() => None,
            Ty::Prim(_) => (self.rng.below(3) == 0).then(|| format!("(!(!{text}))")),
            Ty::Tuple(types) => {
                let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
                let names = names.join(", ");
                match self.rng.below(4) {
                    0 => Some(format!("(let ({names}) = {text} in ({names}))")),
                    1 => Some(format!("((\\({names}) -> ({names})) {text})")),
                    2 => Some(format!("(match {text} case ({names}) -> ({names}))")),
                    _ => None,
                }
            }
            Ty::Record(fields) => (self.rng.below(2) == 0).then(|| {
                let copies: Vec<String> =
                    fields.iter().map(|(name, _)| format!("{name} = {v}.{name}")).collect();
                format!("(let {v} = {text} in {{{}}})", copies.join(", "))
            }),
            Ty::Sum(id) => (self.rng.below(2) == 0).then(|| {
                let cases = self.cx.sums[*id].constrs.iter().map(|(name, payload)| {
                    let vars: String = (0..payload.len()).map(|i| format!(" {v}_{i}")).collect();
                    format!(" case #{name}{vars} -> #{name}{vars}")
                });
                format!("(match {text}{} : {})", cases.collect::<String>(), self.cx.ty_text(ty))
            }),
            Ty::List(_) => None,
            Ty::Array(..) => match self.rng.below(6) {
                0 => Some(format!("(map (\\{v} -> {v}) {text})")),
                1 => Some(format!("(map id {text})")),
                2 => Some(format!("(reverse (reverse {text}))")),
                3 => Some(format!("(copy {text})")),
                4 => Some(format!("(loop {v} = {text} for _i < 2i32 do reverse {v})")),
                _ => None,
            },
            // The function is evaluated before it is applied, which may fail.
            Ty::Fun(from, _) => match self.rng.below(3) {
                0 => Some(format!("(let {w} = {text} in \\{v} -> {w} {v})")),
                1 => Some(format!("(let {w} = {text} in \\({v}: {}) -> {w} {v})", self.cx.ty_text(from))),
                _ => None,
            },
        };
        of_type.unwrap_or_else(|| match self.rng.below(9) {
            0 => format!("(id {text})"),
            1 => format!("((\\{v} -> {v}) {text})"),
            2 => format!("(({text}, 1i32).0)"),
            3 => format!("({{f = {text}, g = true}}.f)"),
            4 if text.len() < 60 => format!("(if true then {text} else {text})"),
            5 => format!("(match {text} case {v} -> {v})"),
            6 => format!("(let {v} = {text} let {w} = {v} in {w})"),
            7 => format!("({text} |> (\\{v} -> {v}))"),
            _ => format!("(let {v} = {text} in {v})"),
        })
    }
}
