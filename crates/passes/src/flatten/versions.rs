//! Multi-versioning (incremental flattening): up to three translations of an operator in a nest, one of which is chosen at run time by sizes.
//!
//! 1. The nest as it was, where the outer parallelism alone is enough for the device.
//! 2. Taken apart, so that the parallelism inside is used, too.
//! 3. With a group of threads for each element (`groups`).
//!
//! A nest that is taken apart has versions again one level further in, and one that stays has none inside, so that there are as many versions of a
//! statement as there are levels around it. Where the outer parallelism was found not to be enough, inner nests do not test it again. A user can set
//! the thresholds (`thresholds`).
//!
//! ```text
//! map n (xss) \xs { map m (xs) f }    ==>    if n >= threads / PARTS { one thread for each row } else { one thread for each element }
//! ```
//!
//! Only one version is made where the test would be decided anyway: little work inside (`LITTLE`, ..), a nest that no kernel can run as it is
//! (`can_stay`), or threads that all read the same arrays (`reads_the_same`). Method: Henriksen et al., Incremental flattening for nested data parallelism, PPoPP 2019.

use super::chunks::has_loop;
use super::context::{Context, Home, Stored};
use super::groups::Fits;
use super::worth::is_small;
use super::{Distributor, VersionChoice};
use crate::imp_gen::FEW;
use crate::nest::mentions::{bound_inside, in_reduction};
use crate::nest::subst::Subst;
use crate::place::able::RunsOn;
use crate::schedule::amount::Amount;
use crate::schedule::emit::Emit;
use crate::tuning::{NEVER, THRESHOLD};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, Exp, LoopForm, Operator, Reduction, Scalar, Stm, Var,
};
use std::collections::HashSet;
use std::rc::Rc;

/// A fraction of the threads that the device can run at once is enough: one in so many.
const PARTS: i64 = 4;
/// The same where threads read the same arrays; if they yield rows, arrays of so many elements at least. They do so together, through shared memory, several of them for
/// one element (`imp_gen/device/staged`), so that a thread of each is much faster than a row of each.
///
/// And where the host would wait in every iteration of a loop inside (`waits`), or, if no group of threads can do an element, where a loop runs more often for some elements than for
/// others: so many threads take about as long for rows of any length as the kernels for all their elements do, and much less for short ones.
const SHARED_PARTS: i64 = 64;
const SHARED_LENGTH: i64 = 512;
/// Less work than this inside, in scalar operations, is done by one thread in the time that another nest takes to start.
const LITTLE: i64 = 1 << 10;
/// The same for a thread that writes to a row in memory, and waits for what it wrote before.
const LITTLE_WRITTEN: i64 = LITTLE / 4;
/// The same where a loop runs more often for some elements than for others. Taken apart, each iteration is several launches, and the host
/// waits for it.
const LITTLE_VARYING: i64 = 16 * LITTLE;
/// More work than this inside is long, for a thread that writes to a row of its own.
const SHORT: i64 = 8 * LITTLE;
/// A row of so many elements is copied by one thread.
const SHORT_ROW: i64 = 64;
/// So many statements may stand before a reduction of an element's own row, and behind it.
pub(super) const LITTLE_AROUND: usize = 12;
/// Fewer threads than these are too few for any device.
const NARROW: i64 = 1 << 10;

