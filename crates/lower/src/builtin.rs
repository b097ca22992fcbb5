//! Built-in functions: scalar operators here, operations on arrays in `arrays` and `soac`.

use crate::lower::Lower;
use crate::mono::Mono;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span, Symbol};
use norn_ir::nest::{Atom, BinOp, Check, TriOp, UnOp};

impl Lower<'_> {
    /// How many arguments a built-in function takes.
    pub fn builtin_arity(&self, name: Symbol, signature: &Mono) -> usize {
        let all = match signature {
            Mono::Record(parts) => parts.len() - 1,
            _ => 0,
        };
        // The types of some end in type parameters that may stand for functions.
        match name.as_str() {
            "replicate" | "zip" | "concat" | "map" | "filter" | "stream_map" | "stream_map_per"
            | "segment" | "flatmap" | "partition" | "sort_by_key" | "==" | "!=" => 2,
            "copy" | "manifest" | "transpose" | "flatten" | "unzip" | "lengths" | "flatten_irregular"
            | "sort" => 1,
            "reduce" | "reduce_comm" | "scan" | "scatter" | "scatter_2d" | "scatter_3d" | "stream_red"
            | "stream_red_per" | "stream_seq" | "scatter_stream" | "acc_write" | "unflatten" | "jvp2"
            | "vjp2" | "jmp2" | "mjp2" | "with_vjp" => 3,
            "hist_1d" | "hist_2d" | "hist_3d" | "hist_stream" => 5,
            _ => all,
        }
    }

    pub fn builtin(&mut self, name: Symbol, types: &[Mono], mut args: Vec<Value>, span: Span) -> Value {
        let text = name.as_str();
        let prim = args.first().and_then(|v| v.rep.prim());
        match (text, &args[..]) {
            ("==", [x, y]) => return Value::bool(self.equal(&x.clone(), &y.clone(), span)),
            ("!=", [x, y]) => {
                let same = self.equal(&x.clone(), &y.clone(), span);
                return Value::bool(self.un(UnOp::Not, Prim::Bool, same, span));
            }
            (_, [x]) => {
                if let Some(p) = prim
                    && let Some(v) = self.unary(text, p, x.atom(), span)
                {
                    return v;
                }
            }
            (_, [x, y]) => {
                if let (Some(p), Some(_)) = (prim, y.rep.prim())
                    && let Some(v) = self.binary(text, p, x.atom(), y.atom(), span)
                {
                    return v;
                }
            }
            (_, [x, y, z]) => {
                if let (Some(p), Some(op)) = (prim, TriOp::from_name(text)) {
                    return Value::scalar(p, self.b.tri("x", op, p, [x.atom(), y.atom(), z.atom()], span));
                }
            }
            _ => {}
        }
        let ret = types.last().cloned().unwrap_or(Mono::Prim(Prim::Bool));
        let v = self.array_builtin(text, &ret, &mut args, span);
        let rep = self.irregular_as(&v.rep, &ret);
        self.coerce(v, &rep, span)
    }

    fn unary(&mut self, name: &str, p: Prim, x: Atom, span: Span) -> Option<Value> {
        if let Some(to) = name.strip_prefix("to_").and_then(Prim::from_name) {
            return Some(Value::scalar(to, self.convert(p, to, x, span)));
        }
        let op = match name {
            "!" | "~" => UnOp::Not,
            "f16_to_bits" | "f32_to_bits" | "f64_to_bits" => UnOp::ToBits,
            "f16_from_bits" | "f32_from_bits" | "f64_from_bits" => UnOp::FromBits,
            _ => UnOp::from_name(name)?,
        };
        let result = op.result(p)?;
        Some(Value::scalar(result, self.un(op, p, x, span)))
    }

    fn binary(&mut self, name: &str, p: Prim, x: Atom, y: Atom, span: Span) -> Option<Value> {
        let (x, y) = match name {
            ">" | ">=" => (y, x),
            _ => (x, y),
        };
        let op = match name {
            "+" => BinOp::Add,
            "-" => BinOp::Sub,
            "*" => BinOp::Mul,
            "/" => BinOp::Div,
            "%" => BinOp::Mod,
            "//" => BinOp::Quot,
            "%%" => BinOp::Rem,
            "**" => BinOp::Pow,
            "&" | "&&" => BinOp::And,
            "|" | "||" => BinOp::Or,
            "^" => BinOp::Xor,
            "<<" => BinOp::Shl,
            ">>" if p.is_signed() => BinOp::Ashr,
            ">>" => BinOp::Lshr,
            "<" | ">" => BinOp::Lt,
            "<=" | ">=" => BinOp::Le,
            _ => BinOp::from_name(name)?,
        };
        let result = op.result(p)?;
        if p.is_int() {
            match op {
                BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem if nonzero(y).is_none() => {
                    self.check(Check::NonZero(p, y), span);
                }
                BinOp::Pow if p.is_signed() && nonzero(y).is_none_or(|c| c < 0) => {
                    self.check(Check::Exponent(p, y), span);
                }
                _ => {}
            }
        }
        Some(Value::scalar(result, self.bin(op, p, x, y, span)))
    }

    /// The elements of an array and its length.
    pub fn array_of(&self, v: &Value) -> (Atom, Rep) {
        let Rep::Array(_, elem) = &v.rep else { panic!("lower: no array: {:?}", v.rep) };
        (self.dims(v)[0], (**elem).clone())
    }
}

/// A constant that is not zero.
fn nonzero(a: Atom) -> Option<i128> {
    use norn_ir::nest::Scalar;
    let Atom::Const(c) = a else { return None };
    let value = match c {
        Scalar::I8(x) => x as i128,
        Scalar::I16(x) => x as i128,
        Scalar::I32(x) => x as i128,
        Scalar::I64(x) => x as i128,
        Scalar::U8(x) => x as i128,
        Scalar::U16(x) => x as i128,
        Scalar::U32(x) => x as i128,
        Scalar::U64(x) => x as i128,
        Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) | Scalar::Bool(_) => return None,
    };
    (value != 0).then_some(value)
}
