//! Functions as values, and calls of those that the program defines.

use super::types::{Size, Ty};
use super::{Exp, FunDef, Gen};
use norn_ir::nest::Prim;

/// What every program defines, to be used at many types.
pub const POLYMORPHIC: [&str; 8] = [
    "def twice 'a (f: a -> a) (x: a) : a = f (f x)\n",
    "def choose 'a (c: bool) (x: a) (y: a) : a = if c then x else y\n",
    "def pair_map 'a 'b (f: a -> b) (x: a, y: a) : (b, b) = (f x, f y)\n",
    "def repeat 'a (k: i64) (f: a -> a) (x: a) : a = loop x for _i < k do f x\n",
    "def descend 'a (k: i64) (f: i64 -> a -> a) (x: a) : a =
  if k <= 0 then x else descend (k - 1) f (f k x)
",
    "def map_pair [n] 'a 'b 'c (f: a -> (b, c)) (xs: [n]a) : ([n]b, [n]c) = unzip (map f xs)\n",
    "module type monoid = { type t val neutral : t val combine : t -> t -> t }
module folds (m: monoid) = {
  def all [n] (xs: [n]m.t) : m.t = reduce m.combine m.neutral xs
}
module sums = folds { type t = i32 def neutral = 0i32 def combine (a: t) (b: t) : t = a + b }
",
    "module mats = folds {
  type t = {a: i64, b: i64}
  def neutral = {a = 1i64, b = 0i64}
  def combine (x: t) (y: t) : t = {a = x.a * y.a, b = x.a * y.b + x.b}
}
",
];

impl Gen {
    pub(super) fn function(&mut self, from: &Ty, to: &Ty, depth: u32) -> Exp {
        let ty = Ty::fun(from, to);
        match self.rng.below(8) {
            0 => {
                let parts =
                    vec![self.exp(&Ty::Prim(Prim::Bool), depth), self.exp(&ty, depth), self.exp(&ty, depth)];
                Exp::fill(&ty, "(if @ then @ else @)", parts)
            }
            1 => {
                let middle = self.ty(1);
                let parts =
                    vec![self.exp(&Ty::fun(from, &middle), depth), self.exp(&Ty::fun(&middle, to), depth)];
                Exp::fill(&ty, "(@ >-> @)", parts)
            }
            2 => {
                let given = self.ty(1);
                let inner = Ty::fun(&given, &ty);
                let parts = vec![self.exp(&inner, depth), self.exp(&given, depth)];
                Exp::fill(&ty, "(@ @)", parts)
            }
            3 if from == to => Exp::fill(&ty, "(twice @)", vec![self.exp(&ty, depth)]),
            4 => {
                let parts = vec![self.exp(&ty, depth), self.exp(&ty, depth)];
                let index = self.rng.below(2);
                Exp::fill(&ty, &format!("([@, @][{index}])"), parts)
            }
            _ => self.lambda(from, to, depth),
        }
    }

    pub(super) fn lambda(&mut self, from: &Ty, to: &Ty, depth: u32) -> Exp {
        let x = self.fresh("x");
        let body = self.under(&[(x.clone(), from.clone())], |cx| cx.exp(to, depth));
        let annotated = self.one_in(2) && !from.is_unsized();
        let param = if annotated { format!("({x}: {})", self.ty_text(from)) } else { x };
        Exp::fill(&Ty::fun(from, to), &format!("(\\{param} -> @)"), vec![body])
    }

    /// A function that is applied many times.
    pub(super) fn repeated(&mut self, from: &Ty, to: &Ty, depth: u32) -> Exp {
        self.level += 1;
        let function = if self.one_in(3) && !from.is_unsized() && !to.is_unsized() {
            self.exp(&Ty::fun(from, to), depth)
        } else {
            self.lambda(from, to, depth)
        };
        self.level -= 1;
        function
    }

    /// A call of a function of the program that yields this type.
    pub(super) fn call(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        if !self.calls || self.level > 1 {
            return None;
        }
        let fun = self.rng.pick(&self.funs)?.clone();
        let mut sizes: Vec<(String, Size)> = Vec::new();
        if !matches(&fun, &fun.ret, ty, &mut sizes) {
            return None;
        }
        for size in &fun.sizes {
            if !sizes.iter().any(|(name, _)| name == size) {
                let chosen = self.size();
                sizes.push((size.clone(), chosen));
            }
        }
        let here = |size: &Size| match size {
            Size::Named(name) => {
                sizes.iter().find(|(found, _)| found == name).map_or(size.clone(), |(_, here)| here.clone())
            }
            Size::Const(_) | Size::Any => size.clone(),
        };
        let parts: Vec<Exp> = fun.params.iter().map(|ty| self.exp(&ty.with_sizes(&here), depth)).collect();
        Some(Exp::fill(ty, &format!("({}{})", fun.name, " (@)".repeat(parts.len())), parts))
    }

