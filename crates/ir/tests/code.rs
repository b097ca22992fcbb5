//! Building code in imp: expressions are folded, and what is built is what is written.

use norn_ir::failure::CheckKind;
use norn_ir::imp::build::*;
use norn_ir::imp::parse::parse;
use norn_ir::imp::*;

use norn_ir::nest::print::NOWHERE;

#[test]
fn what_is_built_is_what_is_written() {
    let mut sites = Sites::default();
    let site = sites.add(SiteKind::Check(CheckKind::NonNegative), NOWHERE);
    assert_eq!(site, sites.add(SiteKind::Check(CheckKind::NonNegative), NOWHERE));
    let mut b = CodeBuilder::new();
    let (xs, n) = (b.new_var("xs", Type::ptr(Prim::F32)), b.new_i64("n"));
    b.check(Exp::i64(0).le(n), site, vec![n.into()]);
    let sum = b.bind("sum", Scalar::zero(Prim::F32));
    let i = b.new_i64("i");
    b.open();
    b.set(sum, Exp::bin(BinOp::Add, Prim::F32, sum, Exp::load(Elem::Prim(Prim::F32), xs, i)));
    let body = b.close();
    b.for_(i, 0, n, LoopForm::Plain, body);
    let fun = b.finish_fun("sum", vec![xs, n], vec![sum.into()], false, NOWHERE);
    let prog = Prog { funs: vec![fun], sites: sites.finish(), ..Prog::default() };
    let text = "
        sites { #0 check nonnegative }
        fun sum (xs: ptr f32, n: i64) -> f32 {
          if !(0 <= n) { fail(n) #0 }
          sum: f32 = 0f32
          for i: i64 = 0 .. n { sum = sum +.f32 xs[i].f32 }
          return sum
        }";
    assert_eq!(parse(text), Ok(prog));
}

#[test]
fn obvious_arithmetic_is_folded() {
    let x = || Exp::from(Var(0));
    assert_eq!(x().add(0), x());
    assert_eq!(Exp::i64(0).add(x()), x());
    assert_eq!(x().add(1).add(2), x().add(3));
    assert_eq!(x().add(1).sub(1), x());
    assert_eq!(Exp::i64(2).mul(3), Exp::i64(6));
    assert_eq!(x().mul(0), Exp::i64(0));
    assert_eq!(Exp::i64(1).mul(x()), x());
    assert_eq!(x().sub(x()), Exp::i64(0));
    assert_eq!(Exp::i64(i64::MAX).add(1), Exp::i64(i64::MIN));
    assert_eq!(Exp::i64(2).lt(3), Exp::bool(true));
    assert_eq!(x().lt(3).and(Exp::bool(false)), Exp::bool(false));
    assert_eq!(x().eq(3).not().not(), x().eq(3));
}

#[test]
fn offsets_of_offsets_are_one() {
    let elem = Elem::Prim(Prim::F32);
    let once = Exp::offset(elem, Var(0), 2);
    assert_eq!(Exp::offset(elem, once.clone(), 3), Exp::offset(elem, Var(0), 5));
    assert_eq!(Exp::offset(elem, once, -2), Exp::from(Var(0)));
}
