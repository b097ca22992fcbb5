//! Literals and operators on scalars.

use super::types::Ty;
use super::{Exp, Gen};
use norn_ir::nest::Prim;

impl Gen {
    pub(super) fn literal(&mut self, prim: Prim) -> Exp {
        let ty = Ty::Prim(prim);
        if prim == Prim::Bool {
            let text = if self.one_in(2) { "true" } else { "false" };
            return Exp::text(&ty, text);
        }
        let name = prim.name();
        if prim.is_float() {
            let text = match self.rng.below(12) {
                0 => format!("{name}.nan"),
                1 => format!("{name}.inf"),
                2 => format!("(-{name}.inf)"),
                3 => format!("(-0.0{name})"),
                4 if prim == Prim::F16 => "65504.0f16".to_string(),
                4 => format!("1e30{name}"),
                k => format!("{}.5{name}", k as i64 - 5),
            };
            return Exp::text(&ty, text);
        }
        let text = match self.rng.below(8) {
            0 => format!("{name}.highest"),
            1 => format!("{name}.lowest"),
            2 if prim.is_signed() => format!("(-{}{name})", self.rng.below(100)),
            _ => format!("{}{name}", self.rng.below(6)),
        };
        Exp::text(&ty, text)
    }

    pub(super) fn scalar(&mut self, prim: Prim, depth: u32) -> Exp {
        let ty = Ty::Prim(prim);
        if self.level < 3 && self.one_in(4) {
            return self.reduction(prim, depth);
        }
        if prim == Prim::Bool {
            return self.truth(depth);
        }
        if self.one_in(4) {
            let from = self.prim();
            let value = self.exp(&Ty::Prim(from), depth);
            return Exp::fill(&ty, &format!("({}.{} @)", prim.name(), from.name()), vec![value]);
        }
        if prim == Prim::I64 && self.one_in(5) {
            return Exp::text(&ty, self.size().text());
        }
        let name = prim.name();
        let shared = ["(@ + @)", "(@ - @)", "(@ * @)"];
        let two = |cx: &mut Gen| vec![cx.exp(&ty, depth), cx.exp(&ty, depth)];
        if prim.is_float() {
            return match self.rng.below(7) {
                0 => Exp::fill(&ty, &format!("({name}.sqrt @)"), vec![self.exp(&ty, depth)]),
                1 => Exp::fill(&ty, "(-@)", vec![self.exp(&ty, depth)]),
                2 => Exp::fill(&ty, "(@ / @)", two(self)),
                3 => Exp::fill(&ty, &format!("({name}.max @ @)"), two(self)),
                k => Exp::fill(&ty, shared[k - 4], two(self)),
            };
        }
        match self.rng.below(13) {
            0 => Exp::fill(&ty, "(@ & @)", two(self)),
            1 => Exp::fill(&ty, "(@ | @)", two(self)),
            2 => Exp::fill(&ty, "(@ ^ @)", two(self)),
            3 => Exp::fill(&ty, &format!("({name}.min @ @)"), two(self)),
            4 => Exp::fill(&ty, &format!("({name}.max @ @)"), two(self)),
            5 | 6 => {
                let op = ["/", "%", "//", "%%"][self.rng.below(4)];
                let divisor = 1 + self.rng.below(5);
                let x = self.exp(&ty, depth);
                Exp::fill(&ty, &format!("(@ {op} {divisor})"), vec![x])
            }
            7 => {
                let op = ["<<", ">>"][self.rng.below(2)];
                let x = self.exp(&ty, depth);
                Exp::fill(&ty, &format!("(@ {op} {})", self.rng.below(7)), vec![x])
            }
            8 => {
                let x = self.exp(&ty, depth);
                Exp::fill(&ty, &format!("(@ ** {})", self.rng.below(4)), vec![x])
            }
            9 => Exp::fill(&ty, "(!@)", vec![self.exp(&ty, depth)]),
            // Which may fail.
            10 if self.one_in(12) => Exp::fill(&ty, "(@ / @)", two(self)),
            k => Exp::fill(&ty, shared[k % 3], two(self)),
        }
    }

    fn truth(&mut self, depth: u32) -> Exp {
        let ty = Ty::Prim(Prim::Bool);
        match self.rng.below(7) {
            0 => Exp::fill(&ty, "(@ && @)", vec![self.exp(&ty, depth), self.exp(&ty, depth)]),
            1 => Exp::fill(&ty, "(@ || @)", vec![self.exp(&ty, depth), self.exp(&ty, depth)]),
            2 => Exp::fill(&ty, "(!@)", vec![self.exp(&ty, depth)]),
            3 => {
                let of = self.comparable(2);
                Exp::fill(&ty, "(@ == @)", vec![self.exp(&of, depth), self.exp(&of, depth)])
            }
            k => {
                let op = ["<", "<=", "!="][k - 4];
                let of = Ty::Prim(self.prim());
                let op = if of == ty { "!=" } else { op };
                Exp::fill(&ty, &format!("(@ {op} @)"), vec![self.exp(&of, depth), self.exp(&of, depth)])
            }
        }
    }

    /// A type whose values can be compared.
    fn comparable(&mut self, depth: u32) -> Ty {
        match self.ty(depth) {
            Ty::Fun(..) => Ty::Prim(self.prim()),
            ty @ (Ty::Tuple(_) | Ty::Record(_) | Ty::Array(..) | Ty::Sum(_) | Ty::List(_)) => {
                if self.has_function(&ty) { Ty::Prim(self.prim()) } else { ty }
            }
            ty @ Ty::Prim(_) => ty,
        }
    }

    fn has_function(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Prim(_) => false,
            Ty::Tuple(types) => types.iter().any(|ty| self.has_function(ty)),
            Ty::Record(fields) => fields.iter().any(|(_, ty)| self.has_function(ty)),
            Ty::Sum(id) => {
                self.sums[*id].constrs.iter().any(|(_, types)| types.iter().any(|ty| self.has_function(ty)))
            }
            Ty::List(id) => self.has_function(&self.lists[*id].elem),
            Ty::Array(_, elem) => self.has_function(elem),
            Ty::Fun(..) => true,
        }
    }
}
