//! Loop distribution (also called loop fission): the body of a map becomes several nests (rule G4).
//!
//! The statements of the body are visited in order, and each is treated by one `Strategy`:
//! - cheap statements are rematerialised in every nest that needs them (`Again`);
//! - an operator, loop or branch with parallelism inside is distributed itself;
//! - all others wait until something needs what they compute, so that neighbours share a nest (`Wait`). Checks wait, too: they
//!   run once, before what relies on them.
//!
//! ```text
//! map n (xss) \xs {                                 let as, bs = map n (xss) \xs { f xs; g xs }         // one nest: both had waited
//!   let a = f xs   let b = g xs               ==>   let cs = map n (as) \a { scan m (..) .. a .. }      // a nest of its own
//!   let c = scan m (..) .. a ..                     let ds = map n (bs, cs) h
//!   in h b c }
//! ```
//!
//! It never moves a statement over one that it depends on, or over a failure that would come first.

use super::Distributor;
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Demand};
use super::worth::is_small;
use crate::nest::mentions;
use crate::schedule::price::{bin_price, un_price};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, CellExp, Check, ControlExp, Dim, DimIndex, Exp, Prim, ScalarExp, Stm, Type,
    Var,
};
use std::collections::HashSet;
use std::rc::Rc;

/// What is done again costs at most so many operations, all that it needs included.
const CHEAP: u64 = 24;
/// Of more statements than these, together, an operator reads what they compute: not every element of a row does so many again (`imp_gen/device/map`), and one thread
/// would do all of the row.
pub const MOST_AGAIN: usize = 48;
/// An operation that costs more is not cheap.
const CHEAP_OPERATION: u64 = 6;
const DIVIDED_BY_CONSTANT: u64 = 2;

/// What becomes of a statement in a nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Done again by whoever needs it, at this cost.
    Again(u64),
    /// It waits for others to share a nest with.
    Wait,
    /// It gets a nest of its own.
    Alone,
    /// Rows of different lengths are made of an array, which is a view of all of these arrays.
    Segment,
    Operator,
    Loop,
    Branch,
    Call,
}

/// The statements that follow in a body, and what it yields: they say what is still needed.
#[derive(Clone, Copy)]
pub struct Rest<'a> {
    pub stms: &'a [Stm],
    pub result: &'a [Atom],
    /// What follows these.
    pub after: Option<&'a Rest<'a>>,
}

impl Rest<'_> {
    fn mentions(&self, vars: &[norn_ir::nest::VarInfo], found: &mut Vec<Var>) {
        self.stms.iter().for_each(|stm| mentions::in_stm(vars, stm, found));
        mentions::in_atoms(self.result, found);
        if let Some(after) = self.after {
            after.mentions(vars, found);
        }
    }

    /// Of all that follows the first statement, and in the rests after this one what follows the statement that this one replaces.
    pub fn mentions_after_first(&self, vars: &[norn_ir::nest::VarInfo], found: &mut Vec<Var>) {
        self.stms.iter().skip(1).for_each(|stm| mentions::in_stm(vars, stm, found));
        mentions::in_atoms(self.result, found);
        if let Some(after) = self.after {
            after.mentions_after_first(vars, found);
        }
    }
}

impl Distributor<'_, '_> {
    /// The statements that still wait at its end.
    pub fn body(&mut self, cx: &mut Context, body: &Body) -> Core {
        let mut waiting = Core::new();
        let around = std::mem::replace(&mut self.body_began, self.clock);
        for (number, stm) in body.stms.iter().enumerate() {
            let rest = Rest { stms: &body.stms[number..], result: &body.result, after: None };
            self.statement(cx, stm, &rest, &mut waiting);
        }
        self.body_began = around;
        waiting
    }

