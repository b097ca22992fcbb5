//! What a program uses, beyond what all do: it is found out while the program is printed, and decides about the headers.

use super::Arithmetic;
use crate::atomic::Atomics;
use crate::scans::Scans;
use crate::tables::Tables;
use crate::vector::Vectors;
use norn_ir::imp::{Elem, Prim, Type};

pub(crate) struct Needs {
    pub arithmetic: Arithmetic,
    pub ints: bool,
    pub floats: bool,
    pub doubles: bool,
    pub halves: bool,
    pub vectors: Vectors,
    /// The host's side of a device.
    pub device: bool,
    /// Blocks on a device.
    pub blocks: bool,
    /// Regions on a device.
    pub regions: bool,
    /// Blocks in which cells are.
    pub cell_blocks: bool,
    pub atomics: Atomics,
    pub scans: Scans,
    /// Constants that are data.
    pub tables: Tables,
}

impl Needs {
    pub fn new(arithmetic: Arithmetic) -> Needs {
        Needs {
            arithmetic,
            ints: false,
            floats: false,
            doubles: false,
            halves: false,
            vectors: Vectors::default(),
            device: false,
            blocks: false,
            regions: false,
            cell_blocks: false,
            atomics: Atomics::default(),
            scans: Scans::default(),
            tables: Tables::default(),
        }
    }

    /// An operator of this type is called by its name.
    pub fn operator(&mut self, prim: Prim) {
        self.ints |= prim.is_int();
        self.floats |= prim.is_float();
        self.number(prim);
    }

    /// There are numbers of this type.
    pub fn number(&mut self, prim: Prim) {
        self.doubles |= prim == Prim::F64;
        if prim == Prim::F16 {
            (self.floats, self.halves) = (true, true);
        }
    }

    /// A value of this type is declared.
    pub fn value(&mut self, ty: Type) {
        match ty {
            Type::Scalar(prim)
            | Type::Vector(prim, _)
            | Type::Ptr(Elem::Prim(prim))
            | Type::Local(Elem::Prim(prim)) => self.number(prim),
            Type::Ptr(Elem::Block | Elem::Any) | Type::Block => self.blocks = true,
            Type::Ptr(Elem::Region) | Type::Local(Elem::Region) | Type::Region => self.regions = true,
            Type::Local(Elem::Any | Elem::Block) | Type::Remote(_) => {}
        }
    }
}
