//! What a lambda costs for one element, if that is little: the price of computing it twice.

use norn_ir::nest::{ArrayExp, BinOp, Body, ControlExp, DimIndex, Exp, Lambda, ScalarExp, UnOp, VarInfo};

/// Above this a producer is never repeated: about what it costs to write an element and read it again.
pub const CHEAP: u32 = 16;

/// In units of an addition. Nothing if it loops, calls, nests operators or makes arrays.
pub fn work(vars: &[VarInfo], lambda: &Lambda) -> Option<u32> {
    let scalar = |var: &norn_ir::nest::Var| vars[var.0 as usize].ty.is_scalar();
    let results = lambda.body.result.iter().filter_map(|atom| atom.var());
    if !results.into_iter().all(|var| scalar(&var)) {
        return None;
    }
    body_work(vars, &lambda.body)
}

fn body_work(vars: &[VarInfo], body: &Body) -> Option<u32> {
    body.stms.iter().map(|stm| exp_work(vars, &stm.exp)).sum()
}

fn exp_work(vars: &[VarInfo], exp: &Exp) -> Option<u32> {
    match exp {
        Exp::Scalar(ScalarExp::Atom(_)) => Some(0),
        Exp::Scalar(ScalarExp::Convert { .. } | ScalarExp::Tri(..)) | Exp::Control(ControlExp::Check(_)) => {
            Some(1)
        }
        Exp::Scalar(ScalarExp::Un(op, _, _)) => Some(un_work(*op)),
        Exp::Scalar(ScalarExp::Bin(op, _, _, _)) => Some(bin_work(*op)),
        Exp::Control(ControlExp::If { cond: _, then, els }) => {
            Some(1 + body_work(vars, then)?.max(body_work(vars, els)?))
        }
        // An element read from memory, from anywhere.
        Exp::Array(ArrayExp::Index { array, slice }) => {
            let fixed = slice.iter().all(|dim| matches!(dim, DimIndex::Fix(_)));
            (fixed && slice.len() == vars[array.0 as usize].ty.rank()).then_some(8)
        }
        Exp::Control(
            ControlExp::Switch { .. }
            | ControlExp::Loop { .. }
            | ControlExp::Call { .. }
            | ControlExp::Const(_),
        )
        | Exp::Array(
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Replicate { .. }
            | ArrayExp::Update { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::FlatUpdate { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_)
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. }
            | ArrayExp::AccWrite { .. },
        )
        | Exp::Op(_)
        | Exp::Cell(_)
        | Exp::Scalar(ScalarExp::Workers | ScalarExp::Tunable(_)) => None,
    }
}

fn un_work(op: UnOp) -> u32 {
    match op {
        UnOp::Neg
        | UnOp::Not
        | UnOp::Abs
        | UnOp::Sgn
        | UnOp::Popc
        | UnOp::Clz
        | UnOp::Ctz
        | UnOp::Ceil
        | UnOp::Floor
        | UnOp::Trunc
        | UnOp::Round
        | UnOp::IsNan
        | UnOp::IsInf
        | UnOp::ToBits
        | UnOp::FromBits => 1,
        UnOp::Sqrt | UnOp::Rsqrt => 6,
        UnOp::Cbrt
        | UnOp::Exp
        | UnOp::Log
        | UnOp::Log2
        | UnOp::Log10
        | UnOp::Log1p
        | UnOp::Sin
        | UnOp::Cos
        | UnOp::Tan
        | UnOp::Asin
        | UnOp::Acos
        | UnOp::Atan
        | UnOp::Sinpi
        | UnOp::Cospi
        | UnOp::Tanpi
        | UnOp::Asinpi
        | UnOp::Acospi
        | UnOp::Atanpi
        | UnOp::Sinh
        | UnOp::Cosh
        | UnOp::Tanh
        | UnOp::Asinh
        | UnOp::Acosh
        | UnOp::Atanh
        | UnOp::Gamma
        | UnOp::Lgamma
        | UnOp::Erf
        | UnOp::Erfc => CHEAP + 1,
    }
}

fn bin_work(op: BinOp) -> u32 {
    match op {
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::Min
        | BinOp::Max
        | BinOp::MulHi
        | BinOp::Copysign
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => 1,
        BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => 6,
        BinOp::Pow | BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot | BinOp::Nextafter | BinOp::Ldexp => {
            CHEAP + 1
        }
    }
}
