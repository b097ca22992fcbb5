//! The facts that follow from the definition of an integer or a condition.

use super::form::Form;
use super::prove::{Certs, prove};
use super::{Bounds, Case, Truth, integer, range_of};
use norn_ir::nest::{Atom, BinOp, Exp, Prim, ScalarExp, UnOp, Var};

impl Bounds {
    /// That a variable is bound to an expression.
    pub fn define(&mut self, var: Var, exp: &Exp) {
        self.vars[var.0 as usize].forget();
        match exp {
            Exp::Scalar(ScalarExp::Atom(atom)) => {
                let (exact, residue) = (self.exact(*atom), self.residue(*atom));
                let known = &mut self.vars[var.0 as usize];
                if known.prim.is_some_and(Prim::is_int) {
                    known.exact = Some(exact);
                    known.residue = residue.1.is_empty().then_some(residue.0);
                }
            }
            Exp::Scalar(ScalarExp::Un(op, prim, x)) => self.define_un(var, *op, *prim, *x),
            Exp::Scalar(ScalarExp::Bin(op, prim, x, y)) => self.define_bin(var, *op, *prim, *x, *y),
            Exp::Scalar(ScalarExp::Convert { from, to, value }) if !from.is_float() && to.is_int() => {
                // A number that fits into the type stays the same, and of a longer one the last digits do.
                let form = if to.bits() <= from.bits() { self.residue(*value) } else { self.exact(*value) };
                self.ring(var, *to, Some(form));
            }
            _ => {}
        }
    }

    fn define_un(&mut self, var: Var, op: UnOp, prim: Prim, x: Atom) {
        match op {
            UnOp::Not if prim == Prim::Bool => self.vars[var.0 as usize].truth = Some(Truth::Not(x)),
            UnOp::Neg if prim.is_int() => {
                let (form, certs) = self.residue(x);
                self.ring(var, prim, form.negated().map(|form| (form, certs)));
            }
            UnOp::Sgn if prim.is_int() => self.between(var, -1, 1),
            UnOp::Popc | UnOp::Clz | UnOp::Ctz => self.between(var, 0, prim.bits().into()),
            _ => {}
        }
    }

