//! What operations cost, as scalars and as vectors: rough numbers of cycles, for comparison only.

use norn_ir::imp::{BinOp, Prim, Scalar, TriOp, UnOp};

/// The vectors of the machine that the code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// How many bytes a vector has.
    pub vector_bytes: u16,
    /// How many vectors fit into registers.
    pub registers: u16,
}

impl Default for Machine {
    /// 64 bytes and 32 registers, as AVX-512 has; compilers split vectors for machines with smaller ones.
    fn default() -> Machine {
        Machine { vector_bytes: 64, registers: 32 }
    }
}

/// The cost of an operation on one scalar, and on one full vector.
#[derive(Clone, Copy)]
pub struct Cost {
    pub scalar: f64,
    /// None if there is no such instruction, so that it is done lane by lane.
    pub vector: Option<f64>,
}

const SIMPLE: Cost = both(1.0, 1.0);
const FREE: Cost = both(0.0, 0.0);

const fn both(scalar: f64, vector: f64) -> Cost {
    Cost { scalar, vector: Some(vector) }
}

const fn lanewise(scalar: f64) -> Cost {
    Cost { scalar, vector: None }
}

impl Machine {
    /// One operation on vectors with so many lanes.
    pub fn vector(&self, cost: Cost, prim: Prim, lanes: u16) -> f64 {
        match cost.vector {
            Some(vector) => vector * self.registers_for(prim, lanes),
            None => lanes as f64 * (cost.scalar + 2.0),
        }
    }

    /// Into how many registers a vector goes. What needs several is somewhat clumsy.
    pub fn registers_for(&self, prim: Prim, lanes: u16) -> f64 {
        let whole = prim.size() as f64 * lanes as f64 / self.vector_bytes as f64;
        if whole <= 1.0 {
            1.0
        } else if whole <= 2.0 {
            whole * 1.1
        } else {
            whole * 1.5
        }
    }

    /// A gather, or with `stores` a scatter. There are none of bytes and halves of words: these are gathered by the words they are in, and scattered one by one. What lies at even
    /// distances (`is_even`) is mostly read in order, and so from the cache.
    pub fn gather(&self, prim: Prim, lanes: u16, stores: bool, is_even: bool) -> f64 {
        lanes as f64
            * match (prim.size(), stores) {
                (1 | 2, _) => 6.0,
                (_, true) => 2.0,
                (_, false) if is_even => 1.2,
                (_, false) => 2.5,
            }
    }
}

pub fn un(op: UnOp, prim: Prim) -> Cost {
    use UnOp::*;
    if prim == Prim::F16 {
        return lanewise(8.0);
    }
    let wide = if prim == Prim::F64 { 1.6 } else { 1.0 };
    match op {
        Neg | Not | Abs | Ceil | Floor | Trunc | Round | IsNan | IsInf => SIMPLE,
        Sgn => both(2.0, 3.0),
        ToBits | FromBits => FREE,
        Popc | Clz | Ctz => lanewise(1.0),
        Sqrt => both(4.0 * wide, 12.0 * wide),
        Rsqrt => both(8.0 * wide, 22.0 * wide),
        Exp | Log | Log2 | Log10 | Sin | Cos | Tan => both(15.0 * wide, 20.0 * wide),
        Cbrt | Log1p | Asin | Acos | Atan | Sinpi | Cospi | Tanpi | Asinpi | Acospi | Atanpi | Sinh
        | Cosh | Tanh | Asinh | Acosh | Atanh | Gamma | Lgamma | Erf | Erfc => lanewise(25.0),
    }
}

pub fn bin(op: BinOp, prim: Prim) -> Cost {
    use BinOp::*;
    if prim == Prim::F16 {
        return lanewise(8.0);
    }
    let wide = if prim.size() == 8 { 1.6 } else { 1.0 };
    match op {
        Add | Sub | And | Or | Xor | Min | Max | Copysign | Eq | Lt | Le => SIMPLE,
        Shl | Ashr | Lshr => both(1.0, if prim.size() == 1 { 3.0 } else { 1.5 }),
        Mul => both(1.0, if prim.is_int() && prim.size() != 2 { 2.0 * wide } else { 1.0 }),
        Div if prim.is_float() => both(4.0, 10.0 * wide),
        // By way of doubles, of which a vector has eight.
        Div | Mod | Quot | Rem if prim.is_int() && prim.size() >= 4 => both(8.0 * wide, 20.0),
        Div | Mod | Quot | Rem if prim.is_int() => lanewise(8.0 * wide),
        Pow if prim.is_float() => both(35.0 * wide, 45.0 * wide),
        Atan2 | Atan2pi | Hypot => lanewise(30.0),
        Div | Mod | Quot | Rem | Pow | MulHi | Nextafter | Ldexp => lanewise(15.0),
    }
}

/// The same where the second operand is a constant: integers are divided by a shift or a product then.
pub fn bin_by(op: BinOp, prim: Prim, by: Scalar) -> Cost {
    use BinOp::*;
    match op {
        Div | Mod | Quot | Rem if prim.is_int() && by.bits().count_ones() == 1 => both(3.0, 4.0),
        Div | Mod | Quot | Rem if prim.is_int() => Cost { scalar: 5.0, ..bin(op, prim) },
        _ => bin(op, prim),
    }
}

pub fn tri(op: TriOp, prim: Prim) -> Cost {
    match op {
        _ if prim == Prim::F16 => lanewise(8.0),
        TriOp::MadHi => lanewise(4.0),
        TriOp::Lerp => both(3.0, 3.0),
        TriOp::Mad | TriOp::Fma => SIMPLE,
    }
}

pub fn convert(from: Prim, to: Prim) -> Cost {
    if from == Prim::F16 || to == Prim::F16 {
        return lanewise(2.0);
    }
    match (from.is_float(), to.is_float()) {
        // Conversions of floats to integers keep within bounds.
        (true, false) => both(2.0, 4.0),
        _ => both(1.0, 1.5),
    }
}
