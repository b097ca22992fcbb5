//! Expressions of a given type: what there is at every type, and values of each kind.

use super::types::{Size, Ty};
use super::{Exp, Gen};
use norn_ir::nest::Prim;

impl Gen {
    pub(super) fn exp(&mut self, ty: &Ty, depth: u32) -> Exp {
        self.fuel = self.fuel.saturating_sub(1);
        let depth = if self.fuel == 0 { 0 } else { depth };
        if depth == 0 || self.one_in(5) {
            return self.variable(ty).unwrap_or_else(|| self.leaf(ty));
        }
        if self.one_in(3)
            && let Some(exp) = self.of_any_type(ty, depth - 1)
        {
            return exp;
        }
        let exp = self.of_type(ty, depth - 1);
        self.irregular(exp)
    }

    /// Rows that happen to be of one size are rows of any size where that is required.
    fn irregular(&self, exp: Exp) -> Exp {
        match &exp.ty {
            Ty::Array(Size::Named(_) | Size::Const(_), elem) if elem.is_unsized() => {
                let ty = exp.ty.clone();
                Exp::fill(&ty, &format!("(@ :> {})", self.ty_text(&ty)), vec![exp])
            }
            Ty::Array(..)
            | Ty::Prim(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Sum(_)
            | Ty::List(_)
            | Ty::Fun(..) => exp,
        }
    }

    fn of_type(&mut self, ty: &Ty, depth: u32) -> Exp {
        match ty {
            Ty::Prim(prim) => self.scalar(*prim, depth),
            Ty::Tuple(types) => {
                let parts: Vec<Exp> = types.iter().map(|ty| self.exp(ty, depth)).collect();
                let holes = vec!["@"; parts.len()].join(", ");
                Exp::fill(ty, &format!("({holes})"), parts)
            }
            Ty::Record(fields) => {
                let parts: Vec<Exp> = fields.iter().map(|(_, ty)| self.exp(ty, depth)).collect();
                let holes: Vec<String> = fields.iter().map(|(name, _)| format!("{name} = @")).collect();
                Exp::fill(ty, &format!("{{{}}}", holes.join(", ")), parts)
            }
            Ty::Sum(id) => self.construct(*id, depth),
            Ty::List(id) => self.list(*id, depth),
            Ty::Array(Size::Any, elem) => self.unsized_array(elem, depth),
            Ty::Array(size, elem) => self.array(size, elem, depth),
            Ty::Fun(from, to) => self.function(from, to, depth),
        }
    }

    pub(super) fn variable(&mut self, ty: &Ty) -> Option<Exp> {
        let fitting: Vec<&String> =
            self.env.iter().filter(|(_, found)| found == ty).map(|(name, _)| name).collect();
        let name = (*self.rng.pick(&fitting)?).clone();
        Some(Exp::text(ty, name))
    }

    /// The smallest expression of a type.
    pub(super) fn leaf(&mut self, ty: &Ty) -> Exp {
        match ty {
            Ty::Prim(prim) => self.converted(*prim).unwrap_or_else(|| self.literal(*prim)),
            Ty::Array(Size::Any, elem) => {
                let size = Size::Const(self.rng.below(3) as i64);
                self.leaf(&Ty::array(&size, elem))
            }
            Ty::Array(size, elem) => {
                let elem = self.variable(elem).unwrap_or_else(|| self.leaf(elem));
                self.irregular(Exp::fill(ty, &format!("(replicate {} @)", size.text()), vec![elem]))
            }
            Ty::Fun(from, to) => {
                let x = self.fresh("x");
                let body = self.under(&[(x.clone(), (**from).clone())], |cx| cx.exp(to, 0));
                Exp::fill(ty, &format!("(\\{x} -> @)"), vec![body])
            }
            Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::List(_) => self.of_type(ty, 0),
        }
    }

    /// A scalar in scope, in this type.
    fn converted(&mut self, prim: Prim) -> Option<Exp> {
        let scalars = self.env.iter().filter_map(|(name, ty)| match ty {
            Ty::Prim(from) => Some((name.clone(), *from)),
            Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::List(_) | Ty::Array(..) | Ty::Fun(..) => None,
        });
        let scalars: Vec<(String, Prim)> = scalars.collect();
        let (name, from) = self.rng.pick(&scalars)?.clone();
        if self.one_in(3) {
            return None;
        }
        Some(Exp::text(&Ty::Prim(prim), format!("({}.{} {name})", prim.name(), from.name())))
    }

    fn construct(&mut self, id: usize, depth: u32) -> Exp {
        let ty = Ty::Sum(id);
        let at = self.rng.below(self.sums[id].constrs.len());
        let (name, payload) = self.sums[id].constrs[at].clone();
        let parts: Vec<Exp> = payload.iter().map(|ty| self.exp(ty, depth)).collect();
        let holes = " (@)".repeat(parts.len());
        Exp::fill(&ty, &format!("((#{name}{holes}) : {})", self.ty_text(&ty)), parts)
    }

    fn list(&mut self, id: usize, depth: u32) -> Exp {
        let ty = Ty::List(id);
        let elem = self.lists[id].elem.clone();
        let name = self.lists[id].name.clone();
        if depth == 0 || self.one_in(3) {
            return Exp::text(&ty, format!("(#nil_{name} : {name})"));
        }
        if self.one_in(2) {
            let parts = vec![self.exp(&elem, depth), self.exp(&ty, depth)];
            return Exp::fill(&ty, &format!("((#cons_{name} (@) (@)) : {name})"), parts);
        }
        let x = self.exp(&elem, depth);
        let count = self.rng.below(5);
        Exp::fill(&ty, &format!("(build_{name} {count} (@))"), vec![x])
    }

    /// What yields values of any type. `None` where the dice show something that does not fit.
    fn of_any_type(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        match self.rng.below(15) {
            0 => {
                let parts =
                    vec![self.exp(&Ty::Prim(Prim::Bool), depth), self.exp(ty, depth), self.exp(ty, depth)];
                Some(Exp::fill(ty, "(if @ then @ else @)", parts))
            }
            1 | 2 => {
                let named = self.ty(2);
                let x = self.fresh("x");
                let value = self.exp(&named, depth);
                let body = self.under(&[(x.clone(), named)], |cx| cx.exp(ty, depth));
                Some(Exp::fill(ty, &format!("(let {x} = @ in @)"), vec![value, body]))
            }
            3 => {
                let from = self.ty(1);
                let parts = vec![self.exp(&Ty::fun(&from, ty), depth), self.exp(&from, depth)];
                Some(Exp::fill(ty, "(@ @)", parts))
            }
            4 => self.projection(ty),
            5 if !ty.is_unsized() => self.element(ty, depth),
            6 => self.matching(ty, depth),
            7 => self.fold_list(ty, depth),
            8 | 9 if !ty.is_unsized() => self.call(ty, depth),
            10 if self.level < 3 && !ty.is_unsized() => Some(self.counted_loop(ty, depth)),
            11 if !ty.is_unsized() => self.polymorphic(ty, depth),
            12 | 13 if self.level < 3 => self.with_named_size(ty, depth),
            14 => self.apply_variable(ty, depth),
            _ => None,
        }
    }

    /// A part of a tuple or record in scope.
    fn projection(&mut self, ty: &Ty) -> Option<Exp> {
        let mut found = Vec::new();
        for (name, of) in &self.env {
            match of {
                Ty::Tuple(types) => {
                    let fitting = types.iter().enumerate().filter(|(_, part)| *part == ty);
                    found.extend(fitting.map(|(i, _)| format!("{name}.{i}")));
                }
                Ty::Record(fields) => {
                    let fitting = fields.iter().filter(|(_, part)| part == ty);
                    found.extend(fitting.map(|(field, _)| format!("{name}.{field}")));
                }
                Ty::Prim(_) | Ty::Sum(_) | Ty::List(_) | Ty::Array(..) | Ty::Fun(..) => {}
            }
        }
        self.rng.pick(&found).map(|text| Exp::text(ty, text.clone()))
    }

    fn matching(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        if self.sums.is_empty() {
            return None;
        }
        let id = self.rng.below(self.sums.len());
        let mut parts = vec![self.exp(&Ty::Sum(id), depth)];
        let mut template = "(match @".to_string();
        for (name, payload) in self.sums[id].constrs.clone() {
            let vars: Vec<(String, Ty)> = payload.iter().map(|ty| (self.fresh("p"), ty.clone())).collect();
            template += &format!(" case #{name}");
            vars.iter().for_each(|(var, _)| template += &format!(" {var}"));
            template += " -> @";
            parts.push(self.under(&vars, |cx| cx.exp(ty, depth)));
        }
        Some(Exp::fill(ty, &(template + ")"), parts))
    }

    fn fold_list(&mut self, ty: &Ty, depth: u32) -> Option<Exp> {
        if self.lists.is_empty() || self.level > 1 || ty.is_unsized() || matches!(ty, Ty::Fun(..)) {
            return None;
        }
        let id = self.rng.below(self.lists.len());
        let (name, elem) = (self.lists[id].name.clone(), self.lists[id].elem.clone());
        let (acc, x) = (self.fresh("acc"), self.fresh("x"));
        let vars = [(acc.clone(), ty.clone()), (x.clone(), elem)];
        let step = self.inside(&vars, |cx| cx.exp(ty, depth));
        let parts = vec![step, self.exp(ty, depth), self.exp(&Ty::List(id), depth)];
        Some(Exp::fill(ty, &format!("(fold_{name} (\\{acc} {x} -> @) @ @)"), parts))
    }

    fn counted_loop(&mut self, ty: &Ty, depth: u32) -> Exp {
        let (acc, i) = (self.fresh("acc"), self.fresh("i"));
        let vars = [(acc.clone(), ty.clone()), (i.clone(), Ty::Prim(Prim::I64))];
        let body = self.inside(&vars, |cx| cx.exp(ty, depth));
        let initial = self.exp(ty, depth);
        let bound = self.size().text();
        Exp::fill(ty, &format!("(loop {acc} = @ for {i} < {bound} do @)"), vec![initial, body])
    }
}
