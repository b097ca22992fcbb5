//! Every scalar operator and conversion at every type, with numbers at the edges of types, and what crates/ir/src/scalar/eval says.

use norn_ir::imp::{BinOp, Exp, Prim, Scalar, TriOp, UnOp};
use norn_ir::scalar::eval::{bin_op, conversion, tri_op, un_op};

#[derive(Clone, Copy, Debug)]
pub enum Op {
    Un(UnOp),
    Bin(BinOp),
    Tri(TriOp),
    Convert(Prim),
}

/// An operator at a type, with a number of lanes; 1 for scalars.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub op: Op,
    pub prim: Prim,
    pub lanes: u16,
}

impl Case {
    pub fn operands(&self) -> Vec<Prim> {
        match self.op {
            Op::Un(_) | Op::Convert(_) => vec![self.prim],
            Op::Bin(op) => vec![self.prim, op.second(self.prim)],
            Op::Tri(_) => vec![self.prim; 3],
        }
    }

    pub fn result(&self) -> Option<Prim> {
        match self.op {
            Op::Un(op) => op.result(self.prim),
            Op::Bin(op) => op.result(self.prim),
            Op::Tri(op) => op.result(self.prim),
            Op::Convert(to) => Some(to),
        }
    }

    pub fn eval(&self, x: &[u64]) -> u64 {
        match self.op {
            Op::Un(op) => un_op(op, self.prim).expect("the operator")(x[0]),
            Op::Bin(op) => bin_op(op, self.prim).expect("the operator")(x[0], x[1]),
            Op::Tri(op) => tri_op(op, self.prim).expect("the operator")(x[0], x[1], x[2]),
            Op::Convert(to) => conversion(self.prim, to)(x[0]),
        }
    }

    pub fn exp(&self, args: Vec<Exp>) -> Exp {
        let mut args = args.into_iter().map(Box::new);
        let mut next = || args.next().expect("an operand");
        match self.op {
            Op::Un(op) => Exp::Un(op, self.prim, next()),
            Op::Bin(op) => Exp::Bin(op, self.prim, next(), next()),
            Op::Tri(op) => Exp::Tri(op, self.prim, next(), next(), next()),
            Op::Convert(to) => Exp::Convert { from: self.prim, to, value: next() },
        }
    }
}

pub fn cases(lanes: u16, prims: &[Prim]) -> Vec<Case> {
    let mut ops: Vec<Op> = UnOp::ALL.into_iter().map(Op::Un).collect();
    ops.extend(BinOp::ALL.into_iter().map(Op::Bin));
    ops.extend(TriOp::ALL.into_iter().map(Op::Tri));
    ops.extend(Prim::ALL.into_iter().map(Op::Convert));
    let all = ops.iter().flat_map(|op| prims.iter().map(move |prim| Case { op: *op, prim: *prim, lanes }));
    all.filter(|case| case.result().is_some()).collect()
}

/// Numbers at the edges of a type, as words.
pub fn edges(prim: Prim) -> Vec<u64> {
    let ints: Vec<i128> = vec![
        0,
        1,
        2,
        3,
        5,
        7,
        8,
        15,
        31,
        32,
        33,
        63,
        64,
        100,
        127,
        128,
        200,
        255,
        256,
        32767,
        32768,
        65535,
        1 << 31,
        (1 << 31) - 1,
        (1 << 32) - 1,
        i64::MAX as i128,
        1 << 63,
        u64::MAX as i128,
        -1,
        -2,
        -3,
        -5,
        -7,
        -8,
        -100,
        -127,
        -128,
        -32768,
        -(1 << 31),
        i64::MIN as i128,
        i64::MIN as i128 + 1,
        0x0123_4567_89ab_cdef,
    ];
    let floats: Vec<f64> = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3.5,
        0.25,
        0.1,
        -0.1,
        2.0,
        -2.0,
        3.0,
        7.0,
        -7.5,
        10.25,
        100.0,
        0.999,
        -0.999,
        1e-3,
        1e3,
        -1e3,
        12345.678,
        1e5,
        -1e5,
        1e10,
        -1e10,
        3e9,
        -3e9,
        1e19,
        -1e19,
        2e19,
        1e30,
        -1e30,
        1e38,
        1e-30,
        1e-38,
        1e-40,
        1e-44,
        -1e-42,
        6e-5,
        5e-8,
        65504.0,
        65520.0,
        1e300,
        1e-310,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        std::f64::consts::PI,
        -std::f64::consts::FRAC_PI_2,
        0.72,
        88.7,
        -103.5,
        709.5,
        4194304.5,
        8388609.0,
        -4503599627370497.5,
    ];
    let mut words: Vec<u64> = match prim {
        Prim::Bool => vec![0, 1],
        _ if prim.is_float() => floats.iter().map(|x| Scalar::from_float(prim, *x).bits()).collect(),
        _ => ints.iter().map(|x| Scalar::from_int(prim, *x).bits()).collect(),
    };
    words.sort_unstable();
    words.dedup();
    words
}