    /// `rest` begins with the statement.
    pub fn statement(&mut self, cx: &mut Context, stm: &Stm, rest: &Rest, waiting: &mut Core) {
        let at = self.tick();
        self.span = stm.span;
        self.note(stm);
        if let Exp::Control(ControlExp::Check(_)) = &stm.exp {
            stm.vars.iter().for_each(|var| cx.set(*var, Home::Check));
            return waiting.push((at, stm.clone()));
        }
        // What all elements make is in one region. It relies on nothing.
        if matches!(stm.exp, Exp::Cell(CellExp::Region)) {
            return self.out.push(Stm { certs: Vec::new(), ..stm.clone() });
        }
        if self.is_uniform(cx, stm) {
            return self.out.push(stm.clone());
        }
        if self.is_written_apart(cx, stm, rest)
            && let Some(list) = self.update_as_scatter(stm)
        {
            return self.list(cx, &list, rest, waiting);
        }
        match self.strategy(cx, stm) {
            Strategy::Again(cost) => {
                let home = Home::Again { level: cx.depth(), at, stm: Rc::new(stm.clone()), cost };
                stm.vars.iter().for_each(|var| cx.set(*var, home.clone()));
                return;
            }
            Strategy::Wait => {}
            Strategy::Alone
            | Strategy::Segment
            | Strategy::Operator
            | Strategy::Loop
            | Strategy::Branch
            | Strategy::Call => {
                if self.needs_waiting(cx, stm, waiting) {
                    self.flush(cx, rest, waiting);
                }
                self.store_much(cx, stm);
                // Sizes among these vary.
                stm.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
                if self.parallel(cx, at, stm, rest, waiting) {
                    return;
                }
            }
        }
        stm.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
        waiting.push((at, stm.clone()));
    }

    /// Whether it found a way to take parallelism out of the statement.
    fn parallel(&mut self, cx: &mut Context, at: u32, stm: &Stm, rest: &Rest, waiting: &mut Core) -> bool {
        match self.strategy(cx, stm) {
            Strategy::Alone => self.alone(cx, at, stm),
            Strategy::Segment => self.segments_of_all(cx, at, stm),
            Strategy::Operator => return self.operator(cx, at, stm, rest, waiting),
            Strategy::Loop => return self.loop_(cx, at, stm, rest, waiting),
            Strategy::Branch => match self.chosen_elements(cx, stm) {
                Some(list) => self.list(cx, &list, rest, waiting),
                None => return self.branch(cx, at, stm),
            },
            Strategy::Call => return self.call(cx, at, stm),
            Strategy::Again(_) | Strategy::Wait => return false,
        }
        true
    }

