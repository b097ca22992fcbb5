//! Whole programs: types, functions and an entry point.

use super::functions::POLYMORPHIC;
use super::rewrite::Rewriter;
use super::types::{Size, Ty};
use super::{Exp, FunDef, Gen, ListDef, SumDef};
use crate::rng::Rng;
use norn_ir::nest::Prim;
use std::rc::Rc;

/// A program whose parts can be left out, and that can be written in other ways.
#[derive(Clone)]
pub struct SourceProgram {
    cx: Rc<Gen>,
    /// Types and functions that are always there.
    pub(super) fixed: Vec<String>,
    pub(super) defs: Vec<Def>,
}

/// A definition: what comes before its body, and the body.
#[derive(Clone)]
pub(super) struct Def {
    head: String,
    pub(super) body: Exp,
}

/// How many ways to write a program are tried.
const WAYS: u64 = 3;

/// The program of a seed; `scale` says how large it is, about.
pub fn source_program(seed: u64, scale: u32) -> SourceProgram {
    let mut cx = Gen {
        rng: Rng::new(seed),
        names: 0,
        env: Vec::new(),
        sizes: Vec::new(),
        sums: Vec::new(),
        lists: Vec::new(),
        funs: Vec::new(),
        level: 0,
        fuel: 0,
        calls: false,
        plain: false,
        host: false,
    };
    let mut fixed = cx.types();
    fixed.extend(POLYMORPHIC.iter().map(|text| text.to_string()));
    let mut defs = Vec::new();
    for _ in 0..cx.rng.below(4) {
        defs.push(cx.definition(scale));
    }
    defs.push(cx.entry(scale));
    SourceProgram::of(Rc::new(cx), fixed, defs)
}

impl Def {
    pub(super) fn new(head: String, body: Exp) -> Def {
        Def { head, body }
    }
}

impl SourceProgram {
    pub(super) fn of(cx: Rc<Gen>, fixed: Vec<String>, defs: Vec<Def>) -> SourceProgram {
        SourceProgram { cx, fixed, defs }
    }

    pub fn text(&self) -> String {
        self.print(&mut Exp::print)
    }

    /// Other programs that mean the same.
    pub fn rewritten(&self) -> Vec<String> {
        let rewritten = |way: u64| {
            let rarity = 3 << way;
            let mut rewriter = Rewriter { cx: &self.cx, rng: Rng::new(way), names: 0, rarity };
            self.print(&mut |exp| rewriter.print(exp))
        };
        (0..WAYS).map(rewritten).collect()
    }

    fn print(&self, body: &mut dyn FnMut(&Exp) -> String) -> String {
        let defs = self.defs.iter().map(|def| format!("{} =\n  {}\n", def.head, body(&def.body)));
        let defs: String = defs.collect();
        self.fixed.concat() + &defs
    }

    pub(super) fn cx(&self) -> &Gen {
        &self.cx
    }
}

impl Gen {
    /// Sums and recursive types, with what builds and folds the latter.
    fn types(&mut self) -> Vec<String> {
        let mut fixed = Vec::new();
        for _ in 0..self.rng.below(3) {
            let name = self.fresh("sum");
            let mut constrs = Vec::new();
            for i in 0..1 + self.rng.below(3) {
                let payload: Vec<Ty> = (0..self.rng.below(3)).map(|_| self.ty(1)).collect();
                constrs.push((format!("{}_{name}", ["one", "two", "three"][i]), payload));
            }
            let alternatives: Vec<String> = constrs
                .iter()
                .map(|(constr, payload)| {
                    let payload = payload.iter().map(|ty| format!(" ({})", self.ty_text(ty)));
                    format!("#{constr}{}", payload.collect::<String>())
                })
                .collect();
            // Functions may be among the payloads.
            fixed.push(format!("type^ {name} = {}\n", alternatives.join(" | ")));
            self.sums.push(SumDef { name, constrs });
        }
        for _ in 0..self.rng.below(2) {
            let name = self.fresh("list");
            let elem = self.data_ty();
            let of = self.ty_text(&elem);
            fixed.push(format!(
                "type rec {name} = #nil_{name} | #cons_{name} ({of}) {name}
def build_{name} (k: i64) (x: {of}) : {name} =
  if k <= 0 then #nil_{name} else #cons_{name} x (build_{name} (k - 1) x)
def fold_{name} 'a (f: a -> {of} -> a) (z: a) (l: {name}) : a =
  match l
  case #nil_{name} -> z
  case #cons_{name} x rest -> f (fold_{name} f z rest) x
"
            ));
            self.lists.push(ListDef { name, elem });
        }
        fixed
    }

