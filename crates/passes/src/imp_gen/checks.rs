//! Checks: a test, and a failure with its operands.

use super::repr::Repr;
use super::state::{Gen, Where};
use norn_ir::failure::CheckKind;
use norn_ir::imp::{BinOp, Elem, Exp, LoopForm, Prim, Scalar};
use norn_ir::nest::{Check, Var};

impl Gen<'_> {
    /// Fails unless it holds; the certificate has no value.
    pub fn check(&mut self, cert: Var, check: &Check) {
        self.env.insert(cert, Repr::Cert);
        match check {
            Check::Index { index, length } => {
                let (index, length) = (self.scalar(*index), self.scalar(*length));
                let holds = Exp::i64(0).le(index.clone()).and(index.clone().lt(length.clone()));
                self.require(holds, CheckKind::Index, vec![index, length]);
            }
            Check::Slice { start, count, stride, length } => {
                let [start, count, stride, length] = [start, count, stride, length].map(|x| self.scalar(*x));
                let holds = slice_holds(&start, &count, &stride, &length);
                self.require(holds, CheckKind::Slice, vec![start, count, stride, length]);
            }
            Check::Size { expected, found } => {
                let (expected, found) = (self.scalar(*expected), self.scalar(*found));
                self.require(expected.clone().eq(found.clone()), CheckKind::Size, vec![expected, found]);
            }
            Check::Shape { array, dims } => {
                let (array, sizes) = (self.array(*array), self.sizes(dims));
                self.check_shape(&array, &sizes);
            }
            Check::NonNegative(size) => {
                let size = self.scalar(*size);
                self.require(Exp::i64(0).le(size.clone()), CheckKind::NonNegative, vec![size]);
            }
            Check::NonZero(prim, divisor) => {
                let zero = Exp::Const(Scalar::zero(*prim));
                let holds = Exp::bin(BinOp::Eq, *prim, self.scalar(*divisor), zero).not();
                self.require(holds, CheckKind::NonZero, Vec::new());
            }
            Check::Exponent(prim, exponent) => {
                let exponent = self.scalar(*exponent);
                if prim.is_signed() {
                    let zero = Exp::Const(Scalar::zero(*prim));
                    let holds = Exp::bin(BinOp::Le, *prim, zero, exponent.clone());
                    self.require(holds, CheckKind::Exponent(*prim), vec![exponent]);
                }
            }
            Check::Range { prim, start, second, end, ok } => {
                let operands = [start, second, end].map(|x| self.scalar(*x)).to_vec();
                let ok = self.scalar(*ok);
                self.require(ok, CheckKind::Range(*prim), operands);
            }
            Check::Segments { lengths, total } => {
                let total = self.scalar(*total);
                self.check_segments(*lengths, total);
            }
            Check::Flat { offset, dims, length } => {
                let offset = self.scalar(*offset);
                let dims: Vec<(Exp, Exp)> =
                    dims.iter().map(|(count, stride)| (self.scalar(*count), self.scalar(*stride))).collect();
                let length = self.scalar(*length);
                self.check_flat(offset, &dims, length);
            }
            Check::Assert { cond, text } => {
                let cond = self.scalar(*cond);
                self.require(cond, CheckKind::Assert(text.clone()), Vec::new());
            }
            Check::Fail { text } => {
                self.require(Exp::bool(false), CheckKind::Fail(text.clone()), Vec::new());
            }
        }
    }

    pub fn require(&mut self, holds: Exp, kind: CheckKind, operands: Vec<Exp>) {
        if holds.as_bool() != Some(true) {
            let site = self.check_site(kind);
            self.code.check(holds, site, operands);
        }
    }

    fn check_segments(&mut self, lengths: Var, total: Exp) {
        if self.at == Where::Host {
            return self.check_segments_on_device(lengths, total);
        }
        let lengths = self.array(lengths);
        let sum = self.code.bind("sum", Exp::i64(0));
        let row = self.code.new_i64("row");
        self.code.open();
        let at = self.element_index(&lengths, &[row.into()]);
        let length = Exp::load(Elem::Prim(Prim::I64), lengths.data.ptr.clone(), at);
        let length = self.code.bind("length", length);
        let holds = Exp::i64(0).le(length);
        self.require(holds, CheckKind::NegativeLength, vec![row.into(), length.into()]);
        self.add_length(sum, length.into());
        let body = self.code.close();
        self.code.for_(row, 0, lengths.length(), LoopForm::Plain, body);
        let holds = Exp::Var(sum).eq(total.clone());
        self.require(holds, CheckKind::Segments, vec![sum.into(), total]);
    }

    fn check_flat(&mut self, offset: Exp, dims: &[(Exp, Exp)], length: Exp) {
        let mut some = Exp::bool(true);
        for (count, _) in dims {
            let holds = Exp::i64(0).le(count.clone());
            self.require(holds, CheckKind::NonNegative, vec![count.clone()]);
            some = some.and(count.clone().ne(0));
        }
        let (mut least, mut greatest) = (offset.clone(), offset);
        let mut fits = Exp::bool(true);
        for (count, stride) in dims {
            let steps = count.clone().sub(1);
            let reach = self.code.atom("reach", steps.clone().mul(stride.clone()));
            fits = fits.and(product_fits(steps, stride.clone(), reach.clone()));
            least = self.code.atom("least", least.add(reach.clone().min(0)));
            greatest = self.code.atom("greatest", greatest.add(reach.max(0)));
        }
        let inside = Exp::i64(0).le(least.clone()).and(greatest.clone().lt(length.clone())).and(fits);
        self.require(some.not().or(inside), CheckKind::Flat, vec![least, greatest, length]);
    }
}

/// Whether all elements of a slice are elements of the dimension. Products that are too large for `i64` are
/// outside.
fn slice_holds(start: &Exp, count: &Exp, stride: &Exp, length: &Exp) -> Exp {
    let zero = || Exp::i64(0);
    let empty = count.clone().eq(0);
    if stride.as_i64() == Some(1) {
        let inside = zero().le(start.clone()).and(start.clone().le(length.clone().sub(count.clone())));
        return empty.or(zero().lt(count.clone()).and(inside));
    }
    let steps = count.clone().sub(1);
    let reach = steps.clone().mul(stride.clone());
    let fits = product_fits(steps, stride.clone(), reach.clone());
    let last = start.clone().add(reach);
    let inside = zero()
        .le(start.clone())
        .and(start.clone().lt(length.clone()))
        .and(fits)
        .and(zero().le(last.clone()))
        .and(last.lt(length.clone()));
    empty.or(zero().lt(count.clone()).and(inside))
}

/// Whether the product of two numbers is exact.
fn product_fits(x: Exp, y: Exp, product: Exp) -> Exp {
    let high = Exp::bin(BinOp::MulHi, Prim::I64, x, y);
    high.eq(Exp::bin(BinOp::Ashr, Prim::I64, product, Exp::i64(63)))
}