impl Distributor<'_, '_> {
    /// An operator with parallelism inside, in one version or two. Whether there is any way to run it in parallel here.
    pub fn versions(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let can_stay = self.can_stay(cx, stm);
        if self.choice == VersionChoice::Tested && can_stay && self.reduces_own_row(stm) {
            return self.as_it_is(cx, at, stm);
        }
        let mut tests = Vec::new();
        let Enough { test, wide, without_groups } = self.outer_is_enough(cx, stm, &mut tests);
        let mut test = test.filter(|_| can_stay);
        let is_wide = wide.is_some();
        if test == Some(Atom::bool(true)) {
            return self.as_it_is(cx, at, stm);
        }
        let before = self.taken_out;
        let known = self.too_narrow.len();
        self.too_narrow.extend(wide.filter(|_| test.is_some()));
        let apart = self.branch_of(cx, stm, |this, cx, stm| this.split(cx, at, stm));
        self.too_narrow.truncate(known);
        let apart = apart.filter(|_| self.taken_out > before);
        let Some(apart) = apart else { return self.as_it_is(cx, at, stm) };
        if can_stay && apart.stms.iter().any(|stm| self.makes_rows_of_rows(stm)) {
            return self.as_it_is(cx, at, stm);
        }
        let mut groups = match self.choice {
            VersionChoice::Tested => self.groups_branch(cx, at, stm, (self.number_of(stm), "groups")),
            VersionChoice::Apart => None,
        };
        if groups.is_none()
            && let (Some(enough), Some(widths)) = (&mut test, without_groups)
        {
            // Taken apart, each iteration is several launches and a wait.
            let mut emit = Emit::new(&mut self.names.vars, &mut tests, stm.span);
            let product = outer_product(&mut emit, &widths);
            let workers = emit.workers();
            let parts = emit.bin(BinOp::Mul, "parts", product, Atom::i64(SHARED_PARTS));
            let wide = emit.at_most("wide", workers, parts);
            *enough = emit.or("enough", *enough, wide);
            self.names.memory.grow(self.names.vars.len());
        }
        if let (Some(enough), Some(groups)) = (&mut test, &mut groups)
            && let Some(crowded) = groups.crowded.filter(|_| is_wide)
        {
            tests.append(&mut groups.tests);
            let mut emit = Emit::new(&mut self.names.vars, &mut tests, stm.span);
            let roomy = emit.not("roomy", crowded);
            *enough = emit.and("enough", *enough, roomy);
            self.names.memory.grow(self.names.vars.len());
        }
        if let Some(usual @ Atom::Var(_)) = test {
            test = Some(self.or_as_set(cx, stm, usual, &mut tests));
        }
        if test.is_none() && groups.is_none() && cx.depth() > 0 {
            self.only_version(cx, at, stm, apart);
            return true;
        }
        let mut apart = self.yielded(apart);
        if let Some(groups) = groups {
            self.or_by_groups(cx, stm, groups, &mut apart);
        }
        let Some(cond) = test else {
            // There is one version only, which need not be a branch.
            self.out.extend(apart.stms);
            for (var, array) in stm.vars.iter().zip(apart.result) {
                self.put(cx, at, *var, array, true);
            }
            return true;
        };
        let whole = self.branch_of(cx, stm, |this, cx, stm| {
            match cx.depth() {
                0 => {
                    let vars = stm.vars.clone();
                    let copy = this.names.copy_stm(&mut Subst::default(), stm);
                    this.out.push(Stm { vars, ..copy });
                }
                _ => this.alone(cx, at, stm),
            }
            true
        });
        let Some(whole) = whole else { return false };
        let whole = self.yielded(whole);
        self.out.extend(tests);
        let arrays: Vec<Var> = match cx.depth() {
            0 => stm.vars.clone(),
            _ => self.arrays_for(cx, stm),
        };
        let exp = Exp::if_(cond, whole, apart);
        // Inside maps, checks have been done before.
        let certs = if cx.depth() == 0 { stm.certs.clone() } else { Vec::new() };
        self.out.push(Stm { vars: arrays.clone(), exp, certs, ..stm.clone() });
        if cx.depth() > 0 {
            for (var, array) in stm.vars.iter().zip(arrays) {
                cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
            }
        }
        true
    }

    /// Whether the device can run the nest as it is. No kernel makes rows of rows of different lengths, and no thread makes rows of different
    /// lengths at all: such a nest would run on the processor, however wide it is.
    fn can_stay(&self, cx: &Context, stm: &Stm) -> bool {
        match cx.depth() {
            0 => self.able.runs_on(&self.names.vars, stm) == RunsOn::Device,
            _ => self.able.fits_thread(&self.names.vars, stm),
        }
    }