    /// A type without functions.
    fn data_ty(&mut self) -> Ty {
        match self.rng.below(4) {
            0 => Ty::Tuple(vec![Ty::Prim(self.prim()), Ty::Prim(self.prim())]),
            1 => Ty::array(&Size::Const(self.rng.below(3) as i64), &Ty::Prim(self.prim())),
            _ => Ty::Prim(self.prim()),
        }
    }

    fn definition(&mut self, scale: u32) -> Def {
        let name = self.fresh("f");
        let sizes: Vec<String> = (0..self.rng.below(3)).map(|_| self.fresh("n")).collect();
        self.sizes = sizes.iter().map(|size| Size::Named(size.clone())).collect();
        let mut params: Vec<Ty> =
            self.sizes.clone().iter().map(|size| Ty::array(size, &Ty::Prim(self.prim()))).collect();
        for _ in 0..self.rng.below(3) {
            params.push(self.ty(2));
        }
        let ret = self.ty(2);
        let ret_text = self.ty_text(&ret);
        let names: Vec<String> = params.iter().map(|_| self.fresh("p")).collect();
        let attribute = if self.one_in(4) { "#[noinline]\n" } else { "" };
        let mut head = format!("{attribute}def {name}");
        sizes.iter().for_each(|size| head += &format!(" [{size}]"));
        for (param, ty) in names.iter().zip(&params) {
            head += &format!(" ({param}: {})", self.ty_text(ty));
        }
        head += &format!(" : {ret_text}");
        self.calls = self.one_in(2);
        self.fuel = 10 + 2 * scale;
        let vars = self.variables(&names, &params, &sizes);
        let body = self.under(&vars, |cx| cx.exp(&ret, 4));
        self.funs.push(FunDef { name, sizes, params, ret });
        Def { head, body }
    }

    fn entry(&mut self, scale: u32) -> Def {
        let sizes = ["n".to_string(), "m".to_string()];
        self.sizes = sizes.iter().map(|size| Size::Named(size.clone())).collect();
        let mut params: Vec<Ty> =
            self.sizes.clone().iter().map(|size| Ty::array(size, &Ty::Prim(self.prim()))).collect();
        for _ in 0..1 + self.rng.below(4) {
            params.push(self.plain_ty(2));
        }
        let names: Vec<String> = params.iter().map(|_| self.fresh("p")).collect();
        let results: Vec<Ty> = (0..2 + self.rng.below(3)).map(|_| self.plain_ty(2)).collect();
        let ret = Ty::Tuple(results);
        let mut head = "entry main [n] [m]".to_string();
        for (param, ty) in names.iter().zip(&params) {
            head += &format!(" ({param}: {})", self.ty_text(ty));
        }
        head += &format!(" : {}", self.ty_text(&ret));
        self.calls = true;
        self.fuel = 20 + 4 * scale;
        let vars = self.variables(&names, &params, &sizes);
        let body = self.under(&vars, |cx| cx.exp(&ret, 7));
        Def { head, body }
    }

    fn variables(&self, names: &[String], params: &[Ty], sizes: &[String]) -> Vec<(String, Ty)> {
        let sizes = sizes.iter().map(|size| (size.clone(), Ty::Prim(Prim::I64)));
        names.iter().cloned().zip(params.iter().cloned()).chain(sizes).collect()
    }
}
