//! How values of nest are held in imp: scalars in variables, arrays as pointers with a layout.
//!
//! A layout is known while code is made, and is made of expressions for sizes and strides: a slice or a transposed
//! array is the same memory under another layout, and costs nothing. Where control flow joins, arrays are row-major.
//!
//! All expressions in here are constants or variables, so that they can be repeated.

use super::operators::Dest;
use super::owners::OwnerId;
use norn_ir::imp::{Exp, Prim, Type};
use norn_ir::nest;

#[derive(Clone, Debug)]
pub enum Repr {
    Scalar(Exp),
    Array(Array),
    Acc(Acc),
    Region(Exp),
    Cert,
}

#[derive(Clone, Debug)]
pub struct Array {
    pub prim: Prim,
    /// The dimensions before the first `?`. Their strides count elements if the array is regular, and rows of the first
    /// offsets otherwise.
    pub lead: Vec<Lead>,
    /// From this dimension on, `lead` is row-major; 0 for an array that is so as a whole.
    pub row_major_from: usize,
    /// The dimensions from the first `?` on (which is `None`), row-major; empty for a regular array.
    pub tail: Vec<Option<Exp>>,
    /// Where the rows of each `?` begin and end.
    pub offsets: Vec<Part>,
    pub data: Part,
    /// What its elements are, if it is in no memory (`counted`).
    pub counted: Option<Counted>,
}

/// The element `k` is `start + k*step`.
#[derive(Clone, PartialEq, Debug)]
pub struct Counted {
    pub start: Exp,
    pub step: Exp,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Lead {
    pub size: Exp,
    pub stride: Exp,
}

/// A piece of memory that an array is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    pub ptr: Exp,
    /// What keeps it alive. Null: it lives in memory of somebody else and must be copied to be kept.
    pub block: Exp,
    /// Who has to release the block; nobody here if it is borrowed.
    pub owner: Option<OwnerId>,
}

/// Destinations of writes, and how these combine.
#[derive(Clone, Debug)]
pub struct Acc {
    pub dests: Vec<Dest>,
    pub op: Option<nest::Reduction>,
}

impl Repr {
    /// Every expression in it, in a fixed order.
    pub fn for_each_exp_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        match self {
            Repr::Scalar(exp) | Repr::Region(exp) => f(exp),
            Repr::Array(array) => array.for_each_exp_mut(f),
            Repr::Acc(acc) => acc.dests.iter_mut().for_each(|dest| dest.for_each_exp_mut(f)),
            Repr::Cert => {}
        }
    }
}

impl Array {
    pub fn for_each_exp_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        for lead in &mut self.lead {
            f(&mut lead.size);
            f(&mut lead.stride);
        }
        self.tail.iter_mut().flatten().for_each(&mut *f);
        for part in self.offsets.iter_mut().chain([&mut self.data]) {
            f(&mut part.ptr);
            f(&mut part.block);
        }
        if let Some(counted) = &mut self.counted {
            f(&mut counted.start);
            f(&mut counted.step);
        }
    }

    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.offsets.iter().chain([&self.data])
    }

    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.offsets.iter_mut().chain([&mut self.data])
    }

    pub fn is_regular(&self) -> bool {
        self.tail.is_empty()
    }

    pub fn rank(&self) -> usize {
        self.lead.len() + self.tail.len()
    }

    pub fn is_row_major(&self) -> bool {
        self.row_major_from == 0
    }

    /// The same memory, with the first of its leading dimensions in this order.
    pub fn lead_in_order(&self, order: &[usize]) -> Array {
        let dims = 0..self.lead.len();
        let lead = dims.map(|dim| self.lead[order.get(dim).copied().unwrap_or(dim)].clone()).collect();
        Array { lead, row_major_from: self.lead.len(), ..self.clone() }
    }

    /// The size of the outermost dimension.
    pub fn length(&self) -> Exp {
        self.lead[0].size.clone()
    }

    /// All sizes; `None` for `?`.
    pub fn sizes(&self) -> Vec<Option<Exp>> {
        self.lead.iter().map(|lead| Some(lead.size.clone())).chain(self.tail.iter().cloned()).collect()
    }

    /// Its memory is somebody else's from here on: nothing has to be released.
    pub fn borrowed(mut self) -> Array {
        self.parts_mut().for_each(|part| part.owner = None);
        self
    }
}

impl Part {
    pub fn borrowed(ptr: Exp, block: Exp) -> Part {
        Part { ptr, block, owner: None }
    }

    /// Memory that somebody else keeps alive.
    pub fn lent(ptr: Exp) -> Part {
        Part { ptr, block: Exp::Null(Type::Block), owner: None }
    }

    pub fn can_be_kept(&self) -> bool {
        self.block != Exp::Null(Type::Block)
    }
}

/// What elements of this type are in memory: refs are addresses of cells.
pub fn prim_of(elem: nest::Elem) -> Prim {
    match elem {
        nest::Elem::Prim(prim) => prim,
        nest::Elem::Ref(..) => Prim::U32,
    }
}
