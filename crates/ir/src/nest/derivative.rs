//! What lowering asks of differentiation: functions that are to be derivatives of others.
//!
//! Lowering gives such a function its parameters and results, and no body. The pass `differentiate` writes it.
//!
//! ```text
//! jvp2 f x x'     call f_forward (captured, x, x')   ->  y, y'       y' for each result that is made of numbers
//! vjp2 f x y'     call f_reverse (captured, x, y')   ->  y, x'       x' for each active parameter
//! ```
//!
//! Only what is made of numbers that count (`Numbers`) has a tangent (forwards) or an adjoint (in reverse). Sizes that the function returns are
//! parameters of its reverse, in front of the adjoints: these are as large as the caller says.

use super::{Elem, Fun, FunId, Type};

/// What numbers have derivatives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbers {
    Floats,
    /// Of a function whose argument has no floats: formal derivatives of integers, whose operators are those of a ring.
    All,
}

impl Numbers {
    /// Whether values of a type have tangents and adjoints.
    pub fn include(self, ty: &Type) -> bool {
        match ty.elem() {
            Some(Elem::Prim(prim)) => match self {
                Numbers::Floats => prim.is_float(),
                Numbers::All => prim.is_number(),
            },
            Some(Elem::Ref(..)) | None => false,
        }
    }

    /// The places of the results of a function that have tangents and adjoints. Sizes of others have none.
    pub fn results(self, fun: &Fun) -> Vec<usize> {
        let sizes = fun.returned_sizes();
        (sizes..fun.ret.len()).filter(|at| self.include(&fun.ret[*at].ty)).collect()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Derivatives {
    pub asked: Vec<Derivative>,
    pub customs: Vec<Custom>,
}

/// A function without body.
#[derive(Clone, Debug)]
pub struct Derivative {
    pub fun: FunId,
    pub of: FunId,
    pub mode: Mode,
    pub numbers: Numbers,
    /// The parameters, by their places, with respect to which it is the derivative. They are made of such numbers.
    pub active: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Forward,
    Reverse,
}

/// The derivative of a function in reverse, given by the program (`with_vjp`).
#[derive(Clone, Debug)]
pub struct Custom {
    pub of: FunId,
    /// Takes the parameters of the function, its results, and the adjoints of those made of numbers; yields the adjoints of the active parameters.
    pub reverse: FunId,
    pub numbers: Numbers,
    pub active: Vec<usize>,
}

impl Fun {
    /// How many of the first results are sizes in the types of others.
    pub fn returned_sizes(&self) -> usize {
        let mut sizes = 0;
        for ret in &self.ret {
            ret.ty.clone().for_each_dim(&mut |dim| {
                if let super::Dim::Result(at) = dim {
                    sizes = sizes.max(*at + 1);
                }
            });
        }
        sizes
    }
}
