//! How wide masks are.
//!
//! A vector of `bool` is a vector of integers, 0 or -1, and a comparison yields integers as wide as what it
//! compares. A mask is kept as it came about: each variable has the width of what is assigned to it first, so that a
//! conversion is only needed where masks of different widths meet, or where one is used on values of another width.

use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{BinOp, Block, Exp, Prim, Stmt, Type, UnOp, VarInfo};

/// For each variable that is a mask, the signed integer that its lanes are.
pub(crate) struct Masks {
    widths: Vec<Option<Prim>>,
}

impl Masks {
    /// Of a function's variables. Those that come from outside have the usual width.
    pub fn of(body: &Block, vars: &[VarInfo], given: &[norn_ir::imp::Var]) -> Masks {
        let mut masks = Masks { widths: vec![None; vars.len()] };
        let is_mask = |info: &VarInfo| match info.ty {
            Type::Vector(Prim::Bool, lanes) => Some(lanes),
            Type::Vector(..)
            | Type::Scalar(_)
            | Type::Ptr(_)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => None,
        };
        if vars.iter().all(|info| is_mask(info).is_none()) {
            return masks;
        }
        for var in given {
            masks.widths[var.0 as usize] = is_mask(&vars[var.0 as usize]).map(usual_width);
        }
        // A variable may be assigned from one whose width is not known yet.
        loop {
            let mut changed = false;
            for_each_stmt(body, &mut |stmt| {
                if let Stmt::Set(var, exp) = stmt
                    && is_mask(&vars[var.0 as usize]).is_some()
                    && masks.widths[var.0 as usize].is_none()
                    && let Some(width) = masks.width(exp)
                {
                    masks.widths[var.0 as usize] = Some(width);
                    changed = true;
                }
            });
            if !changed {
                break;
            }
        }
        for (width, info) in masks.widths.iter_mut().zip(vars) {
            *width = width.or(is_mask(info).map(usual_width));
        }
        masks
    }

    pub fn of_var(&self, var: norn_ir::imp::Var) -> Option<Prim> {
        self.widths[var.0 as usize]
    }

    /// The width that a mask has without a conversion. None if it has any.
    pub fn width(&self, exp: &Exp) -> Option<Prim> {
        match exp {
            Exp::Var(var) => self.of_var(*var),
            Exp::Un(UnOp::Not, _, x) => self.width(x),
            Exp::Un(_, prim, _) => Some(lane_of(*prim)),
            Exp::Bin(_, Prim::Bool, x, y) => meet(self.width(x), self.width(y)),
            Exp::Bin(_, prim, _, _) => Some(lane_of(*prim)),
            Exp::Convert { from, .. } => Some(lane_of(*from)),
            Exp::Select(cond, x, y) => meet(meet(self.width(x), self.width(y)), self.width(cond)),
            Exp::LoadLanes { .. } | Exp::Gather { .. } => Some(Prim::I8),
            Exp::Splat(..) => None,
            // No masks.
            Exp::Const(_)
            | Exp::Tri(..)
            | Exp::Load { .. }
            | Exp::Offset { .. }
            | Exp::Cast(..)
            | Exp::Null(_)
            | Exp::Data(..)
            | Exp::Remote(..)
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
            | Exp::Capacity(_)
            | Exp::Lanes(..)
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_)
            | Exp::Chunks { .. } => None,
        }
    }
}

/// Where two masks meet: the narrower width, but not that of bytes from memory if there is another.
fn meet(x: Option<Prim>, y: Option<Prim>) -> Option<Prim> {
    match (x, y) {
        (Some(Prim::I8), Some(other)) | (Some(other), Some(Prim::I8)) => Some(other),
        (Some(x), Some(y)) => Some(if x.bits() <= y.bits() { x } else { y }),
        (x, y) => x.or(y),
    }
}

/// The signed integer as wide as a type: what lanes of masks for it are.
pub(crate) fn lane_of(prim: Prim) -> Prim {
    match prim {
        Prim::I8 | Prim::U8 | Prim::Bool => Prim::I8,
        Prim::I16 | Prim::U16 | Prim::F16 => Prim::I16,
        Prim::I32 | Prim::U32 | Prim::F32 => Prim::I32,
        Prim::I64 | Prim::U64 | Prim::F64 => Prim::I64,
    }
}

/// Of a mask of which nothing is known: that which fills the registers of large machines.
pub(crate) fn usual_width(lanes: u16) -> Prim {
    match lanes {
        64.. => Prim::I8,
        32.. => Prim::I16,
        16.. => Prim::I32,
        _ => Prim::I64,
    }
}

/// The operators that yield a mask where their operands are none.
pub(crate) fn compares(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::Lt | BinOp::Le)
}