    /// Whether a map yields rows of rows of different lengths that its elements make in a way of their own: no kernel does that.
    fn makes_rows_of_rows(&self, stm: &Stm) -> bool {
        let mut makes = false;
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => makes |= body.stms.iter().any(|stm| self.makes_rows_of_rows(stm)),
            Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return makes };
        stm.vars.iter().zip(&lambda.body.result).any(|(var, result)| {
            let rows = self.names.ty(*var).dims().get(1..).unwrap_or_default();
            let made =
                lambda.body.stms.iter().find(|stm| result.var().is_some_and(|var| stm.vars.contains(&var)));
            rows.iter().filter(|dim| **dim == Dim::Irregular).count() > 1
                && made
                    .is_some_and(|made| matches!(made.exp, Exp::Control(_)) || self.makes_rows_of_rows(made))
        })
    }

    /// The version with a group of threads for each element, if there is one, and when that fits; `threshold`: by what number and name a user decides.
    pub(super) fn groups_branch(
        &mut self,
        cx: &mut Context,
        at: u32,
        stm: &Stm,
        threshold: (usize, &str),
    ) -> Option<GroupsBranch> {
        if self.only_reduces_columns(stm) {
            return None;
        }
        let mut in_levels = self.levels_apart(stm);
        let inside = bound_inside(&in_levels);
        let is_outside =
            |atom: Atom| cx.is_outside(atom) && atom.var().is_none_or(|var| !inside.contains(&var));
        let Exp::Op(Operator::Map { lambda, .. }) = &mut in_levels.exp else { return None };
        let neutral_varies = self.body_with_nothing(&mut lambda.body, &is_outside);
        let version = self.by_groups(cx, &in_levels, neutral_varies)?;
        let (number, what) = threshold;
        let least = self.tuner.ask(number, what, "by sizes", THRESHOLD, stm.span);
        if least == Some(NEVER) {
            return None;
        }
        let mut tests = Vec::new();
        let mut fits = self.groups_fit(&version, least.map(Atom::i64), &mut tests);
        if let Some(number) = self.tuner.ask_at_run_time(number, what) {
            let set = Emit::new(&mut self.names.vars, &mut tests, stm.span).tunable(number);
            self.names.memory.grow(self.names.vars.len());
            let by_user = self.groups_fit(&version, Some(set), &mut tests).cond;
            let mut emit = Emit::new(&mut self.names.vars, &mut tests, stm.span);
            let ever = emit.at_most("ever", set, Atom::i64(NEVER - 1));
            let by_user = emit.and("fits", ever, by_user);
            fits.cond = emit.by_tunable(set, by_user, fits.cond);
            fits.crowded = fits.crowded.map(|crowded| emit.by_tunable(set, Atom::bool(false), crowded));
            self.names.memory.grow(self.names.vars.len());
        }
        let Fits { cond, few, crowded } = fits;
        let groups = Stm { exp: version.exp, ..stm.clone() };
        let mut body = self.body_by_groups(cx, at, &groups)?;
        if let Some(few) = few {
            let attrs = [&groups.attrs[..], &[FEW.to_string()]].concat();
            let by_few = self.body_by_groups(cx, at, &Stm { attrs, ..groups })?;
            self.or_else(cx, stm, few, by_few, &mut body);
        }
        Some(GroupsBranch { tests, cond, crowded, body })
    }

    fn body_by_groups(&mut self, cx: &mut Context, at: u32, groups: &Stm) -> Option<Body> {
        let copy = self.names.copy_stm(&mut Subst::default(), groups);
        let body = self.branch_of(cx, groups, |this, cx, stm| {
            this.alone(cx, at, &Stm { vars: stm.vars.clone(), ..copy });
            true
        })?;
        Some(self.yielded(body))
    }

    /// A body, or another one if something holds.
    fn or_else(&mut self, cx: &Context, stm: &Stm, cond: Atom, then: Body, els: &mut Body) {
        let vars = self.arrays_for(cx, stm);
        let result = vars.iter().map(|var| Atom::Var(*var)).collect();
        let exp = Exp::if_(cond, then, std::mem::take(els));
        // Inside maps, checks have been done before.
        let certs = if cx.depth() == 0 { stm.certs.clone() } else { Vec::new() };
        *els = Body { stms: vec![Stm { vars, exp, certs, ..stm.clone() }], result };
    }

    /// What has been made of the statement, or a group of threads for each element, if that fits.
    fn or_by_groups(&mut self, cx: &Context, stm: &Stm, groups: GroupsBranch, apart: &mut Body) {
        let GroupsBranch { mut tests, cond, body, crowded: _ } = groups;
        self.or_else(cx, stm, cond, body, apart);
        tests.append(&mut apart.stms);
        apart.stms = tests;
    }

    /// Arrays outside of all maps for what a statement binds.
    fn arrays_for(&mut self, cx: &Context, stm: &Stm) -> Vec<Var> {
        if cx.depth() == 0 {
            return self.names.like(&stm.vars);
        }
        let demands: Vec<_> = stm.vars.iter().map(|var| self.demand(cx, *var)).collect();
        demands.into_iter().map(|demand| self.names.fresh(&demand.name, demand.ty)).collect()
    }

    /// Whether each element reduces a column of a matrix, once: threads for neighbouring columns read neighbours, and those of a group would not.
    fn only_reduces_columns(&self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { inputs, lambda, .. }) = &stm.exp else { return false };
        let mut inside = lambda.body.stms.iter().filter(|stm| self.worth.in_stm(stm));
        let (Some(only), None) = (inside.next(), inside.next()) else { return false };
        let reduces = match &only.exp {
            Exp::Op(Operator::Reduce { .. }) => true,
            Exp::Op(Operator::Fused { scans, .. }) => scans.is_empty(),
            _ => false,
        };
        let is_scalar = |var: &Var| self.names.ty(*var).is_scalar();
        let columns = inputs.iter().zip(&lambda.params).filter(|(input, _)| self.transposed.contains(input));
        let columns: Vec<Var> = columns.map(|(_, param)| *param).collect();
        let reads = only.exp.op().map_or(&[][..], |op| op.inputs());
        reduces
            && only.vars.iter().all(is_scalar)
            && inputs.len() == lambda.params.len()
            && reads.iter().any(|row| columns.contains(row))
    }

    /// The operator in a nest of its own, unless its width varies in a way that no nest can have.
    fn as_it_is(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let width = stm.exp.op().map_or(Atom::i64(0), |operator| operator.width());
        if !self.is_described(cx, stm, width) {
            return self.ragged_operator(cx, at, stm);
        }
        self.alone(cx, at, stm);
        true
    }

    /// The value of a variable of the context is this array from now on.
    pub fn put(&mut self, cx: &mut Context, at: u32, var: Var, array: Atom, fresh: bool) {
        match (cx.depth(), self.subst.atom(array)) {
            (0, array) => self.subst.set(var, array),
            (level, Atom::Var(array)) => cx.set(var, Home::Stored(Stored { level, array, fresh, at })),
            (_, Atom::Const(_)) => {}
        }
    }

    /// What is made of a copy of the statement, which may become a branch.
    fn branch_of(
        &mut self,
        cx: &mut Context,
        stm: &Stm,
        make: impl FnOnce(&mut Self, &mut Context, &Stm) -> bool,
    ) -> Option<Branch> {
        let outer = std::mem::take(&mut self.out);
        let began = std::mem::replace(&mut self.body_began, self.clock + 1);
        let around = cx.clone();
        let mut own = stm.clone();
        own.vars = self.names.like(&stm.vars);
        if cx.depth() > 0 {
            own.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
        }
        let made = make(self, cx, &own);
        self.body_began = began;
        let stms = std::mem::replace(&mut self.out, outer);
        // What is stored in the branch is not there outside.
        let inside = std::mem::replace(cx, around);
        made.then_some(Branch { stms, vars: own.vars, cx: inside })
    }

    /// The branch as a body that yields the arrays of its variables, all of them with memory of their own.
    fn yielded(&mut self, branch: Branch) -> Body {
        let Branch { stms, vars, mut cx } = branch;
        let outer = std::mem::replace(&mut self.out, stms);
        let mut result = Vec::new();
        for var in vars {
            let array = match cx.home(var) {
                Some(Home::Stored(stored)) => self.fresh_copy(stored.array, stored.fresh),
                // A view of what is stored in the branch: a scan of rows is one of columns, seen from the side.
                Some(Home::Again { .. } | Home::Param { .. }) => {
                    let demand = self.demand(&cx, var);
                    self.copy_of_all(&mut cx, var, &demand)
                }
                Some(Home::Waiting | Home::Check) | None => var,
            };
            result.push(array.into());
        }
        Body { stms: std::mem::replace(&mut self.out, outer), result }
    }

    /// The branch stands where the statement stood, inside maps, and what it stores is there for all that follows.
    fn only_version(&mut self, cx: &mut Context, at: u32, stm: &Stm, branch: Branch) {
        let Branch { stms, vars, cx: inside } = branch;
        self.out.extend(stms);
        *cx = inside;
        for (var, own) in stm.vars.iter().zip(&vars) {
            match cx.home(*own).cloned() {
                Some(Home::Stored(stored)) => {
                    let array = self.fresh_copy(stored.array, stored.fresh);
                    self.put(cx, at, *var, array.into(), true);
                }
                Some(Home::Again { level, at: _, stm: view, cost }) => {
                    let renamed = |bound: &Var| if bound == own { *var } else { *bound };
                    let view = Stm { vars: view.vars.iter().map(renamed).collect(), ..(*view).clone() };
                    cx.set(*var, Home::Again { level, at: self.tick(), stm: Rc::new(view), cost });
                }
                Some(Home::Param { .. } | Home::Waiting | Home::Check) | None => {
                    self.put(cx, at, *var, (*own).into(), true);
                }
            }
        }
    }

    /// Whether the maps around the operator and its own width are enough for the device. The statements compute it.
    fn outer_is_enough(&mut self, cx: &Context, stm: &Stm, tests: &mut Vec<Stm>) -> Enough {
        match self.choice {
            VersionChoice::Apart => return Enough::default(),
            VersionChoice::Tested => {}
        }
        let by_threads = cx.depth() > 0 && self.reduces_and_yields(stm);
        if by_threads || self.reduces_rows(cx, stm) || self.multiplies_and_more(cx, stm) {
            return Enough::default();
        }
        let Some(operator) = stm.exp.op() else { return Enough::default() };
        // Recursion with operators inside is done for all elements at once, unless a user wants a thread for each.
        if self.calls_itself(&stm.exp) {
            let widths: Vec<Atom> =
                cx.levels.iter().map(|level| level.width).chain([operator.width()]).collect();
            let is_counted = widths.iter().all(|width| cx.is_outside(*width));
            let fits = is_counted && self.able.runs_on(&self.names.vars, stm) == RunsOn::Device;
            let walks = self.walks(&stm.exp);
            let usual = if walks { "1024" } else { "`never`" };
            let least = if fits && cx.depth() == 0 { self.threshold(stm, "outer", usual) } else { None };
            let is_refuted = self.too_narrow.contains(&(widths.clone(), i64::MAX));
            if least.is_none() && fits && walks && !is_refuted {
                let test = self.is_least(stm, NARROW, &widths, tests);
                return Enough { test, wide: Some((widths, i64::MAX)), without_groups: None };
            }
            return Enough {
                test: least.and_then(|least| self.is_least(stm, least, &widths, tests)),
                ..Enough::default()
            };
        }
        // Rows of different lengths keep some threads busy for long, and others idle.
        let rows_differ = operator.inputs().iter().any(|input| self.names.ty(*input).has_irregular_rows());
        if rows_differ || self.widths_differ(stm) {
            return self.short_rows_are_enough(cx, stm, tests);
        }
        let widths: Vec<Atom> = cx.levels.iter().map(|level| level.width).chain([operator.width()]).collect();
        if !widths.iter().all(|width| cx.is_outside(*width)) {
            return Enough::default();
        }
        if self.can_stay(cx, stm)
            && let Some(least) = self.threshold(stm, "outer", "by the device, sizes and work")
        {
            return Enough { test: self.is_least(stm, least, &widths, tests), ..Enough::default() };
        }
        if !self.worth.inside(stm)
            && let Some(sizes) = self.updated_rows(cx, stm)
        {
            let mut emit = Emit::new(&mut self.names.vars, tests, stm.span);
            let mut product = sizes[0];
            for size in &sizes[1..] {
                product = emit.bin(BinOp::Mul, "row", product, *size);
            }
            let test = emit.at_most("short", product, Atom::i64(SHORT_ROW));
            self.names.memory.grow(self.names.vars.len());
            return Enough { test: Some(test), ..Enough::default() };
        }
        let writes = self.holds_writes(cx, stm);
        let varies = self.has_varying_loop(cx, stm);
        let most_little = match (writes, varies) {
            (true, _) => LITTLE_WRITTEN,
            (false, true) => LITTLE_VARYING,
            (false, false) => LITTLE,
        };
        let work = self.work.of(stm);
        // One thread would combine what is a row again, in a map over columns that was a reduction of rows. Where all operators inside are small, they have their
        // elements side by side, unless a loop around them takes launches in each of its iterations.
        let is_small =
            (cx.depth() == 0 || varies) && work.is_some_and(|work| work.grain.constant() == Some(0));
        let loops = matches!(operator, Operator::Map { lambda, .. } if has_loop(&lambda.body));
        if is_small && (!loops || work.is_some_and(|work| work.each.constant() == Some(0))) {
            return Enough::default();
        }
        let is_known = |grain: &Amount| grain.factors().all(|factor| cx.is_outside(factor.var().into()));
        let grain = work.map(|work| if is_small { work.each.clone() } else { work.grain.clone() });
        let grain = grain.filter(|grain| cx.depth() == 0 || varies && is_known(grain));
        let known = widths.iter().try_fold(1i64, |product, width| match width {
            Atom::Const(Scalar::I64(width)) => Some(product.saturating_mul(*width)),
            Atom::Const(_) | Atom::Var(_) => None,
        });
        let shared = self.reads_the_same(cx, stm);
        let waits = self.iterations_wait(stm);
        let most_parts = if shared.is_some() || waits { SHARED_PARTS } else { PARTS };
        let row = self.yielded_row(cx, stm);
        // Where rows are yielded, they are short.
        let products = if row.is_none() { self.products(cx, stm) } else { Vec::new() };
        let mut emit = Emit::new(&mut self.names.vars, tests, stm.span);
        let is_refuted = |(others, most): &(Vec<Atom>, i64)| *others == widths && most_parts <= *most;
        let is_narrow = known.is_some_and(|known| known < NARROW) || self.too_narrow.iter().any(is_refuted);
        // How long rows are is known outside only.
        let mut narrow = None;
        let wide = if is_narrow || writes && grain.is_none() {
            None
        } else {
            let product = outer_product(&mut emit, &widths);
            let workers = emit.workers();
            let by_elements = matches!(shared, Some(Shared::ByElements));
            let least = if by_elements || waits { SHARED_PARTS } else { PARTS };
            let parts = emit.bin(BinOp::Mul, "parts", product, Atom::i64(least));
            let mut wide = emit.at_most("wide", workers, parts);
            if let Some(Shared::ByRows(length)) = shared {
                let parts = emit.bin(BinOp::Mul, "parts", product, Atom::i64(SHARED_PARTS));
                let enough = emit.at_most("enough", workers, parts);
                let long = emit.at_most("long", Atom::i64(SHARED_LENGTH), length);
                let together = emit.and("together", enough, long);
                wide = emit.or("wide", wide, together);
            }
            if let Some(without) = Self::without_tiles(&mut emit, product, &products) {
                wide = emit.and("wide", wide, without);
            }
            match (&grain, &row) {
                // Threads that write to rows of their own are far apart in memory: where rows are long, that costs more than launches.
                (Some(grain), _) if writes && grain.constant().is_none() => {
                    let grain = emit.amount(grain);
                    let short = emit.at_most("short", grain, Atom::i64(SHORT));
                    Some(emit.and("wide", wide, short))
                }
                // The same for rows that they yield.
                (_, Some(row)) => {
                    let row = outer_product(&mut emit, row);
                    let short = emit.at_most("short", row, Atom::i64(SHORT_ROW));
                    narrow = Some(emit.at_most("narrow", parts, workers));
                    Some(emit.and("wide", wide, short))
                }
                (_, None) => Some(wide),
            }
        };
        let little = match grain {
            None => None,
            Some(grain) if grain.is_below(most_little as u64) => {
                return Enough { test: Some(Atom::bool(true)), ..Enough::default() };
            }
            Some(grain) if grain.constant().is_some() => None,
            Some(grain) => {
                let grain = emit.amount(&grain);
                let little = emit.at_most("little", grain, Atom::i64(most_little - 1));
                Some(narrow.map_or(little, |narrow| emit.and("little", little, narrow)))
            }
        };
        let test = match (wide, little) {
            (Some(wide), Some(little)) => Some(emit.or("enough", wide, little)),
            (Some(test), None) | (None, Some(test)) => Some(test),
            (None, None) => None,
        };
        let is_plain = wide.is_some() && row.is_none() && !writes;
        let differ = is_plain && !waits && self.iterations_differ(stm);
        let without_groups = differ.then(|| widths.clone());
        self.names.memory.grow(self.names.vars.len());
        Enough { test, wide: wide.filter(|_| !writes).map(|_| (widths, most_parts)), without_groups }
    }
}

