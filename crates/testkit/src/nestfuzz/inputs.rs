//! Random arguments for an entry point: sizes 0, 1 and odd ones, extreme numbers.

use crate::rng::Rng;
use norn_interp::Value;
use norn_ir::nest::{Atom, Column, Dim, Elem, Fun, Prim, Prog, Scalar, Type, Var};
use std::collections::HashMap;

/// The largest size of an input in any dimension.
pub const MAX_SIZE: u64 = 5;

const SIZES: [usize; 8] = [0, 1, 1, 2, 3, 3, 4, 5];
/// Of rows that a group of threads does together: around the sizes of warps and groups, and what fits into shared memory.
const LENGTHS: [usize; 14] = [1, 16, 31, 33, 63, 64, 65, 100, 256, 300, 513, 1025, 2048, 2500];

/// What is drawn for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    pub seed: u64,
    pub sizes: Sizes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    Small,
    /// Few rows, of which most are long.
    Rows,
}

impl Inputs {
    pub fn small(seed: u64) -> Inputs {
        Inputs { seed, sizes: Sizes::Small }
    }

    pub fn rows(seed: u64) -> Inputs {
        Inputs { seed, sizes: Sizes::Rows }
    }
}

/// Columns for the parameters of an entry point. None if it takes what cannot be made outside.
pub fn random_inputs(prog: &Prog, entry: usize, sizes: Sizes, rng: &mut Rng) -> Option<Vec<Value>> {
    let entry = &prog.entries[entry];
    let fun = &prog.funs[entry.fun.0 as usize];
    let columns =
        entry.params.iter().map(|param| prog.ifaces[param.ty.0 as usize].columns.len()).sum::<usize>();
    // All sizes are 0 or 1, once in a while.
    let few = if rng.below(6) == 0 { &SIZES[..2] } else { &SIZES };
    let mut maker = Maker { known: HashMap::new(), sizes: few, scalar: &random_scalar };
    if sizes == Sizes::Rows && rng.below(12) > 0 {
        known_rows(fun, rng, &mut maker.known);
    }
    let first = fun.params.len() - columns;
    let value = |param: &norn_ir::nest::Param| match &fun.vars[param.var.0 as usize].ty {
        Type::Value(Elem::Prim(prim), dims) => maker.value(*prim, dims, rng),
        Type::Value(Elem::Ref(..), _) | Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => None,
    };
    fun.params[first..].iter().map(value).collect()
}

/// The first size that parameters have is how many rows there are, all others how long rows are.
fn known_rows(fun: &Fun, rng: &mut Rng, known: &mut HashMap<Var, usize>) {
    let dims = fun.params.iter().flat_map(|param| fun.vars[param.var.0 as usize].ty.dims());
    for var in dims.filter_map(|dim| dim.atom().and_then(Atom::var)) {
        let first = known.is_empty();
        let long = LENGTHS[rng.below(LENGTHS.len())];
        let few = if rng.below(4) == 0 { 17 + rng.below(23) } else { 1 + rng.below(4) };
        known.entry(var).or_insert(if first { few } else { long });
    }
}

/// Makes values of types that may have sizes in common.
pub struct Maker<'a> {
    pub known: HashMap<Var, usize>,
    /// To choose from.
    pub sizes: &'a [usize],
    pub scalar: &'a dyn Fn(Prim, &mut Rng) -> Scalar,
}

impl Maker<'_> {
    pub fn size(&mut self, dim: Dim, rng: &mut Rng) -> usize {
        let size = self.sizes[rng.below(self.sizes.len())];
        match dim {
            Dim::Size(Atom::Var(var)) => *self.known.entry(var).or_insert(size),
            Dim::Size(Atom::Const(scalar)) => scalar.bits() as usize,
            Dim::Irregular | Dim::Result(_) => size,
        }
    }

    pub fn value(&mut self, prim: Prim, dims: &[Dim], rng: &mut Rng) -> Option<Value> {
        if dims.is_empty() {
            return Some(Value::Scalar((self.scalar)(prim, rng)));
        }
        if !dims.iter().skip(1).any(|dim| *dim == Dim::Irregular) {
            let shape: Vec<usize> = dims.iter().map(|dim| self.size(*dim, rng)).collect();
            let count: usize = shape.iter().product();
            return regular(prim, shape, (0..count).map(|_| (self.scalar)(prim, rng)).collect());
        }
        let count = self.size(dims[0], rng);
        let rows: Option<Vec<Value>> = (0..count).map(|_| self.value(prim, &dims[1..], rng)).collect();
        let rows = rows?;
        if rows.is_empty() {
            let irregular = dims.iter().map(|dim| *dim == Dim::Irregular).collect();
            return Value::empty(&Column { elem: Elem::Prim(prim), irregular });
        }
        if dims[1] == Dim::Irregular { Value::stack_irregular(&rows) } else { Value::stack(&rows) }
    }
}

/// A regular array of these elements.
fn regular(prim: Prim, shape: Vec<usize>, scalars: Vec<Scalar>) -> Option<Value> {
    macro_rules! array {
        ($variant:ident) => {{
            let only = |scalar: &Scalar| if let Scalar::$variant(x) = scalar { Some(*x) } else { None };
            norn::Value::array(shape, scalars.iter().filter_map(only).collect())
        }};
    }
    let made = match prim {
        Prim::I8 => array!(I8),
        Prim::I16 => array!(I16),
        Prim::I32 => array!(I32),
        Prim::I64 => array!(I64),
        Prim::U8 => array!(U8),
        Prim::U16 => array!(U16),
        Prim::U32 => array!(U32),
        Prim::U64 => array!(U64),
        Prim::F16 => array!(F16),
        Prim::F32 => array!(F32),
        Prim::F64 => array!(F64),
        Prim::Bool => array!(Bool),
    };
    made.ok().map(|value| Value::from_host(&value))
}

pub fn random_scalar(prim: Prim, rng: &mut Rng) -> Scalar {
    if prim.is_float() {
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1e300, 1e-300, 0.1];
        return match rng.below(3) {
            0 => Scalar::from_float(prim, special[rng.below(special.len())]),
            1 => Scalar::from_int(prim, rng.below(9) as i128 - 4),
            _ => Scalar::from_float(prim, (rng.draw() as i64 >> 40) as f64 / 1024.0),
        };
    }
    match rng.below(8) {
        0 => Scalar::from_int(prim, i128::from(rng.draw())),
        1 if prim.is_signed() => Scalar::from_int(prim, -(1 << (prim.bits() - 1))),
        1 if prim.is_int() => Scalar::from_int(prim, (1 << prim.bits()) - 1),
        2 if prim.is_signed() => Scalar::from_int(prim, (1 << (prim.bits() - 1)) - 1),
        3 => Scalar::from_int(prim, -1),
        _ => Scalar::from_int(prim, rng.below(7) as i128),
    }
}
