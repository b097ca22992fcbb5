//! Expressions that are vectors, or scalars out of vectors.
//!
//! The headers define a type for each primitive type and number of lanes, with functions on it:
//!
//! ```text
//! add.i64 x (splat 1)     i64x8_add(x, i64x8_splat(1))
//! ```
//!
//! What they lack is done lane by lane (`each_lane`): slow, but right for every operator of imp. A vector of `bool` is a mask, as
//! wide in each lane as the numbers that were compared, since machines have no vectors of bits; where it meets numbers of
//! another width it is converted (`mask`). In memory a `bool` is a byte, so masks are converted when they are loaded and stored.

use crate::code::Code;
use crate::mask::{compares, lane_of};
use crate::scalar::{self, Text};
use norn_ir::imp::{BinOp, Elem, Exp, Prim, Scalar, TriOp, UnOp};

impl Code<'_> {
    /// A vector. A mask has the width that it has by itself.
    pub fn vector_exp(&mut self, exp: &Exp, lanes: u16) -> Text {
        match exp {
            Exp::Var(var) => Text::primary(self.name(*var)),
            _ if is_mask(exp.ty(self.vars).prim()) => {
                let width = self.mask_width(exp, lanes);
                self.mask(exp, lanes, width)
            }
            Exp::Un(op, prim, x) => {
                let x = self.vector_exp(x, lanes);
                self.vector_un(*op, *prim, lanes, &x)
            }
            Exp::Bin(op, prim, x, y) if is_quotient(*op, *prim) => self.quotient(*op, *prim, lanes, x, y),
            Exp::Bin(op, prim, x, y) => {
                let (x, y) = (self.vector_exp(x, lanes), self.vector_exp(y, lanes));
                self.vector_bin(*op, *prim, lanes, &x, &y)
            }
            Exp::Tri(op, prim, x, y, z) => {
                let x = self.vector_exp(x, lanes);
                let (y, z) = (self.vector_exp(y, lanes), self.vector_exp(z, lanes));
                self.vector_tri(*op, *prim, lanes, [&x, &y, &z])
            }
            Exp::Convert { from, to, value } => self.vector_convert(*from, *to, value, lanes),
            Exp::Select(cond, x, y) => {
                let prim = exp.ty(self.vars).prim().expect("a vector has a primitive type");
                let cond = self.mask(cond, lanes, lane_of(prim));
                let (x, y) = (self.vector_exp(x, lanes), self.vector_exp(y, lanes));
                self.method(prim, lanes, "select", &[&cond, &x, &y])
            }
            Exp::Splat(_, x) => {
                let prim = exp.ty(self.vars).prim().expect("a vector has a primitive type");
                let x = self.exp(x);
                self.method(prim, lanes, "splat", &[&x])
            }
            Exp::Lanes(Prim::F16, _) => {
                let numbers = self.method(Prim::I32, lanes, "lanes", &[]);
                self.convert_each(Prim::I32, Prim::F16, lanes, &numbers)
            }
            Exp::Lanes(prim, _) => self.method(*prim, lanes, "lanes", &[]),
            Exp::LoadLanes { prim, lanes: _, ptr, index, mask } => {
                let from = self.place(ptr, index);
                match mask {
                    None => self.method(*prim, lanes, "load", &[&from]),
                    Some(mask) => {
                        let mask = self.mask(mask, lanes, lane_of(*prim));
                        self.needs.vectors.masked(*prim, lanes);
                        self.method(*prim, lanes, "load_where", &[&from, &mask])
                    }
                }
            }
            Exp::Gather { prim, ptr, index, mask } => {
                let from = self.exp(ptr);
                self.gather(*prim, lanes, &from, index, mask.as_deref())
            }
            Exp::Const(_)
            | Exp::Load { .. }
            | Exp::Offset { .. }
            | Exp::Cast(..)
            | Exp::Null(_)
            | Exp::Data(..)
            | Exp::Remote(..)
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
            | Exp::Capacity(_)
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_)
            | Exp::Table(..)
            | Exp::Workers
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_)
            | Exp::Chunks { .. } => unreachable!("emit: a scalar that has lanes"),
        }
    }

    /// A function that all vectors of a type have.
    pub fn method(&mut self, prim: Prim, lanes: u16, name: &str, args: &[&Text]) -> Text {
        self.needs.operator(prim);
        let ty = self.needs.vectors.ty(prim, lanes);
        Text::call(format!("{ty}_{name}"), args)
    }

    // # Operators

    pub fn vector_un(&mut self, op: UnOp, prim: Prim, lanes: u16, x: &Text) -> Text {
        use UnOp::*;
        let has = match op {
            Neg | Abs | Sgn | Sqrt | Rsqrt | Ceil | Floor | Trunc | Round | ToBits | IsNan | IsInf => {
                prim != Prim::F16
            }
            Not => true,
            FromBits => prim != Prim::U16,
            Exp | Log | Log2 | Log10 | Sin | Cos | Tan if prim != Prim::F16 => {
                let function = self.needs.vectors.math_function(prim, lanes, op.name(), 1);
                return Text::call(function, &[x]);
            }
            Exp | Log | Log2 | Log10 | Sin | Cos | Tan | Popc | Clz | Ctz | Cbrt | Log1p | Asin | Acos
            | Atan | Sinpi | Cospi | Tanpi | Asinpi | Acospi | Atanpi | Sinh | Cosh | Tanh | Asinh
            | Acosh | Atanh | Gamma | Lgamma | Erf | Erfc => false,
        };
        let to = op.result(prim).expect("an operator at a type that it has");
        // The functions between a float and its bits belong to the float.
        if op == FromBits || op == ToBits {
            self.needs.vectors.ty(to, lanes);
            self.needs.operator(to);
        }
        if has {
            return self.method(prim, lanes, op.name(), &[x]);
        }
        let operand = Text::primary("x");
        let result = scalar::un(self.needs, op, prim, &operand);
        self.each_lane(op.name(), &[prim], to, lanes, result, &[x])
    }

    pub fn vector_bin(&mut self, op: BinOp, prim: Prim, lanes: u16, x: &Text, y: &Text) -> Text {
        if has_vector_function(op, prim) {
            return self.method(prim, lanes, op.name(), &[x, y]);
        }
        if op == BinOp::Pow && (prim == Prim::F32 || prim == Prim::F64) {
            let function = self.needs.vectors.math_function(prim, lanes, op.name(), 2);
            return Text::call(function, &[x, y]);
        }
        let result = scalar::bin(self.needs, op, prim, &Text::primary("x"), &Text::primary("y"));
        let to = op.result(prim).expect("an operator at a type that it has");
        self.each_lane(op.name(), &[prim, op.second(prim)], to, lanes, result, &[x, y])
    }

    /// A quotient or remainder of integers, for which it matters whether all lanes are divided by the same number.
    fn quotient(&mut self, op: BinOp, prim: Prim, lanes: u16, x: &Exp, y: &Exp) -> Text {
        self.needs.vectors.quotients(prim, lanes);
        let x = self.vector_exp(x, lanes);
        if let Exp::Splat(_, y) = y {
            let y = self.exp(y);
            return self.method(prim, lanes, &format!("{}_by", op.name()), &[&x, &y]);
        }
        let y = self.vector_exp(y, lanes);
        self.method(prim, lanes, op.name(), &[&x, &y])
    }

    fn vector_tri(&mut self, op: TriOp, prim: Prim, lanes: u16, args: [&Text; 3]) -> Text {
        match op {
            TriOp::Lerp | TriOp::Mad | TriOp::Fma if prim != Prim::F16 => {
                self.method(prim, lanes, op.name(), &args)
            }
            TriOp::Lerp | TriOp::Mad | TriOp::Fma | TriOp::MadHi => {
                let [x, y, z] = ["x", "y", "z"].map(Text::primary);
                let result = scalar::tri(self.needs, op, prim, &x, &y, &z);
                self.each_lane(op.name(), &[prim; 3], prim, lanes, result, &args)
            }
        }
    }

    /// Lane by lane. What is a `bool` becomes a mask as wide as the first operand.
    fn each_lane(
        &mut self,
        name: &str,
        operands: &[Prim],
        to: Prim,
        lanes: u16,
        result: Text,
        args: &[&Text],
    ) -> Text {
        let (to, result) = if to == Prim::Bool {
            let lane = lane_of(operands[0]);
            (lane, scalar::un(self.needs, UnOp::Neg, lane, &Text::cast(lane.name(), &result)))
        } else {
            (to, result)
        };
        let function = self.needs.vectors.each_lane(name, operands, to, lanes, &result.text);
        Text::call(function, args)
    }

    fn vector_convert(&mut self, from: Prim, to: Prim, value: &Exp, lanes: u16) -> Text {
        if from == Prim::Bool {
            let mask = self.mask(value, lanes, lane_of(to));
            let [one, zero] = [1, 0].map(|number| {
                let number = scalar::constant(self.needs, Scalar::from_int(to, number));
                self.method(to, lanes, "splat", &[&number])
            });
            return self.method(to, lanes, "select", &[&mask, &one, &zero]);
        }
        let x = self.vector_exp(value, lanes);
        self.convert_numbers(from, to, lanes, &x)
    }

    fn convert_numbers(&mut self, from: Prim, to: Prim, lanes: u16, x: &Text) -> Text {
        let vectors = &mut self.needs.vectors;
        let function = match () {
            () if from == to => return x.clone(),
            () if from == Prim::F16 || to == Prim::F16 => return self.convert_each(from, to, lanes, x),
            () if from.is_float() && to.is_int() => vectors.truncate(from, to, lanes),
            // The sign is extended only into a signed type.
            () if from.is_signed() && to.is_unsigned() && from.bits() < to.bits() => {
                let bits = scalar::unsigned(from);
                let bare = Text::call(vectors.convert(from, bits, lanes), &[x]);
                return self.convert_numbers(bits, to, lanes, &bare);
            }
            () => vectors.convert(from, to, lanes),
        };
        self.needs.operator(from);
        self.needs.operator(to);
        Text::call(function, &[x])
    }

    fn convert_each(&mut self, from: Prim, to: Prim, lanes: u16, x: &Text) -> Text {
        let result = scalar::convert(self.needs, from, to, &Text::primary("x"));
        self.each_lane(&format!("to_{to}"), &[from], to, lanes, result, &[x])
    }

    // # Memory

    /// The elements at places; without a mask, all of them. Conversions of indices from 32 bits are left to the machine.
    pub fn gather(&mut self, prim: Prim, lanes: u16, from: &Text, index: &Exp, mask: Option<&Exp>) -> Text {
        let (width, at) = self.indices(index, lanes);
        let mask = self.where_or_all(mask, lanes, lane_of(prim));
        let ty = self.needs.vectors.gather(prim, width, lanes);
        self.needs.operator(prim);
        Text::call(format!("{ty}_gather_{width}"), &[from, &at, &mask])
    }

    pub fn scatter(&mut self, prim: Prim, to: &Exp, index: &Exp, value: &Exp, mask: Option<&Exp>) -> Text {
        let lanes = self.lanes(index).expect("places are a vector");
        let to = self.exp(to);
        let (width, at) = self.indices(index, lanes);
        let (prim, to, value) = self.stored(prim, to, value, lanes);
        let mask = self.where_or_all(mask, lanes, lane_of(prim));
        let ty = self.needs.vectors.gather(prim, width, lanes);
        self.needs.operator(prim);
        Text::call(format!("{ty}_scatter_{width}"), &[&to, &at, &value, &mask])
    }

    pub fn store_lanes(
        &mut self,
        prim: Prim,
        ptr: &Exp,
        index: &Exp,
        value: &Exp,
        mask: Option<&Exp>,
    ) -> Text {
        let lanes = self.lanes(value).expect("what is stored is a vector");
        let to = self.place(ptr, index);
        let (prim, to, value) = self.stored(prim, to, value, lanes);
        match mask {
            None => self.method(prim, lanes, "store", &[&to, &value]),
            Some(mask) => {
                let mask = self.mask(mask, lanes, lane_of(prim));
                self.needs.vectors.masked(prim, lanes);
                self.method(prim, lanes, "store_where", &[&to, &value, &mask])
            }
        }
    }

    /// What is to be stored: of a mask, bytes that are 0 or 1.
    fn stored(&mut self, prim: Prim, to: Text, value: &Exp, lanes: u16) -> (Prim, Text, Text) {
        if prim != Prim::Bool {
            return (prim, to, self.vector_exp(value, lanes));
        }
        let mask = self.mask(value, lanes, Prim::I8);
        let bytes = self.method(Prim::I8, lanes, "neg", &[&mask]);
        (Prim::I8, self.pointer_cast(Elem::Prim(Prim::I8), &to), bytes)
    }

    fn indices(&mut self, index: &Exp, lanes: u16) -> (Prim, Text) {
        if let Exp::Convert { from: Prim::I32, to: Prim::I64, value } = index {
            return (Prim::I32, self.vector_exp(value, lanes));
        }
        (Prim::I64, self.vector_exp(index, lanes))
    }

    fn where_or_all(&mut self, mask: Option<&Exp>, lanes: u16, width: Prim) -> Text {
        match mask {
            Some(mask) => self.mask(mask, lanes, width),
            None => self.method(width, lanes, "splat", &[&Text::primary("-1")]),
        }
    }

    // # Out of vectors

    pub fn lane(&mut self, vector: &Exp, lane: &Exp) -> Text {
        let lanes = self.lanes(vector).expect("a lane is that of a vector");
        let prim = vector.ty(self.vars).prim().expect("a vector has a primitive type");
        let number = self.exp(lane);
        if prim == Prim::Bool {
            let width = self.mask_width(vector, lanes);
            let mask = self.mask(vector, lanes, width);
            return self.method(width, lanes, "lane", &[&mask, &number]).is_not_zero();
        }
        let vector = self.vector_exp(vector, lanes);
        self.method(prim, lanes, "lane", &[&vector, &number])
    }

    pub fn any(&mut self, mask: &Exp) -> Text {
        let lanes = self.lanes(mask).expect("a mask is a vector");
        let width = self.mask_width(mask, lanes);
        let mask = self.mask(mask, lanes, width);
        self.method(width, lanes, "any", &[&mask])
    }

    pub fn combine(&mut self, op: BinOp, prim: Prim, vector: &Exp) -> Text {
        let lanes = self.lanes(vector).expect("what is combined is a vector");
        let (x, y) = (Text::primary("x"), Text::primary("y"));
        if prim == Prim::Bool {
            let width = self.mask_width(vector, lanes);
            let mask = self.mask(vector, lanes, width);
            // On 0 and -1, the operators of integers; comparisons give 0 and 1.
            let (result, in_order) = match compares(op) {
                false => (scalar::bin(self.needs, op, width, &x, &y), false),
                true => {
                    let truth = |x: &Text| x.is_not_zero();
                    let result = scalar::bin(self.needs, op, Prim::Bool, &truth(&x), &truth(&y));
                    (scalar::un(self.needs, UnOp::Neg, width, &result), true)
                }
            };
            let function = self.needs.vectors.combine(width, lanes, op.name(), result.text, in_order);
            return Text::call(function, &[&mask]).is_not_zero();
        }
        let vector = self.vector_exp(vector, lanes);
        let result = scalar::bin(self.needs, op, prim, &x, &y);
        self.needs.operator(prim);
        // Lanes are added and multiplied in any order: of floats, sums are not exact anyway.
        let in_any_order =
            op.is_commutative() && (op.is_associative(prim) || matches!(op, BinOp::Add | BinOp::Mul));
        let in_order = !(in_any_order && has_vector_function(op, prim));
        let function = self.needs.vectors.combine(prim, lanes, op.name(), result.text, in_order);
        Text::call(function, &[&vector])
    }
}

/// Quotients and remainders of integers.
fn is_quotient(op: BinOp, prim: Prim) -> bool {
    matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem) && prim.is_int()
}

fn is_mask(prim: Option<Prim>) -> bool {
    prim == Some(Prim::Bool)
}

/// Whether the headers have it for vectors.
fn has_vector_function(op: BinOp, prim: Prim) -> bool {
    let float = prim == Prim::F32 || prim == Prim::F64;
    match op {
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Min
        | BinOp::Max
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => prim != Prim::F16,
        BinOp::Div | BinOp::Copysign => float,
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Ashr | BinOp::Lshr => prim.is_int(),
        BinOp::Mod
        | BinOp::Quot
        | BinOp::Rem
        | BinOp::Pow
        | BinOp::MulHi
        | BinOp::Atan2
        | BinOp::Atan2pi
        | BinOp::Hypot
        | BinOp::Nextafter
        | BinOp::Ldexp => false,
    }
}