/// All combinations of operands, as many as a multiple of 64; of three operands, only some.
pub fn inputs(case: &Case) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for prim in case.operands() {
        let edges = edges(prim);
        let combined = all.iter().flat_map(|row| {
            edges.iter().map(move |word| {
                let mut row = row.clone();
                row.push(*word);
                row
            })
        });
        all = combined.collect();
    }
    if let Op::Tri(_) = case.op {
        all = all.into_iter().step_by(47).collect();
    }
    let count = all.len().next_multiple_of(64);
    let rows: Vec<Vec<u64>> = all.iter().cycle().take(count).cloned().collect();
    rows
}

/// Integers have the same bits. Floats may differ in their last digits, and more where functions of libm do.
pub fn agree(case: &Case, prim: Prim, found: u64, expected: u64) -> bool {
    if found == expected {
        return true;
    }
    let number = |word: u64| Scalar::from_bits(prim, word).and_then(Scalar::float);
    let (Some(found), Some(expected)) = (number(found), number(expected)) else { return false };
    if found.is_nan() && expected.is_nan() {
        return true;
    }
    if is_exact(case.op) {
        // Which of two zeros comes out does not matter.
        return found == expected && found == 0.0;
    }
    let (least, close) = match prim {
        Prim::F16 => (6e-8, 2e-3),
        Prim::F32 => (2e-45, 2e-6),
        _ => (1e-323, 1e-13),
    };
    let largest = match prim {
        Prim::F16 => 65504.0,
        Prim::F32 => f32::MAX as f64,
        _ => f64::MAX,
    };
    // One may be infinite where the other is the largest.
    let (found, expected) = (found.clamp(-largest, largest), expected.clamp(-largest, largest));
    (found - expected).abs() <= least + close * expected.abs()
}

/// Whether a result is the same on every machine.
pub fn is_exact(op: Op) -> bool {
    use BinOp::*;
    match op {
        Op::Convert(_) => true,
        Op::Bin(op) => matches!(op, Add | Sub | Mul | Div | Min | Max | Copysign | Nextafter | Ldexp | Mod),
        Op::Un(op) => {
            use UnOp::*;
            matches!(op, Neg | Abs | Sgn | Sqrt | Ceil | Floor | Trunc | Round)
        }
        Op::Tri(_) => false,
    }
}

/// What is wrong about what was found, if anything.
pub fn complaint(case: &Case, row: &[u64], found: &[u8]) -> Option<String> {
    let to = case.result().expect("an operator that exists");
    let mut word = [0; 8];
    word[..to.size()].copy_from_slice(&found[..to.size()]);
    let (found, expected) = (u64::from_le_bytes(word), case.eval(row));
    // A product may be added without being rounded.
    let fused = Case { op: Op::Tri(TriOp::Fma), ..*case };
    let may_fuse = matches!(case.op, Op::Tri(TriOp::Mad));
    let right = agree(case, to, found, expected) || (may_fuse && agree(case, to, found, fused.eval(row)));
    (!right).then(|| format!("{case:?} of {row:x?}: {found:x}, not {expected:x}"))
}
