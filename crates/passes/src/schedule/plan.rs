//! Decides for one operator whether it runs in parallel, in one version or two, given its work and how much runs around it (`Saturation`).

use super::amount::Amount;
use super::work::{Inner, Work};
use super::{ENOUGH, LARGE, SMALL};
use norn_ir::nest::{Atom, Exp, Operator, Scalar, Stm};

/// What is running where a statement is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Saturation {
    /// As much as the device can do: nothing is put into a grid.
    Sequential,
    /// Little: every operator is. So many choices between versions are left.
    Open(u32),
    /// It depends: an operator is if it is at least this much work, which is `LARGE` or more.
    Tested(u32, Atom),
}

impl Saturation {
    /// Where nothing is known about what is running.
    pub fn tested(versions: u32) -> Saturation {
        Saturation::Tested(versions, Atom::i64(LARGE as i64))
    }
}

/// How an operator runs, and in what place that puts its lambda. How much counts as much inside a grid is found out later.
#[derive(Clone, Copy)]
pub struct How {
    pub grid: bool,
    pub inside: Saturation,
}

/// One way, or if there is a test one of two.
pub struct Plan {
    pub test: Option<Test>,
    pub then: How,
    pub els: How,
}

pub enum Test {
    /// The operator is at least this much work.
    Much(Atom),
    /// It is as wide as the device needs, or no operator inside is much work; what is certainly not so is not given.
    OuterIsEnough { width: Option<Atom>, grain: Option<Amount> },
}

pub fn plan(stm: &Stm, work: &Work, saturation: Saturation) -> Plan {
    let sequential = How { grid: false, inside: Saturation::Sequential };
    let Some(operator) = stm.exp.op() else { return always(sequential) };
    if is_marked(stm, "sequential") {
        return always(sequential);
    }
    if is_marked(stm, "sequential_outer") {
        return always(How { grid: false, inside: saturation });
    }
    let inner = if is_marked(stm, "sequential_inner") { Inner::None } else { work.inner };
    // In a grid whose pieces are ordered there is no other. The chunks of a stream are as small as there are
    // elements, so a grid inside would have nothing to do.
    let alone = operator.is_ordered() || matches!(stm.exp, Exp::Op(Operator::Stream { .. }));
    let whole = How { grid: true, inside: Saturation::Sequential };
    match saturation {
        Saturation::Sequential => always(sequential),
        Saturation::Open(versions) => {
            let fewer = versions.saturating_sub(1);
            let (below, grain) = match inner {
                _ if work.total.is_below(SMALL) => return always(sequential),
                Inner::None => return always(whole),
                Inner::Even if work.grain.is_below(LARGE) => return always(whole),
                Inner::Varying if !alone => {
                    return always(How { grid: true, inside: Saturation::tested(versions) });
                }
                Inner::Even => (Saturation::Open(fewer), Some(&work.grain)),
                Inner::Varying => (Saturation::tested(fewer), None),
            };
            let both = How { grid: !alone, inside: below };
            let width = Some(operator.width()).filter(|width| !is_narrow(*width));
            let grain = grain.filter(|grain| grain.constant().is_none()).cloned();
            if width.is_none() && grain.is_none() {
                return always(both);
            }
            if versions == 0 {
                return always(whole);
            }
            Plan { test: Some(Test::OuterIsEnough { width, grain }), then: whole, els: both }
        }
        Saturation::Tested(versions, limit) => {
            if work.total.is_below(LARGE) {
                return always(sequential);
            }
            let certain = work.total.constant().is_some() && limit.constant().is_some();
            let left = if certain { versions } else { versions.saturating_sub(1) };
            let parallel = match inner {
                Inner::None => whole,
                Inner::Even | Inner::Varying if alone => whole,
                Inner::Even | Inner::Varying => How { grid: true, inside: Saturation::Tested(left, limit) },
            };
            if certain {
                return always(parallel);
            }
            if versions == 0 {
                return always(sequential);
            }
            Plan { test: Some(Test::Much(limit)), then: parallel, els: sequential }
        }
    }
}

fn always(how: How) -> Plan {
    Plan { test: None, then: how, els: how }
}

/// Too few elements for any device.
fn is_narrow(width: Atom) -> bool {
    matches!(width, Atom::Const(Scalar::I64(width)) if width < ENOUGH as i64)
}

/// Attributes of the source, which the user knows from Futhark.
fn is_marked(stm: &Stm, attr: &str) -> bool {
    stm.attrs.iter().any(|given| given == attr)
}
