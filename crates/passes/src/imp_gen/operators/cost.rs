//! What the body of a lambda costs, as far as one sees that without running it.

use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Body, CellExp, ControlExp, Exp, ScalarExp, UnOp};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Scalar operations; those of loops and of branches count once.
    pub operations: usize,
    /// There are loops, or arrays are made.
    pub loops: bool,
    /// Functions are called or kernels launched, which takes unknown time.
    pub calls: bool,
}

/// Up to so many operations are rather done twice than their results stored and loaded.
const CHEAP: usize = 20;

impl Cost {
    pub fn of(body: &Body) -> Cost {
        let mut cost = Cost::default();
        cost.add_body(body);
        cost
    }

    pub fn is_cheap(self) -> bool {
        self.operations <= CHEAP && !self.loops && !self.calls
    }

    /// It may take as long as a launch does.
    pub fn is_long(self) -> bool {
        self.loops || self.calls
    }

    fn add_body(&mut self, body: &Body) {
        for stm in &body.stms {
            self.calls |= stm.grid.is_some();
            self.add(&stm.exp);
        }
    }

    fn add(&mut self, exp: &Exp) {
        match exp {
            Exp::Scalar(ScalarExp::Atom(_) | ScalarExp::Workers | ScalarExp::Tunable(_))
            | Exp::Cell(CellExp::Null(_)) => {}
            Exp::Scalar(ScalarExp::Un(op, _, _)) => {
                self.operations += if is_function(*op) { CHEAP } else { 1 }
            }
            Exp::Scalar(ScalarExp::Bin(..) | ScalarExp::Tri(..) | ScalarExp::Convert { .. })
            | Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Check(_))
            | Exp::Array(
                ArrayExp::Index { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Coerce { .. }
                | ArrayExp::FlatIndex { .. },
            )
            | Exp::Cell(CellExp::Tag { .. } | CellExp::Load { .. }) => self.operations += 1,
            Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_)) => {
                self.calls = true;
                self.loops = true;
            }
            Exp::Control(ControlExp::Loop { .. })
            | Exp::Array(
                ArrayExp::ArrayLit(_)
                | ArrayExp::Range { .. }
                | ArrayExp::Replicate { .. }
                | ArrayExp::Update { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::FlatUpdate { .. }
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::JoinRows(_)
                | ArrayExp::Segment { .. }
                | ArrayExp::AccWrite { .. },
            )
            | Exp::Op(_)
            | Exp::Cell(CellExp::Region | CellExp::Alloc { .. }) => self.loops = true,
        }
        exp.for_each_part(&mut |part| match part {
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            Part::Body(body) => self.add_body(body),
            Part::Lambda(lambda) => self.add_body(&lambda.body),
        });
    }
}

/// Whether the operator is a function of the mathematical library rather than an instruction.
fn is_function(op: UnOp) -> bool {
    use UnOp::*;
    match op {
        Neg | Abs | Sgn | Not | Popc | Clz | Ctz | Sqrt | Rsqrt | Ceil | Floor | Trunc | Round | IsNan
        | IsInf | ToBits | FromBits => false,
        Cbrt | Exp | Log | Log2 | Log10 | Log1p | Sin | Cos | Tan | Asin | Acos | Atan | Sinpi | Cospi
        | Tanpi | Asinpi | Acospi | Atanpi | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Gamma | Lgamma
        | Erf | Erfc => true,
    }
}
