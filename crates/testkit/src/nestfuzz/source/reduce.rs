//! Makes a source program that fails smaller: subexpressions are replaced by parts of them or by the simplest
//! of their type, definitions are left out.

use super::program::SourceProgram;
use super::types::{Size, Ty};
use super::{Exp, Gen, Piece};
use std::time::{Duration, Instant};

impl SourceProgram {
    /// The smallest program found in this time that still fails.
    pub fn reduced(self, limit: Duration, mut fails: impl FnMut(&SourceProgram) -> bool) -> SourceProgram {
        let end = Instant::now() + limit;
        let mut best = self;
        let mut progress = true;
        while progress && Instant::now() < end {
            progress = false;
            for def in (0..best.defs.len()).rev() {
                let mut at = 0;
                while at < count(&best.defs[def].body) && Instant::now() < end {
                    let smaller = best.replacements(def, at).into_iter().find(|candidate| fails(candidate));
                    match smaller {
                        Some(smaller) => {
                            best = smaller;
                            progress = true;
                        }
                        None => at += 1,
                    }
                }
            }
            let without = (0..best.fixed.len()).map(|i| best.without_fixed(i));
            let without = without.chain((0..best.defs.len() - 1).map(|i| best.without_def(i)));
            let smaller = without.collect::<Vec<_>>().into_iter().find(|candidate| fails(candidate));
            if let Some(smaller) = smaller {
                best = smaller;
                progress = true;
            }
        }
        best
    }

    fn without_fixed(&self, at: usize) -> SourceProgram {
        let mut other = self.clone();
        other.fixed.remove(at);
        other
    }

    fn without_def(&self, at: usize) -> SourceProgram {
        let mut other = self.clone();
        other.defs.remove(at);
        other
    }

    /// The program with something smaller in place of one expression.
    fn replacements(&self, def: usize, at: usize) -> Vec<SourceProgram> {
        let mut original = self.defs[def].body.clone();
        let Some(node) = find(&mut original, &mut { at }) else { return Vec::new() };
        let node = node.clone();
        let mut smaller = Vec::new();
        let simplest = self.cx().simplest(&node.ty);
        if simplest.print().len() < node.print().len() {
            smaller.push(simplest);
        }
        parts_of_type(&node, &node.ty, &mut smaller);
        let replaced = |exp: Exp| {
            let mut other = self.clone();
            if let Some(node) = find(&mut other.defs[def].body, &mut { at }) {
                *node = exp;
            }
            other
        };
        smaller.into_iter().map(replaced).collect()
    }
}

fn count(exp: &Exp) -> usize {
    let inner = exp.pieces.iter().map(|piece| match piece {
        Piece::Text(_) => 0,
        Piece::Exp(exp) => count(exp),
    });
    1 + inner.sum::<usize>()
}

/// The expression with this number, parents before their parts.
fn find<'a>(exp: &'a mut Exp, at: &mut usize) -> Option<&'a mut Exp> {
    if *at == 0 {
        return Some(exp);
    }
    *at -= 1;
    exp.pieces.iter_mut().find_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Exp(exp) => find(exp, at),
    })
}

fn parts_of_type(exp: &Exp, ty: &Ty, found: &mut Vec<Exp>) {
    for piece in &exp.pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Exp(part) if part.ty == *ty => found.push(part.clone()),
            Piece::Exp(part) => parts_of_type(part, ty, found),
        }
    }
}

impl Gen {
    /// The simplest expression of a type.
    pub(super) fn simplest(&self, ty: &Ty) -> Exp {
        let text = self.simplest_text(ty);
        Exp::text(ty, text)
    }

    fn simplest_text(&self, ty: &Ty) -> String {
        let list = |types: &mut dyn Iterator<Item = &Ty>| {
            let parts: Vec<String> = types.map(|ty| self.simplest_text(ty)).collect();
            parts.join(", ")
        };
        match ty {
            Ty::Prim(prim) if prim.is_number() => format!("0{}", prim.name()),
            Ty::Prim(_) => "true".into(),
            Ty::Tuple(types) => format!("({})", list(&mut types.iter())),
            Ty::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, ty)| format!("{name} = {}", self.simplest_text(ty))).collect();
                format!("{{{}}}", fields.join(", "))
            }
            Ty::Sum(id) => {
                let sum = &self.sums[*id];
                let (name, payload) = &sum.constrs[0];
                let payload: String =
                    payload.iter().map(|ty| format!(" {}", self.simplest_text(ty))).collect();
                format!("((#{name}{payload}) : {})", sum.name)
            }
            Ty::List(id) => format!("(#nil_{0} : {0})", self.lists[*id].name),
            Ty::Array(Size::Any, elem) => format!("(replicate 1 {})", self.simplest_text(elem)),
            Ty::Array(size, elem) if elem.is_unsized() => {
                let rows = format!("replicate {} {}", size.text(), self.simplest_text(elem));
                format!("({rows} :> {})", self.ty_text(ty))
            }
            Ty::Array(size, elem) => format!("(replicate {} {})", size.text(), self.simplest_text(elem)),
            Ty::Fun(_, to) => format!("(\\_ -> {})", self.simplest_text(to)),
        }
    }
}