impl Distributor<'_, '_> {
    /// Whether a thread for each row of another length is enough.
    fn short_rows_are_enough(&mut self, cx: &Context, stm: &Stm, tests: &mut Vec<Stm>) -> Enough {
        // To ask how long rows are is to wait.
        if cx.depth() > 0 || self.in_host_loop || !self.can_stay(cx, stm) {
            return Enough::default();
        }
        let mut lengths = Vec::new();
        let Some(short) = self.rows_are_short(stm, &mut lengths) else { return Enough::default() };
        if let Some(least) = self.threshold(stm, "outer", "by the longest row") {
            let widths: Vec<Atom> = stm.exp.op().map(|operator| operator.width()).into_iter().collect();
            return Enough { test: self.is_least(stm, least, &widths, tests), ..Enough::default() };
        }
        tests.append(&mut lengths);
        Enough { test: Some(short), ..Enough::default() }
    }

    /// Whether each element, or each of a row of these, reduces a row of its own length, with next to nothing around that: such rows are reduced by
    /// their elements (`imp_gen/device/segments`), however much they differ, or by threads where neighbours have rows of one length.
    fn reduces_own_row(&self, stm: &Stm) -> bool {
        let bound = bound_inside(stm);
        let cheap = |stm: &Stm| {
            let check = matches!(stm.exp, Exp::Control(ControlExp::Check(_)));
            check || stm.exp.is_scalar_or_view()
        };
        let mut map = stm;
        loop {
            let Exp::Op(Operator::Map { width, lambda, .. }) = &map.exp else { return false };
            let body = &lambda.body;
            let Some(at) = body.stms.iter().position(|stm| self.worth.in_stm(stm)) else { return false };
            let around = body.stms[..at].len().max(body.stms[at + 1..].len());
            let is_alone = body.stms.iter().enumerate().all(|(number, stm)| number == at || cheap(stm));
            let is_outside = width.var().is_none_or(|width| !bound.contains(&width));
            if around > LITTLE_AROUND || !is_alone || !is_outside {
                return false;
            }
            let inner = &body.stms[at];
            let results = body.result.iter().filter_map(|atom| atom.var());
            if let Some(width) = self.reduced_width(inner, &bound) {
                let differs = width.var().is_some_and(|width| bound.contains(&width));
                return differs && results.into_iter().all(|var| self.names.ty(var).is_scalar());
            }
            if !results.into_iter().eq(inner.vars.iter().copied()) {
                return false;
            }
            map = inner;
        }
    }

