//! `==` on values of any type without functions, part by part.

use crate::classes::Place;
use crate::instance::InstKey;
use crate::lower::Lower;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span};
use norn_ir::nest::{Atom, BinOp, ControlExp, DataId, Exp, Lambda, Reduction, Scalar, Type, tag_prim};

impl Lower<'_> {
    pub fn equal(&mut self, x: &Value, y: &Value, span: Span) -> Atom {
        match (&x.rep, &y.rep) {
            (Rep::Prim(p), _) => self.bin(BinOp::Eq, *p, x.atom(), y.atom(), span),
            (Rep::Record(_), Rep::Record(_)) => {
                let (xs, ys) = (self.fields(x), self.fields(y));
                let mut all = Atom::bool(true);
                for ((_, x), (_, y)) in xs.iter().zip(&ys) {
                    let one = self.equal(x, y, span);
                    all = self.and(all, one, span);
                }
                all
            }
            (Rep::Sum(_), Rep::Sum(_)) => self.equal_sums(x, y, span),
            (Rep::Array(..), Rep::Array(..)) => self.equal_arrays(x, y, span),
            (Rep::Data(data), _) => {
                let inst = self.instance(InstKey::Equal(*data));
                self.call_instance(&inst, vec![x.atom(), y.atom()], span).atom()
            }
            (a, b) => panic!("lower: no equality of {a:?} and {b:?}"),
        }
    }

    fn and(&mut self, a: Atom, b: Atom, span: Span) -> Atom {
        match (a, b) {
            (Atom::Const(Scalar::Bool(true)), x) | (x, Atom::Const(Scalar::Bool(true))) => x,
            _ => self.bin(BinOp::And, Prim::Bool, a, b, span),
        }
    }

    /// Only booleans meet where branches of a comparison do.
    fn no_place() -> Place {
        Place::Payload(DataId(0))
    }

    fn equal_sums(&mut self, x: &Value, y: &Value, span: Span) -> Atom {
        let ((tag, xs), (other, ys)) = (self.variants(x), self.variants(y));
        let same = self.bin(BinOp::Eq, tag_prim(xs.len()), tag, other, span);
        if xs.iter().all(|(_, payload)| payload.is_empty()) {
            return same;
        }
        let rest = |l: &mut Self| {
            let mut bodies = Vec::new();
            for ((_, xs), (_, ys)) in xs.iter().zip(&ys) {
                l.b.begin_body();
                let v = Value::bool(l.all_equal(xs, ys, span));
                bodies.push((l.b.suspend(), v));
            }
            l.merge(bodies, &Self::no_place(), span, |mut bodies| {
                let default = bodies.pop().unwrap_or_default();
                let cases = bodies.into_iter().enumerate().map(|(i, b)| (i as i64, b)).collect();
                Exp::Control(ControlExp::Switch { scrutinee: tag, cases, default })
            })
        };
        self.branch(same, &Self::no_place(), span, rest, |_| Value::bool(Atom::bool(false))).atom()
    }

    fn all_equal(&mut self, xs: &[Value], ys: &[Value], span: Span) -> Atom {
        let mut all = Atom::bool(true);
        for (x, y) in xs.iter().zip(ys) {
            let one = self.equal(x, y, span);
            all = self.and(all, one, span);
        }
        all
    }

    /// Shapes first; elements only if these agree.
    fn equal_arrays(&mut self, x: &Value, y: &Value, span: Span) -> Atom {
        let rep = self.join(&x.rep, &y.rep, &Self::no_place(), &mut 0);
        let (x, y) = (self.coerce(x.clone(), &rep, span), self.coerce(y.clone(), &rep, span));
        let mut same = Atom::bool(true);
        for (a, b) in self.dims(&x).into_iter().zip(self.dims(&y)) {
            if a != b {
                let one = self.bin_i64(BinOp::Eq, a, b, span);
                same = self.and(same, one, span);
            }
        }
        let elements = |l: &mut Self| {
            let (width, elem) = l.array_of(&x);
            let mut inputs = l.array_vars(&x.cols);
            inputs.extend(l.array_vars(&y.cols));
            l.b.begin_body();
            let (mut params, a) = l.row_params(&x, &elem);
            let (more, b) = l.row_params(&y, &elem);
            params.extend(more);
            let one = l.equal(&a, &b, span);
            let body = l.b.end_body(vec![one]);
            let ty = Type::array(Prim::Bool, vec![norn_ir::nest::Dim::Size(width)]);
            let flags = Exp::map(width, inputs, Lambda { params, body });
            let flags = l.b.emit1("same", ty, flags, span);
            l.b.begin_body();
            let (p, q) = (l.b.new_var("x", Type::bool()), l.b.new_var("y", Type::bool()));
            let both = l.bin(BinOp::And, Prim::Bool, p.into(), q.into(), span);
            let body = l.b.end_body(vec![both]);
            let op = Reduction {
                lambda: Lambda { params: vec![p, q], body },
                neutral: vec![Atom::bool(true)],
                commutative: true,
            };
            let all = l.b.emit1("all", Type::bool(), Exp::reduce(width, op, vec![flags]), span);
            Value::bool(all.into())
        };
        match same {
            Atom::Const(Scalar::Bool(true)) => elements(self).atom(),
            _ => {
                let no = |_: &mut Self| Value::bool(Atom::bool(false));
                self.branch(same, &Self::no_place(), span, elements, no).atom()
            }
        }
    }

    /// Two cells of one recursive type.
    pub fn equal_cells(&mut self, data: DataId, x: Atom, y: Atom, span: Span) -> Atom {
        let constrs = self.constructors(data);
        let (tag, other) = (self.tag(x, data, span), self.tag(y, data, span));
        let same = self.bin(BinOp::Eq, tag_prim(constrs.len()), tag, other, span);
        let rest = |l: &mut Self| {
            let mut bodies = Vec::new();
            for (i, (_, payload)) in constrs.iter().enumerate() {
                l.b.begin_body();
                let v = if payload.is_empty() {
                    Atom::bool(true)
                } else {
                    let (xs, ys) = (l.load(x, data, i, span), l.load(y, data, i, span));
                    l.all_equal(&xs, &ys, span)
                };
                bodies.push((l.b.suspend(), Value::bool(v)));
            }
            l.merge(bodies, &Self::no_place(), span, |mut bodies| {
                let default = bodies.pop().unwrap_or_default();
                let cases = bodies.into_iter().enumerate().map(|(i, b)| (i as i64, b)).collect();
                Exp::Control(ControlExp::Switch { scrutinee: tag, cases, default })
            })
        };
        self.branch(same, &Self::no_place(), span, rest, |_| Value::bool(Atom::bool(false))).atom()
    }
}