    pub(super) fn apply_variable(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        let functions = self.env.iter().filter_map(|(name, of)| match of {
            Ty::Fun(from, to) if **to == *ty => Some((name.clone(), (**from).clone())),
            Ty::Fun(..)
            | Ty::Prim(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Sum(_)
            | Ty::List(_)
            | Ty::Array(..) => None,
        });
        let functions: Vec<(String, Ty)> = functions.collect();
        let (name, from) = self.rng.pick(&functions)?.clone();
        let arg = self.exp(&from, depth);
        Some(Exp::fill(ty, &format!("({name} (@))"), vec![arg]))
    }

    pub(super) fn polymorphic(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        if self.level > 1 {
            return None;
        }
        let endo = Ty::fun(ty, ty);
        Some(match self.rng.below(7) {
            0 => Exp::fill(ty, "(twice @ @)", vec![self.exp(&endo, depth), self.exp(ty, depth)]),
            1 => {
                let c = Ty::Prim(Prim::Bool);
                let parts = vec![self.exp(&c, depth), self.exp(ty, depth), self.exp(ty, depth)];
                Exp::fill(ty, "(choose @ @ @)", parts)
            }
            2 => {
                let from = self.ty(1);
                let pair = Ty::Tuple(vec![from.clone(), from.clone()]);
                let parts = vec![self.exp(&Ty::fun(&from, ty), depth), self.exp(&pair, depth)];
                let which = self.rng.below(2);
                Exp::fill(ty, &format!("((pair_map @ @).{which})"), parts)
            }
            3 => {
                let count = self.rng.below(4);
                let f = self.repeated(ty, ty, depth);
                let x = self.exp(ty, depth);
                Exp::fill(ty, &format!("(repeat {count} @ @)"), vec![f, x])
            }
            4 => {
                let count = self.rng.below(4);
                let i = self.fresh("i");
                let step = self.inside(&[(i.clone(), Ty::Prim(Prim::I64))], |cx| cx.exp(&endo, depth));
                let x = self.exp(ty, depth);
                Exp::fill(ty, &format!("(descend {count} (\\{i} -> @) @)"), vec![step, x])
            }
            5 if *ty == Ty::Prim(Prim::I32) => {
                let xs = Ty::array(&self.size(), ty);
                Exp::fill(ty, "(sums.all @)", vec![self.exp(&xs, depth)])
            }
            6 if *ty == Ty::Prim(Prim::I64) => {
                let fields = ["a", "b"].map(|name| (name.to_string(), ty.clone()));
                let xs = Ty::array(&self.size(), &Ty::Record(fields.to_vec()));
                let field = ["a", "b"][self.rng.below(2)];
                Exp::fill(ty, &format!("((mats.all @).{field})"), vec![self.exp(&xs, depth)])
            }
            _ => return None,
        })
    }
}

/// Whether a function's result, with its sizes chosen, is the expected type.
fn matches(fun: &FunDef, ret: &Ty, expected: &Ty, sizes: &mut Vec<(String, Size)>) -> bool {
    match (ret, expected) {
        (Ty::Array(size, elem), Ty::Array(other, expected)) => {
            let fits = match size {
                Size::Named(name) if fun.sizes.contains(name) => {
                    match sizes.iter().find(|(found, _)| found == name) {
                        Some((_, chosen)) => chosen == other,
                        None => {
                            sizes.push((name.clone(), other.clone()));
                            *other != Size::Any
                        }
                    }
                }
                Size::Named(_) | Size::Const(_) | Size::Any => size == other,
            };
            fits && matches(fun, elem, expected, sizes)
        }
        (Ty::Tuple(xs), Ty::Tuple(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| matches(fun, x, y, sizes))
        }
        (Ty::Record(xs), Ty::Record(ys)) => {
            xs.len() == ys.len()
                && xs.iter().zip(ys).all(|((n, x), (m, y))| n == m && matches(fun, x, y, sizes))
        }
        (Ty::Fun(a, b), Ty::Fun(c, d)) => matches(fun, a, c, sizes) && matches(fun, b, d, sizes),
        (
            Ty::Prim(_)
            | Ty::Sum(_)
            | Ty::List(_)
            | Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Fun(..),
            _,
        ) => ret == expected,
    }
}
