//! The types of generated source programs.

use super::Gen;
use norn_ir::nest::Prim;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Prim(Prim),
    Tuple(Vec<Ty>),
    Record(Vec<(String, Ty)>),
    /// By number.
    Sum(usize),
    List(usize),
    Array(Size, Box<Ty>),
    Fun(Box<Ty>, Box<Ty>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Size {
    Named(String),
    Const(i64),
    /// Of rows: differs from row to row. Of other arrays: not known by a name.
    Any,
}

impl Size {
    /// As an expression of type i64.
    pub fn text(&self) -> String {
        match self {
            Size::Named(name) => name.clone(),
            Size::Const(k) => k.to_string(),
            Size::Any => String::new(),
        }
    }
}

impl Ty {
    pub fn array(size: &Size, elem: &Ty) -> Ty {
        Ty::Array(size.clone(), Box::new(elem.clone()))
    }

    pub fn fun(from: &Ty, to: &Ty) -> Ty {
        Ty::Fun(Box::new(from.clone()), Box::new(to.clone()))
    }

    /// Whether it is an array whose own size has no name.
    pub fn is_unsized(&self) -> bool {
        matches!(self, Ty::Array(Size::Any, _))
    }

    /// The same type with sizes by other names.
    pub fn with_sizes(&self, f: &dyn Fn(&Size) -> Size) -> Ty {
        match self {
            Ty::Prim(_) | Ty::Sum(_) | Ty::List(_) => self.clone(),
            Ty::Tuple(types) => Ty::Tuple(types.iter().map(|ty| ty.with_sizes(f)).collect()),
            Ty::Record(fields) => {
                Ty::Record(fields.iter().map(|(name, ty)| (name.clone(), ty.with_sizes(f))).collect())
            }
            Ty::Array(size, elem) => Ty::Array(f(size), Box::new(elem.with_sizes(f))),
            Ty::Fun(from, to) => Ty::fun(&from.with_sizes(f), &to.with_sizes(f)),
        }
    }
}

pub const PRIMS: [Prim; 11] = [
    Prim::I32,
    Prim::I64,
    Prim::Bool,
    Prim::F64,
    Prim::F32,
    Prim::U8,
    Prim::I8,
    Prim::U32,
    Prim::I16,
    Prim::U64,
    Prim::F16,
];

impl Gen {
    pub(super) fn ty_text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Prim(prim) => prim.name().into(),
            Ty::Tuple(types) => {
                let parts: Vec<String> = types.iter().map(|ty| self.ty_text(ty)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Record(fields) => {
                let parts: Vec<String> =
                    fields.iter().map(|(name, ty)| format!("{name}: {}", self.ty_text(ty))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Ty::Sum(id) => self.sums[*id].name.clone(),
            Ty::List(id) => self.lists[*id].name.clone(),
            Ty::Array(Size::Any, elem) => format!("[]{}", self.elem_text(elem)),
            Ty::Array(size, elem) => format!("[{}]{}", size.text(), self.elem_text(elem)),
            Ty::Fun(from, to) => format!("({} -> {})", self.ty_text(from), self.ty_text(to)),
        }
    }

    /// Inside an array, a size that differs is written `?`.
    fn elem_text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Array(Size::Any, elem) => format!("[?]{}", self.elem_text(elem)),
            Ty::Array(size, elem) => format!("[{}]{}", size.text(), self.elem_text(elem)),
            Ty::Prim(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::List(_) | Ty::Fun(..) => {
                self.ty_text(ty)
            }
        }
    }

    pub(super) fn prim(&mut self) -> Prim {
        // The first are more likely.
        let reach = if self.one_in(2) { 3 } else { PRIMS.len() };
        PRIMS[self.rng.below(reach)]
    }

    pub(super) fn size(&mut self) -> Size {
        if self.sizes.is_empty() || self.one_in(6) {
            return Size::Const(self.rng.below(4) as i64);
        }
        let at = self.rng.below(self.sizes.len());
        self.sizes[at].clone()
    }

    /// A type of values that can be anywhere, functions included at depth.
    pub(super) fn ty(&mut self, depth: u32) -> Ty {
        match self.rng.below(if depth == 0 { 5 } else { 14 }) {
            0..=4 => Ty::Prim(self.prim()),
            5 | 6 => Ty::Tuple((0..2 + self.rng.below(2)).map(|_| self.ty(depth - 1)).collect()),
            7 => {
                let count = 1 + self.rng.below(3);
                let mut fields = Vec::new();
                for i in 0..count {
                    fields.push((["a", "b", "c"][i].to_string(), self.ty(depth - 1)));
                }
                Ty::Record(fields)
            }
            8 if !self.sums.is_empty() => Ty::Sum(self.rng.below(self.sums.len())),
            9 if !self.lists.is_empty() => Ty::List(self.rng.below(self.lists.len())),
            10 => {
                let (from, to) = (self.ty(0), self.ty(depth - 1));
                Ty::fun(&from, &to)
            }
            _ => {
                let size = self.size();
                let elem = self.ty(depth - 1);
                Ty::array(&size, &elem)
            }
        }
    }

    /// A type of what an entry point yields: compared column by column, so without sums and functions.
    pub(super) fn plain_ty(&mut self, depth: u32) -> Ty {
        if depth == 0 || self.one_in(3) {
            return Ty::Prim(self.prim());
        }
        let size = self.size();
        let elem = if self.one_in(4) {
            Ty::array(&Size::Any, &Ty::Prim(self.prim()))
        } else {
            self.plain_ty(depth - 1)
        };
        Ty::array(&size, &elem)
    }
}