    pub fn strategy(&self, cx: &Context, stm: &Stm) -> Strategy {
        if self.can_write(cx, stm) && self.is_worth_writing(stm) {
            return Strategy::Operator;
        }
        if self.worth.in_stm(stm) {
            return match &stm.exp {
                Exp::Array(ArrayExp::Segment { .. }) => Strategy::Segment,
                Exp::Control(ControlExp::Loop { .. }) => Strategy::Loop,
                Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => Strategy::Branch,
                Exp::Control(ControlExp::Call { .. }) => Strategy::Call,
                exp if exp.op().is_some() => Strategy::Operator,
                _ => Strategy::Wait,
            };
        }
        let own = match &stm.exp {
            Exp::Scalar(ScalarExp::Un(op, ..)) => un_price(*op),
            Exp::Scalar(ScalarExp::Bin(op, prim, _, y)) => operation_price(*op, *prim, *y),
            Exp::Scalar(
                ScalarExp::Atom(_)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. }
                | ScalarExp::Workers
                | ScalarExp::Tunable(_),
            )
            | Exp::Control(ControlExp::Const(_)) => 1,
            // As if the map were over the array.
            Exp::Array(ArrayExp::Index { slice, .. }) if is_own(cx, slice) => 0,
            Exp::Array(
                ArrayExp::Index { .. }
                | ArrayExp::Range { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Coerce { .. }
                | ArrayExp::FlatIndex { .. }
                | ArrayExp::JoinRows(_),
            ) => 2,
            Exp::Control(ControlExp::If { cond: _, then, els })
                if stm.vars.iter().all(|var| self.names.ty(*var).is_scalar()) =>
            {
                match (self.scalar_cost(then), self.scalar_cost(els)) {
                    (Some(then), Some(els)) => 1 + then.max(els),
                    (_, _) => return Strategy::Wait,
                }
            }
            // Only its elements are used, which are all the same.
            Exp::Array(ArrayExp::Replicate { .. }) if self.counted.contains(&stm.vars[0]) => 2,
            // What is overwritten is made by whoever does that.
            Exp::Array(ArrayExp::Copy(_) | ArrayExp::Replicate { .. }) if self.is_taken(stm) => 2,
            Exp::Array(ArrayExp::Copy(_) | ArrayExp::Replicate { .. } | ArrayExp::Concat { .. })
                if !self.is_small(stm) =>
            {
                return Strategy::Alone;
            }
            Exp::Array(ArrayExp::ArrayLit(rows))
                if !self.is_small(stm) && rows.iter().any(|row| self.is_array(*row)) =>
            {
                return Strategy::Alone;
            }
            Exp::Array(
                ArrayExp::Copy(_)
                | ArrayExp::Replicate { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::ArrayLit(_)
                | ArrayExp::Update { .. }
                | ArrayExp::FlatUpdate { .. }
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::Segment { .. }
                | ArrayExp::AccWrite { .. },
            )
            | Exp::Control(
                ControlExp::If { .. }
                | ControlExp::Switch { .. }
                | ControlExp::Loop { .. }
                | ControlExp::Call { .. }
                | ControlExp::Check(_),
            )
            | Exp::Op(_)
            | Exp::Cell(_) => return Strategy::Wait,
        };
        let mut operands = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut operands);
        let before = operands.iter().map(|var| match cx.home(*var) {
            Some(Home::Again { cost, .. }) => *cost,
            Some(Home::Param { .. } | Home::Stored(_) | Home::Waiting | Home::Check) | None => 0,
        });
        let cost = before.fold(own, u64::saturating_add);
        let is_choice = matches!(stm.exp, Exp::Control(_));
        if (own <= CHEAP_OPERATION || is_choice) && cost <= CHEAP {
            Strategy::Again(cost)
        } else {
            Strategy::Wait
        }
    }

    /// What the branch of a choice among scalars costs, if it only computes and reads.
    fn scalar_cost(&self, body: &Body) -> Option<u64> {
        body.stms.iter().try_fold(0u64, |cost, stm| {
            let own = match &stm.exp {
                Exp::Scalar(ScalarExp::Un(op, ..)) => un_price(*op),
                Exp::Scalar(ScalarExp::Bin(op, prim, _, y)) => operation_price(*op, *prim, *y),
                Exp::Scalar(ScalarExp::Atom(_) | ScalarExp::Tri(..) | ScalarExp::Convert { .. }) => 1,
                Exp::Array(ArrayExp::Index { .. }) if self.names.ty(stm.vars[0]).is_scalar() => 2,
                _ => return None,
            };
            (own <= CHEAP_OPERATION).then(|| cost.saturating_add(own))
        })
    }