    fn define_bin(&mut self, var: Var, op: BinOp, prim: Prim, x: Atom, y: Atom) {
        if prim == Prim::Bool {
            self.vars[var.0 as usize].truth = match op {
                BinOp::And => Some(Truth::Both(x, y)),
                BinOp::Or => Some(Truth::Either(x, y)),
                _ => None,
            };
            return;
        }
        if !prim.is_int() {
            return;
        }
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                let ((a, own), (b, more)) = (self.residue(x), self.residue(y));
                let form = match op {
                    BinOp::Add => a.plus(&b),
                    BinOp::Sub => a.minus(&b),
                    _ => a.times(&b),
                };
                self.ring(var, prim, form.map(|form| (form, [own, more].concat())));
            }
            BinOp::Shl => {
                if let Some(by) =
                    y.constant().and_then(integer).filter(|by| (0..prim.bits().into()).contains(by))
                {
                    let (form, certs) = self.residue(x);
                    self.ring(var, prim, form.scaled(1 << by).map(|form| (form, certs)));
                }
            }
            BinOp::Div | BinOp::Quot | BinOp::Ashr | BinOp::Lshr => self.define_quotient(var, op, prim, x, y),
            BinOp::Mod | BinOp::Rem => self.define_remainder(var, op, x, y),
            BinOp::And => {
                // No more than each mask that is not negative: both, if the word has no sign.
                for mask in [x, y] {
                    if let Some(certs) = self.not_negative(mask) {
                        let (mask, more) = self.exact(mask);
                        let certs = [certs, more].concat();
                        self.fact(Form::var(var), certs.clone());
                        self.fact_of(mask.minus(&Form::var(var)), certs);
                    }
                }
            }
            BinOp::Min | BinOp::Max => {
                let ((a, own), (b, more)) = (self.exact(x), self.exact(y));
                let certs = [own, more].concat();
                let sign = if op == BinOp::Min { 1 } else { -1 };
                let difference =
                    |from: &Form, what: &Form| from.minus(what).and_then(|form| form.scaled(sign));
                let this = Form::var(var);
                self.fact_of(difference(&a, &this), certs.clone());
                self.fact_of(difference(&b, &this), certs.clone());
                let case = |value: &Form, other: &Form| Case {
                    when: difference(other, value).into_iter().collect(),
                    value: value.clone(),
                    certs: certs.clone(),
                };
                self.vars[var.0 as usize].cases = Some(vec![case(&a, &b), case(&b, &a)]);
            }
            BinOp::Lt | BinOp::Le | BinOp::Eq => {
                let ((a, own), (b, more)) = (self.exact(x), self.exact(y));
                let certs = [own, more].concat();
                let Some(difference) = b.minus(&a) else { return };
                self.vars[var.0 as usize].truth = match op {
                    BinOp::Lt => difference.plus_constant(-1).map(|form| Truth::NotNegative(form, certs)),
                    BinOp::Le => Some(Truth::NotNegative(difference, certs)),
                    _ => Some(Truth::Zero(difference, certs)),
                };
            }
            _ => {}
        }
    }

    /// A quotient by a positive constant, rounded down.
    fn define_quotient(&mut self, var: Var, op: BinOp, prim: Prim, x: Atom, y: Atom) {
        let Some(by) = y.constant().and_then(integer) else { return };
        let ((form, certs), at_least_zero) = (self.exact(x), self.not_negative(x));
        let power = || (0..prim.bits().into()).contains(&by).then(|| 1 << by);
        let divisor = match op {
            BinOp::Div => Some(by),
            // Rounded to zero, or of the word as one without a sign: down, if it is not negative.
            BinOp::Quot => at_least_zero.as_ref().map(|_| by),
            BinOp::Lshr => at_least_zero.as_ref().and_then(|_| power()),
            _ if prim.is_signed() => power(),
            _ => None,
        };
        let Some(divisor) = divisor.filter(|divisor| *divisor > 0) else { return };
        let relied = match op {
            BinOp::Quot | BinOp::Lshr => at_least_zero.unwrap_or_default(),
            _ => Vec::new(),
        };
        let certs = [certs, relied].concat();
        let Some(rest) = form.plus_scaled(&Form::var(var), -divisor) else { return };
        self.fact(rest.clone(), certs.clone());
        self.fact_of(rest.negated().and_then(|form| form.plus_constant(divisor - 1)), certs);
    }

    /// Less than the divisor, if that is positive, and not negative if the rounding is down.
    fn define_remainder(&mut self, var: Var, op: BinOp, x: Atom, y: Atom) {
        let at_least_zero = self.not_negative(x);
        let (divisor, certs) = self.exact(y);
        let positive = divisor.plus_constant(-1).and_then(|form| prove(self, &form));
        let (Some(positive), true) = (positive, op == BinOp::Mod || at_least_zero.is_some()) else { return };
        let mut certs = [certs, positive].concat();
        if op == BinOp::Rem {
            certs.extend(at_least_zero.clone().unwrap_or_default());
        }
        let this = Form::var(var);
        self.fact(this.clone(), certs.clone());
        self.fact_of(divisor.minus(&this).and_then(|rest| rest.plus_constant(-1)), certs.clone());
        if let Some(more) = at_least_zero {
            let (whole, own) = self.exact(x);
            self.fact_of(whole.minus(&this), [certs, more, own].concat());
        }
    }

    fn between(&mut self, var: Var, low: i128, high: i128) {
        let this = Form::var(var);
        self.fact_of(this.plus_constant(-low), Vec::new());
        self.fact_of(Form::constant(high).minus(&this), Vec::new());
    }

    /// A residue, which is the number itself if it is in the range of the type.
    fn ring(&mut self, var: Var, prim: Prim, form: Option<(Form, Certs)>) {
        let Some((form, certs)) = form else { return };
        let (low, high) = range_of(prim);
        let above = form.plus_constant(-low).and_then(|form| prove(self, &form));
        let below = Form::constant(high).minus(&form).and_then(|form| prove(self, &form));
        if let (Some(above), Some(below)) = (above, below) {
            let exact = [certs.clone(), above, below].concat();
            self.vars[var.0 as usize].exact = Some((form.clone(), exact));
        }
        // Residues are used where there is no place for certificates.
        if certs.is_empty() {
            self.vars[var.0 as usize].residue = Some(form);
        }
    }
}