    /// The width of a reduction of scalars that depends on nothing of what is bound.
    pub(super) fn reduced_width(&self, stm: &Stm, bound: &HashSet<Var>) -> Option<Atom> {
        let scalars = |op: &Reduction| {
            let scalar = |var: &Var| self.names.ty(*var).is_scalar();
            let mut used = Vec::new();
            in_reduction(&self.names.vars, op, &mut used);
            op.lambda.params.iter().all(scalar) && !used.iter().any(|var| bound.contains(var))
        };
        match &stm.exp {
            Exp::Op(Operator::Reduce { width, op, .. }) if scalars(op) => Some(*width),
            Exp::Op(Operator::Fused { width, scans, reductions, lambda, .. })
                if scans.is_empty()
                    && reductions.iter().all(scalars)
                    && reductions.iter().map(|op| op.neutral.len()).sum::<usize>()
                        == lambda.body.result.len()
                    && !self.worth.in_body(&lambda.body) =>
            {
                Some(*width)
            }
            _ => None,
        }
    }

    /// The sizes of rows that a map yields, as large ones as any, if they are the same for all and no loop makes them.
    fn yielded_row(&self, cx: &Context, stm: &Stm) -> Option<Vec<Atom>> {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return None };
        let bound = bound_inside(stm);
        let is_even =
            |size: &Atom| cx.is_outside(*size) && size.var().is_none_or(|size| !bound.contains(&size));
        let row = |var: Var| {
            let ty = self.names.ty(var);
            let sizes: Option<Vec<Atom>> = ty.dims().iter().map(|dim| dim.atom()).collect();
            sizes.filter(|sizes| ty.is_array() && !is_small(ty) && sizes.iter().all(is_even))
        };
        let rows = lambda.body.result.iter().filter_map(|atom| atom.var()).filter_map(row);
        rows.max_by_key(|sizes| sizes.len()).filter(|_| !has_loop(&lambda.body))
    }

    /// The usual test of whether the outer parallelism is enough, or that of a user who sets the threshold when the program runs.
    fn or_as_set(&mut self, cx: &Context, stm: &Stm, usual: Atom, tests: &mut Vec<Stm>) -> Atom {
        let Some(operator) = stm.exp.op() else { return usual };
        let widths: Vec<Atom> = cx.levels.iter().map(|level| level.width).chain([operator.width()]).collect();
        let Some(number) = self.threshold_at_run_time(stm, "outer") else { return usual };
        let mut emit = Emit::new(&mut self.names.vars, tests, stm.span);
        let set = emit.tunable(number);
        let outer = outer_product(&mut emit, &widths);
        let wide = emit.at_most("wide", set, outer);
        let test = emit.by_tunable(set, wide, usual);
        self.names.memory.grow(self.names.vars.len());
        test
    }

    /// Whether there are as many threads as a user wants at least for this version; none if never.
    fn is_least(&mut self, stm: &Stm, least: i64, widths: &[Atom], tests: &mut Vec<Stm>) -> Option<Atom> {
        if least == 0 || least == NEVER {
            return (least == 0).then_some(Atom::bool(true));
        }
        let mut emit = Emit::new(&mut self.names.vars, tests, stm.span);
        let outer = outer_product(&mut emit, widths);
        let test = emit.at_most("enough", Atom::i64(least), outer);
        self.names.memory.grow(self.names.vars.len());
        Some(test)
    }

    /// Whether the parallelism inside is operators, some of which are wider for some elements than for others.
    fn widths_differ(&self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return false };
        let bound = bound_inside(stm);
        let differs =
            |operator: &Operator| operator.width().var().is_some_and(|width| bound.contains(&width));
        let mut inside = lambda.body.stms.iter().filter(|stm| self.worth.in_stm(stm));
        let is_plain = |stm: &&Stm| stm.exp.op().is_some() && !self.worth.inside(stm);
        inside.clone().all(|stm| is_plain(&stm)) && inside.any(|stm| stm.exp.op().is_some_and(differs))
    }

    /// Whether a loop with parallelism inside runs as often as an element says.
    fn has_varying_loop(&self, cx: &Context, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return false };
        let bound = bound_inside(stm);
        lambda.body.stms.iter().filter(|stm| self.worth.in_stm(stm)).any(|stm| match &stm.exp {
            Exp::Control(ControlExp::Loop { form: LoopForm::For(_, times), .. }) => {
                !cx.is_outside(*times) || times.var().is_some_and(|times| bound.contains(&times))
            }
            Exp::Control(ControlExp::Loop { form: LoopForm::While(_), .. }) => true,
            _ => false,
        })
    }

    /// If all that threads do, but for a little, is to reduce arrays that are the same for all.
    fn reads_the_same(&self, cx: &Context, stm: &Stm) -> Option<Shared> {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return None };
        let bound = bound_inside(stm);
        let same = |input: &Var| cx.is_outside((*input).into()) && !bound.contains(input);
        let mut length = None;
        for stm in &lambda.body.stms {
            let reduced = match &stm.exp {
                Exp::Op(Operator::Reduce { width, inputs, .. }) => inputs.iter().all(same).then_some(*width),
                Exp::Op(Operator::Fused { width, inputs, scans, .. }) => {
                    let all = scans.is_empty() && !inputs.is_empty() && inputs.iter().all(same);
                    all.then_some(*width)
                }
                Exp::Control(ControlExp::Loop { .. }) => return None,
                _ if self.worth.in_stm(stm) => return None,
                _ => continue,
            };
            length = Some(reduced?);
        }
        let is_outside =
            |length: Atom| cx.is_outside(length) && length.var().is_none_or(|var| !bound.contains(&var));
        let length = length.filter(|length| is_outside(*length))?;
        let is_scalar = |atom: &Atom| atom.var().is_none_or(|var| self.names.ty(var).is_scalar());
        let by_elements = lambda.body.result.iter().all(is_scalar);
        Some(if by_elements { Shared::ByElements } else { Shared::ByRows(length) })
    }

    /// Whether all functions called inside that call themselves walk.
    fn walks(&self, exp: &Exp) -> bool {
        let mut walks = match exp {
            Exp::Control(ControlExp::Call { fun, args: _ }) => {
                !self.effects.is_recursive(*fun) || self.walks[fun.0 as usize]
            }
            _ => true,
        };
        let in_body = |body: &Body| body.stms.iter().all(|stm| self.walks(&stm.exp));
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => walks = walks && in_body(body),
            Part::Lambda(lambda) => walks = walks && in_body(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        walks
    }

    /// Whether a function is called inside that calls itself.
    fn calls_itself(&self, exp: &Exp) -> bool {
        let mut found = match exp {
            Exp::Control(ControlExp::Call { fun, args: _ }) => self.effects.is_recursive(*fun),
            _ => false,
        };
        let in_body = |body: &Body| body.stms.iter().any(|stm| self.calls_itself(&stm.exp));
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => found = found || in_body(body),
            Part::Lambda(lambda) => found = found || in_body(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        found
    }
}

fn outer_product(emit: &mut Emit, widths: &[Atom]) -> Atom {
    let times = |product, width: &Atom| emit.bin(BinOp::Mul, "outer", product, *width);
    widths[1..].iter().fold(widths[0], times)
}

/// Whether the outer parallelism is enough for the device.
#[derive(Default)]
struct Enough {
    /// None: it certainly is not, or cannot be known.
    test: Option<Atom>,
    /// If the test fails, these widths times so many parts are too narrow.
    wide: Option<(Vec<Atom>, i64)>,
    /// Where no group of threads can do an element, fewer threads are enough, of these widths.
    without_groups: Option<Vec<Atom>>,
}

/// What threads do that read the same arrays.
enum Shared {
    /// They yield numbers: if there are too few of them, each element has a thread.
    ByElements,
    /// They yield rows, of arrays of this length.
    ByRows(Atom),
}

pub(super) struct GroupsBranch {
    pub(super) tests: Vec<Stm>,
    pub(super) cond: Atom,
    /// If it holds, that also holds: threads are no match for groups.
    crowded: Option<Atom>,
    pub(super) body: Body,
}

struct Branch {
    stms: Vec<Stm>,
    /// What stands for the variables of the statement.
    vars: Vec<Var>,
    /// Where values are at its end.
    cx: Context,
}
