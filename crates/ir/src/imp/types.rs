//! Types as values to work with, and the types of expressions.

use super::{Elem, Exp, Prim, Scalar, Type, VarInfo};

impl Type {
    pub const I64: Type = Type::Scalar(Prim::I64);
    pub const BOOL: Type = Type::Scalar(Prim::Bool);

    pub fn ptr(prim: Prim) -> Type {
        Type::Ptr(Elem::Prim(prim))
    }

    /// What it is a scalar of, or a vector.
    pub fn prim(self) -> Option<Prim> {
        match self {
            Type::Scalar(prim) | Type::Vector(prim, _) => Some(prim),
            Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => None,
        }
    }

    /// Of a vector.
    pub fn lanes(self) -> Option<u16> {
        match self {
            Type::Vector(_, lanes) => Some(lanes),
            Type::Scalar(_)
            | Type::Ptr(_)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => None,
        }
    }

    /// A pointer to the same place as one to other elements. What is no pointer becomes one.
    pub fn with_elem(self, elem: Elem) -> Type {
        match self {
            Type::Remote(_) => Type::Remote(elem),
            Type::Local(_) => Type::Local(elem),
            Type::Ptr(_) | Type::Scalar(_) | Type::Vector(..) | Type::Block | Type::Region => Type::Ptr(elem),
        }
    }

    /// What a host passes for a parameter of a group kernel that has this type.
    pub fn of_host(self) -> Type {
        match self {
            Type::Ptr(elem) => Type::Remote(elem),
            Type::Scalar(_)
            | Type::Vector(..)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => self,
        }
    }

    /// The same shape, a scalar or a vector, of another primitive type. What is neither stays as it is.
    pub fn with_prim(self, prim: Prim) -> Type {
        match self {
            Type::Scalar(_) => Type::Scalar(prim),
            Type::Vector(_, lanes) => Type::Vector(prim, lanes),
            Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => self,
        }
    }
}

impl Elem {
    /// The type of a variable that holds such an element.
    pub fn ty(self) -> Type {
        match self {
            Elem::Prim(prim) => Type::Scalar(prim),
            Elem::Any => Type::Ptr(Elem::Any),
            Elem::Block => Type::Block,
            Elem::Region => Type::Region,
        }
    }

    /// How many bytes it takes in memory.
    pub fn bytes(self) -> i64 {
        match self {
            Elem::Prim(prim) => prim.size() as i64,
            Elem::Any | Elem::Block | Elem::Region => 8,
        }
    }
}

impl Exp {
    /// Its type in a function with these variables, given that it obeys the rules.
    pub fn ty(&self, vars: &[VarInfo]) -> Type {
        match self {
            Exp::Const(scalar) => Type::Scalar(scalar.prim()),
            Exp::Var(var) => vars[var.0 as usize].ty,
            Exp::Un(op, prim, x) => x.ty(vars).with_prim(op.result(*prim).unwrap_or(*prim)),
            Exp::Bin(op, prim, x, _) => x.ty(vars).with_prim(op.result(*prim).unwrap_or(*prim)),
            Exp::Tri(op, prim, x, _, _) => x.ty(vars).with_prim(op.result(*prim).unwrap_or(*prim)),
            Exp::Convert { from: _, to, value } => value.ty(vars).with_prim(*to),
            Exp::Select(_, x, _) => x.ty(vars),
            Exp::Load { elem, .. } => elem.ty(),
            Exp::Offset { elem, ptr, .. } | Exp::Cast(elem, ptr) => ptr.ty(vars).with_elem(*elem),
            Exp::Data(elem, _) => Type::Ptr(*elem),
            Exp::Table(prim, _) => Type::ptr(*prim),
            Exp::Remote(elem, _) => Type::Remote(*elem),
            Exp::Null(ty) => *ty,
            Exp::Cell { .. } => Type::ptr(Prim::U64),
            Exp::CellBlock { .. } => Type::Block,
            Exp::Capacity(_)
            | Exp::Workers
            | Exp::Chunks { .. }
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_) => Type::I64,
            Exp::Splat(lanes, x) => x.ty(vars).prim().map_or(x.ty(vars), |prim| Type::Vector(prim, *lanes)),
            Exp::Lanes(prim, lanes) | Exp::LoadLanes { prim, lanes, .. } => Type::Vector(*prim, *lanes),
            Exp::Gather { prim, index, .. } => index.ty(vars).with_prim(*prim),
            Exp::Lane(vector, _) | Exp::Combine(_, _, vector) => {
                vector.ty(vars).prim().map_or(vector.ty(vars), Type::Scalar)
            }
            Exp::Any(_) => Type::BOOL,
        }
    }

    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Exp::Const(Scalar::I64(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Exp::Const(Scalar::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// A constant or a variable: to mention it twice costs nothing.
    pub fn is_atom(&self) -> bool {
        matches!(
            self,
            Exp::Const(_)
                | Exp::Var(_)
                | Exp::Null(_)
                | Exp::Workers
                | Exp::DeviceGroups
                | Exp::DevicePool
                | Exp::Tunable(_)
                | Exp::Group(_)
        )
    }
}