    /// Whether a number, or a range of numbers, is the same for all elements and can be had outside: it depends on a loop that went outside,
    /// or else it would have left the map before.
    fn is_uniform(&self, cx: &Context, stm: &Stm) -> bool {
        let mut operands = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut operands);
        self.is_safe_anywhere(stm)
            && operands.iter().all(|var| stm.vars.contains(var) || cx.is_outside((*var).into()))
    }

    /// Nothing that could fail where there are no elements.
    pub(super) fn is_safe_anywhere(&self, stm: &Stm) -> bool {
        let safe = match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(op, prim, _, y)) => match op {
                BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow if prim.is_int() => {
                    y.var().is_none() && *y != Atom::int(*prim, 0)
                }
                _ => true,
            },
            Exp::Scalar(ScalarExp::Un(..) | ScalarExp::Tri(..) | ScalarExp::Convert { .. }) => true,
            Exp::Array(ArrayExp::Range { .. }) => true,
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                let is_number = |var: &Var| self.names.ty(*var).is_scalar();
                let is_safe = |body: &Body| body.stms.iter().all(|stm| self.is_safe_anywhere(stm));
                stm.vars.iter().all(is_number) && is_safe(then) && is_safe(els)
            }
            _ => false,
        };
        safe && stm.certs.is_empty() && !stm.vars.iter().any(|var| self.names.memory.is_taken(*var))
    }

    fn is_taken(&self, stm: &Stm) -> bool {
        stm.vars.iter().all(|var| self.names.ty(*var).is_array() && self.names.memory.is_taken(*var))
    }

    fn is_array(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.names.ty(var).is_array())
    }

    fn is_small(&self, stm: &Stm) -> bool {
        stm.vars.iter().all(|var| is_small(self.names.ty(*var)))
    }

    /// Whether the statement needs what waits, or relies on a check that does.
    fn needs_waiting(&self, cx: &Context, stm: &Stm, waiting: &Core) -> bool {
        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        let slice = cx.slice(&self.names.vars, roots, &HashSet::new());
        let mut certs = Vec::new();
        mentions::certs(stm, &mut certs);
        let relies = |cert: &Var| waiting.iter().any(|(_, stm)| stm.vars.contains(cert));
        !slice.waiting.is_empty()
            || certs.iter().chain(&slice.certs).any(relies)
            || self.counts_what_waits_for_a_check(stm, waiting)
    }

    /// Whether an operator is over as many elements as a number says that is still to be checked: places of other rows are computed with it.
    fn counts_what_waits_for_a_check(&self, stm: &Stm, waiting: &Core) -> bool {
        let Some(width) = stm.exp.op().and_then(|operator| operator.width().var()) else { return false };
        let is_checked = |(_, stm): &(u32, Stm)| matches!(&stm.exp, Exp::Control(ControlExp::Check(Check::NonNegative(size))) if size.var() == Some(width));
        waiting.iter().any(is_checked)
    }

    /// Numbers that an operator needs are stored if there is much to do again for them. Integers of 64 bits are not: they may be sizes.
    fn store_much(&mut self, cx: &mut Context, stm: &Stm) {
        if stm.exp.op().is_none() {
            return;
        }
        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        let slice = cx.slice(&self.names.vars, roots.clone(), &HashSet::new());
        if slice.again.len() <= MOST_AGAIN || !slice.waiting.is_empty() {
            return;
        }
        let is_computed = |var: &Var| {
            self.may_be_stored(*var)
                && matches!(cx.home(*var), Some(Home::Again { level, .. }) if *level == cx.depth())
        };
        roots.retain(is_computed);
        roots.sort_unstable();
        roots.dedup();
        self.compute(cx, Core::new(), roots);
    }

    pub fn may_be_stored(&self, var: Var) -> bool {
        let ty = self.names.ty(var);
        ty.is_scalar() && ty.prim() != Some(Prim::I64)
    }

    /// All that waits becomes a nest, which yields what is still needed.
    pub fn flush(&mut self, cx: &mut Context, rest: &Rest, waiting: &mut Core) {
        let mut roots = Vec::new();
        rest.mentions(&self.names.vars, &mut roots);
        let mut needed = cx.slice(&self.names.vars, roots, &HashSet::new()).waiting;
        // The statement that is looked at waits for this.
        needed.retain(|var| waiting.iter().any(|(_, stm)| stm.vars.contains(var)));
        self.compute(cx, std::mem::take(waiting), needed.into_iter().collect());
    }

    /// A nest of these statements, which yields these variables: from now on they are stored.
    pub fn compute(&mut self, cx: &mut Context, core: Core, needed: Vec<Var>) {
        if needed.is_empty() && !core.iter().any(|(_, stm)| self.effects.stm_fails(stm)) {
            return;
        }
        let places: Vec<u32> = needed
            .iter()
            .map(|var| core.iter().find(|(_, stm)| stm.vars.contains(var)).map_or(0, |(at, _)| *at))
            .collect();
        let mut demands: Vec<Demand> = needed.iter().map(|var| self.demand(cx, *var)).collect();
        if demands.is_empty() {
            // There are only checks.
            demands.push(Demand { value: Atom::bool(true), name: "done".into(), ty: cx.all(&Type::bool()) });
        }
        let arrays = self.kernel(cx, core, &demands, self.span);
        for ((var, array), at) in needed.iter().zip(arrays).zip(places) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
    }

    pub fn demand(&self, cx: &Context, var: Var) -> Demand {
        Demand { value: var.into(), name: self.names.name(var), ty: cx.all(self.names.ty(var)) }
    }

    /// The statement in a nest of its own; outside all maps, as it is.
    pub fn alone(&mut self, cx: &mut Context, at: u32, stm: &Stm) {
        if cx.depth() == 0 {
            return self.out.push(stm.clone());
        }
        self.taken_out += usize::from(stm.exp.op().is_some());
        let demands: Vec<Demand> = stm.vars.iter().map(|var| self.demand(cx, *var)).collect();
        let arrays = self.kernel(cx, vec![(at, stm.clone())], &demands, stm.span);
        for (var, array) in stm.vars.iter().zip(arrays) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
    }

    /// The arrays of what a body yields, given what waits at its end, and whether each has memory of its own. What was
    /// stored before the body began, `since` then, is also somebody else's.
    pub fn results(
        &mut self,
        cx: &mut Context,
        waiting: Core,
        demands: Vec<Demand>,
        since: u32,
    ) -> Vec<(Var, bool)> {
        let bound: HashSet<Var> = waiting.iter().flat_map(|(_, stm)| stm.vars.iter().copied()).collect();
        let mut found: Vec<Option<(Var, bool)>> = Vec::with_capacity(demands.len());
        let mut taken: Vec<Var> = Vec::new();
        for each in &demands {
            // Two results do not share memory.
            let there = self.stored(cx, each, since).filter(|(array, _)| !taken.contains(array));
            taken.extend(there.map(|(array, _)| array));
            let there = there.map(|(array, fresh)| (self.in_pattern(array, each), fresh));
            found.push(there.or_else(|| self.replicated(cx, each)));
        }
        // Arrays that are there already, or can be made by many threads, are copied by these.
        let wide = |this: &Self, each: &Demand| {
            each.value.var().filter(|var| {
                let ty = this.names.ty(*var);
                ty.is_array() && !is_small(ty) && !bound.contains(var)
            })
        };
        let mut together: Vec<usize> = Vec::new();
        let mut apart: Vec<(usize, Var)> = Vec::new();
        let mut needed: Vec<Var> = Vec::new();
        for (number, each) in demands.iter().enumerate().filter(|(number, _)| found[*number].is_none()) {
            match wide(self, each) {
                Some(var) => {
                    apart.push((number, var));
                    let slice = cx.slice(&self.names.vars, vec![var], &HashSet::new());
                    needed.extend(slice.waiting);
                }
                None => together.push(number),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        if together.is_empty() {
            self.compute(cx, waiting, needed);
        } else {
            let places: Vec<u32> = needed
                .iter()
                .map(|var| waiting.iter().find(|(_, stm)| stm.vars.contains(var)).map_or(0, |(at, _)| *at))
                .collect();
            let mut list: Vec<Demand> = together.iter().map(|number| demands[*number].clone()).collect();
            list.extend(needed.iter().map(|var| self.demand(cx, *var)));
            let arrays = self.kernel(cx, waiting, &list, self.span);
            for (number, array) in together.iter().zip(&arrays) {
                found[*number] = Some((*array, true));
            }
            for ((var, array), at) in needed.iter().zip(&arrays[together.len()..]).zip(places) {
                cx.set(*var, Home::Stored(Stored { level: cx.depth(), array: *array, fresh: true, at }));
            }
        }
        for (number, var) in apart {
            found[number] = Some((self.copy_of_all(cx, var, &demands[number]), true));
        }
        found.into_iter().flatten().collect()
    }

    /// The array that has the value already, if there is one.
    fn stored(&mut self, cx: &Context, demand: &Demand, since: u32) -> Option<(Var, bool)> {
        let var = demand.value.var()?;
        let (array, fresh) = match cx.home(var)? {
            Home::Stored(stored) if stored.level == cx.depth() => {
                (stored.array, stored.fresh && stored.at >= since)
            }
            Home::Param { level, group } if *level == cx.depth() => {
                let params = &cx.levels[level - 1].groups[*group].params;
                let is_row = params.last() == Some(&var);
                let input = cx.whole_input(*level, *group)?;
                if !is_row && *level > 1 {
                    return None;
                }
                if !is_row {
                    let lengths =
                        self.emit(&demand.name, demand.ty.clone(), Exp::Array(ArrayExp::Lengths(input)));
                    return Some((lengths, false));
                }
                (input, false)
            }
            Home::Stored(_) | Home::Param { .. } | Home::Again { .. } | Home::Waiting | Home::Check => {
                return None;
            }
        };
        Some((array, fresh))
    }

    /// The array coerced to the type of the demand, which may have `?` where the array has sizes.
    pub fn in_pattern(&mut self, array: Var, demand: &Demand) -> Var {
        if self.names.ty(array).same_pattern(&demand.ty) {
            return array;
        }
        let exp = Exp::coerce(array, demand.ty.dims().to_vec());
        self.emit(&demand.name, demand.ty.clone(), exp)
    }

    /// What is the same for all elements of the only map.
    fn replicated(&mut self, cx: &Context, demand: &Demand) -> Option<(Var, bool)> {
        let [level] = &cx.levels[..] else { return None };
        if !cx.is_outside(demand.value) {
            return None;
        }
        let row = match demand.value {
            Atom::Var(var) => self.names.ty(var).clone(),
            Atom::Const(scalar) => Type::scalar(scalar.prim()),
        };
        let exp = Exp::replicate(level.width, demand.value);
        let array = self.emit(&demand.name, row.array_of(Dim::Size(level.width)), exp);
        self.replicated.insert(array, demand.value);
        Some((self.in_pattern(array, demand), true))
    }

    /// A nest that makes an array of what is one already, or can be had from one.
    pub fn copy_of_all(&mut self, cx: &mut Context, var: Var, demand: &Demand) -> Var {
        let mut core = Core::new();
        let mut value = var;
        let makes = match cx.home(var) {
            Some(Home::Again { stm, .. }) => {
                matches!(
                    stm.exp,
                    Exp::Array(ArrayExp::Copy(_) | ArrayExp::Replicate { .. } | ArrayExp::Range { .. })
                )
            }
            Some(Home::Param { .. } | Home::Stored(_) | Home::Waiting | Home::Check) | None => false,
        };
        if !makes {
            value = self.names.fresh(&demand.name, self.names.ty(var).clone());
            core.push((self.tick(), self.stm(vec![value], Exp::copy(var), self.span)));
        }
        let demand = Demand { value: value.into(), ..demand.clone() };
        self.kernel(cx, core, &[demand], self.span)[0]
    }
}

/// By a number that is known, integers are divided with a product and shifts.
fn operation_price(op: BinOp, prim: Prim, y: Atom) -> u64 {
    let divides = matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem);
    match y {
        Atom::Const(_) if divides && prim.is_int() => DIVIDED_BY_CONSTANT,
        Atom::Const(_) | Atom::Var(_) => bin_price(op),
    }
}

/// Whether an array is read at elements of the maps around, as numbers are.
fn is_own(cx: &Context, slice: &[DimIndex]) -> bool {
    slice.iter().all(|index| match index {
        DimIndex::Fix(Atom::Var(var)) => matches!(cx.home(*var), Some(Home::Param { .. })),
        DimIndex::Fix(Atom::Const(_)) | DimIndex::Slice { .. } => false,
    })
}
