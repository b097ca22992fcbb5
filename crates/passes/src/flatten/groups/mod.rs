//! A version of a map in which each element is done by a group of threads: its operators are `grid`s inside the map, also in loops and
//! branches.
//!
//! What the operators make stays in memory that is the group's (`imp_gen/device/groups`), and a loop needs no launches. So it pays where the
//! arrays of an element are small enough for that memory, and large enough for many threads.
//!
//! All threads of a group do whatever is no operator, and agree about it. The sizes of arrays that are made are known outside of the
//! map, since the launch has to say how much memory a group needs.
//!
//! Which statements may stand in such a map is found out on a walk (`plan`, `operators`); whether the version is the faster one, by sizes at run time
//! (`fit`).

mod fit;
mod operators;
mod plan;

use super::Distributor;
use super::context::Context;
use crate::imp_gen::counted_vars;
use crate::nest::mentions::bound_inside;
pub use fit::Fits;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Check, ControlExp, Elem, Exp, Grid, Lambda, LoopForm, Operator, Scalar, ScalarExp,
    Stm, Type, Var,
};
use plan::Plan;
use std::collections::{BTreeMap, HashMap, HashSet};

/// All that a group makes of an element takes at most so many bytes.
const ROOM: i64 = 52 << 10;
/// What its operators share beside.
const FIXED: i64 = 10 << 10;
/// An operator that all threads of the group do.
const TOGETHER: Grid = Grid { work: Atom::Const(Scalar::I64(0)), balance: None };
/// More dimensions than these are not counted without overflow.
const MOST_DIMS: usize = 3;

/// A map that groups can do, if what it needs is not too much.
pub struct GroupVersion {
    pub exp: Exp,
    /// How many groups there are, as a product.
    widths: Vec<Atom>,
    /// Over how many elements operators go, each a product.
    counts: Vec<Vec<Atom>>,
    /// Of all arrays that are made: the bytes of an element, and the dimensions.
    arrays: Vec<(i64, Vec<Atom>)>,
    /// As in `Plan`.
    matrices: Vec<Vec<Atom>>,
    has_loops: bool,
    has_sequences: bool,
}

impl GroupVersion {
    /// There is one group: it saves launches, and nothing else.
    fn is_alone(&self) -> bool {
        self.widths == [Atom::i64(1)]
    }
}

impl Distributor<'_, '_> {
    /// The version, if there is one. `is_deep`: as in `Plan`.
    pub fn by_groups(&self, cx: &Context, stm: &Stm, is_deep: bool) -> Option<GroupVersion> {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return None };
        let widths: Vec<Atom> = cx.levels.iter().map(|level| level.width).chain([*width]).collect();
        if widths.len() > MOST_DIMS
            || !widths.iter().all(|width| cx.is_outside(*width))
            || !stm.vars.iter().all(|var| self.is_for_groups(*var))
        {
            return None;
        }
        let is_alone = widths == [Atom::i64(1)];
        let mut plan = Plan {
            around: self,
            cx,
            bound: bound_inside(stm),
            counts: Vec::new(),
            arrays: Vec::new(),
            shared: BTreeMap::new(),
            placed: counted_vars(&self.names.vars, &lambda.body).into_iter().collect(),
            in_order: HashSet::new(),
            given_up: HashSet::new(),
            estimates: HashMap::new(),
            is_deep,
            operators: 0,
            in_loops: 0,
            matrices: Vec::new(),
            has_long_loops: false,
            has_sequences: false,
            has_loops: false,
            is_alone,
        };
        let body = plan.body(&lambda.body, true)?;
        let Plan {
            counts, arrays, shared, has_loops, has_sequences, is_deep, matrices, has_long_loops, ..
        } = plan;
        if counts.is_empty() && !(is_alone && has_loops)
            || shared.values().sum::<i64>() > FIXED
            || (is_deep || cx.depth() > 0) && !has_loops
        {
            return None;
        }
        if !matrices.is_empty() && !has_long_loops {
            return None;
        }
        let lambda = Lambda::new(lambda.params.clone(), body);
        let exp = Exp::map(*width, inputs.clone(), lambda);
        Some(GroupVersion { exp, widths, counts, arrays, matrices, has_loops, has_sequences })
    }

    /// Scalars and regular arrays.
    fn is_for_groups(&self, var: Var) -> bool {
        match self.names.ty(var) {
            ty @ Type::Value(Elem::Prim(_), _) => ty.dims().iter().all(|dim| dim.atom().is_some()),
            Type::Cert => true,
            Type::Value(Elem::Ref(..), _) | Type::Acc(_) | Type::Seg { .. } | Type::Region => false,
        }
    }

    /// Scalars, elements, views and control flow, which a thread does by itself.
    fn is_plain(&self, stm: &Stm) -> bool {
        self.is_alone(stm, false)
    }

    /// The same for all statements of a body; `reduces`: there may be reductions to scalars among them.
    fn is_alone_in_body(&self, body: &Body, reduces: bool) -> bool {
        body.stms.iter().all(|stm| self.is_alone(stm, reduces))
    }

    fn is_alone(&self, stm: &Stm, reduces: bool) -> bool {
        let is_plain_body = |body: &Body| self.is_alone_in_body(body, reduces);
        let scalars = stm.vars.iter().all(|var| self.names.ty(*var).prim().is_some());
        match &stm.exp {
            Exp::Array(ArrayExp::Index { .. } | ArrayExp::Range { .. } | ArrayExp::Rearrange { .. }) => true,
            Exp::Control(ControlExp::Check(check)) => {
                !matches!(check, Check::Shape { .. } | Check::Segments { .. })
            }
            Exp::Scalar(
                ScalarExp::Atom(_)
                | ScalarExp::Un(..)
                | ScalarExp::Bin(..)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. },
            ) => scalars,
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                scalars && is_plain_body(then) && is_plain_body(els)
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                scalars && cases.iter().all(|(_, body)| is_plain_body(body)) && is_plain_body(default)
            }
            Exp::Control(ControlExp::Loop { params: _, form, body }) => {
                let tested = match form {
                    LoopForm::For(..) => true,
                    LoopForm::While(cond) => is_plain_body(cond),
                };
                scalars && tested && is_plain_body(body)
            }
            Exp::Op(op @ (Operator::Reduce { .. } | Operator::Fused { .. })) => {
                let Some(op) = op.combining().filter(|op| reduces && op.scans.is_empty()) else {
                    return false;
                };
                let of_lambda = op.lambda.is_none_or(|lambda| is_plain_body(&lambda.body));
                scalars && of_lambda && op.reductions.iter().all(|op| is_plain_body(&op.lambda.body))
            }
            _ => false,
        }
    }
}
