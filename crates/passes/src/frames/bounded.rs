//! How deep the functions of a component can go, where that follows from their text.
//!
//! ```text
//! fun fold (depth: i64, ..)  calls  fold(depth - 1, ..)  where  !(depth == 0)  holds, and is called with 9, or with `x % 10`: 9 frames at most
//! ```
//!
//! A parameter counts down, or one of each function where several call each other: each call within the component lowers it by a constant, and is made only where it is above a
//! bound, or where it is not equal to one below which it does not begin. What it begins with is known for all calls from outside: a constant, a remainder, or the like. Numbers have
//! names in imp, so an expression is followed through variables that are assigned once.

use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{BinOp, Block, Exp, Fun, FunId, GroupExp, Prim, Prog, Scalar, Stmt, UnOp, Var};
use std::collections::{BTreeMap, BTreeSet};

/// How many calls of these functions, which call each other, can be active within each other, besides the first.
pub fn depth(prog: &Prog, group: &[usize]) -> Option<i64> {
    let funs: Vec<&Fun> = group.iter().map(|id| &prog.funs[*id]).collect();
    let numbers: Vec<Numbers<'_>> = funs.iter().map(|fun| Numbers::of(&fun.body)).collect();
    let mut calls = Vec::new();
    for (from, fun) in funs.iter().enumerate() {
        calls.extend(inner_calls(fun, from, group, &numbers[from]));
    }
    let component = Component { prog, group, numbers, calls };
    let mut tries = Tries { left: TRIES, least: None };
    for param in 0..funs[0].params.len() {
        let mut counters = vec![None; group.len()];
        counters[0] = Some(param);
        component.try_counters(&counters, &mut tries);
    }
    tries.least
}

/// Functions that call each other, and their calls of each other.
struct Component<'a> {
    prog: &'a Prog,
    group: &'a [usize],
    numbers: Vec<Numbers<'a>>,
    calls: Vec<InnerCall<'a>>,
}

/// A call within the component, by places in the group: its arguments, and what holds where it is made.
struct InnerCall<'a> {
    from: usize,
    to: usize,
    args: &'a [Exp],
    holds: Vec<(&'a Exp, bool)>,
}

/// How many ways to choose a parameter of each function are looked at; most components have one that counts.
const TRIES: u32 = 64;

struct Tries {
    left: u32,
    least: Option<i64>,
}

/// What is known of a number before a call.
#[derive(Clone, Copy, PartialEq)]
enum Guard {
    Above(i64),
    IsNot(i64),
}

impl Guard {
    fn above(self) -> Option<i64> {
        match self {
            Guard::Above(bound) => Some(bound),
            Guard::IsNot(_) => None,
        }
    }

    fn is_not(self) -> Option<i64> {
        match self {
            Guard::IsNot(value) => Some(value),
            Guard::Above(_) => None,
        }
    }
}

/// Far from where numbers of 8 bits wrap around.
const LOWEST: i64 = -8;
const LARGEST_STEP: i64 = 100;

impl<'a> Component<'a> {
    /// All ways to go on from the functions whose counting parameter is chosen.
    fn try_counters(&self, counters: &[Option<usize>], tries: &mut Tries) {
        let open = |call: &&InnerCall<'_>| counters[call.from].is_some() && counters[call.to].is_none();
        if let Some(call) = self.calls.iter().find(open) {
            for at in 0..call.args.len() {
                let mut counters = counters.to_vec();
                counters[call.to] = Some(at);
                if self.step(call, &counters).is_some() {
                    self.try_counters(&counters, tries);
                }
            }
            return;
        }
        let Some(left) = tries.left.checked_sub(1) else { return };
        tries.left = left;
        if let Some(found) = self.depth_by(counters) {
            tries.least = Some(tries.least.map_or(found, |least| least.min(found)));
        }
    }

    fn counter(&self, member: usize, counters: &[Option<usize>]) -> Option<Var> {
        self.prog.funs[self.group[member]].params.get(counters[member]?).copied()
    }

    /// By how much a call lowers what counts.
    fn step(&self, call: &InnerCall<'_>, counters: &[Option<usize>]) -> Option<i64> {
        let param = self.counter(call.from, counters)?;
        self.numbers[call.from].distance(&call.args[counters[call.to]?], param)?.checked_neg()
    }

    /// What is known of what counts where the call is made.
    fn guards(&self, call: &InnerCall<'_>, param: Var) -> Vec<Guard> {
        let own = &self.numbers[call.from];
        call.holds.iter().flat_map(|(cond, holds)| own.guards(cond, *holds, param)).collect()
    }

    fn depth_by(&self, counters: &[Option<usize>]) -> Option<i64> {
        for (member, own) in self.numbers.iter().enumerate() {
            if own.assigned.contains_key(&self.counter(member, counters)?) {
                return None;
            }
        }
        let mut calls = Vec::new();
        for call in &self.calls {
            let step = self.step(call, counters)?;
            calls.push((step, self.guards(call, self.counter(call.from, counters)?)));
        }
        let least_step = calls.iter().map(|(step, _)| *step).min()?;
        if least_step < 1 || calls.iter().any(|(step, _)| *step > LARGEST_STEP) {
            return None;
        }
        let (from, to) = self.first_values(counters)?;
        let above = |guards: &[Guard]| guards.iter().filter_map(|guard| guard.above()).max();
        // Each call is made only above a number, or none goes below a number that none begins below.
        let ends = calls.iter().map(|(_, guards)| above(guards)).min().flatten();
        let mut floors: Vec<i64> =
            calls.iter().flat_map(|(_, guards)| guards.iter().filter_map(|guard| guard.is_not())).collect();
        floors.retain(|floor| (LOWEST..=LARGEST_STEP).contains(floor));
        floors.retain(|floor| {
            let is_kept = |(step, guards): &(i64, Vec<Guard>)| {
                let mut least = above(guards).map_or(*floor, |bound| bound.saturating_add(1).max(*floor));
                while guards.contains(&Guard::IsNot(least)) && least < i64::MAX {
                    least += 1;
                }
                least.saturating_sub(*step) >= *floor
            };
            from.is_some_and(|from| from >= *floor) && calls.iter().all(is_kept)
        });
        let lowest = ends.into_iter().chain(floors).filter(|bound| *bound >= LOWEST).max()?;
        let steps = to?.checked_sub(lowest)?.max(0);
        Some(steps / least_step + i64::from(steps % least_step != 0))
    }

    /// The least and the largest value, as far as they are known, that others call the functions with.
    fn first_values(&self, counters: &[Option<usize>]) -> Option<(Option<i64>, Option<i64>)> {
        let Component { prog, group, .. } = self;
        let is_member = |fun: FunId| group.contains(&(fun.0 as usize));
        let called_by_host = prog.entries.iter().any(|entry| is_member(entry.fun))
            || prog.consts.iter().any(|constant| is_member(constant.fun));
        let others = prog
            .funs
            .iter()
            .enumerate()
            .filter(|(other, _)| !group.contains(other))
            .map(|(_, fun)| &fun.body);
        let bodies = others.chain(prog.kernels.iter().map(|kernel| &kernel.body));
        let mut range: Option<(Option<i64>, Option<i64>)> = None;
        for body in bodies.chain(prog.group_kernels.iter().map(|kernel| &kernel.body)) {
            let mut args = Vec::new();
            for_each_stmt(body, &mut |stmt| {
                if let Stmt::Call { fun, args: given, .. } = stmt
                    && let Some(member) = group.iter().position(|id| *id == fun.0 as usize)
                {
                    args.extend(counters[member].map(|at| &given[at]));
                }
            });
            if args.is_empty() {
                continue;
            }
            let numbers = Numbers::of(body);
            for arg in args {
                let (from, to) = numbers.range(arg, STEPS);
                range = Some(match range {
                    None => (from, to),
                    Some((least, most)) => {
                        (least.zip(from).map(|(x, y)| x.min(y)), most.zip(to).map(|(x, y)| x.max(y)))
                    }
                });
            }
        }
        range.filter(|_| !called_by_host)
    }
}

/// The calls of the component in one of its functions, in the order of the text.
fn inner_calls<'a>(fun: &'a Fun, from: usize, group: &[usize], own: &Numbers<'a>) -> Vec<InnerCall<'a>> {
    let mut out = Vec::new();
    let mut walk = CallFinder { from, group, holds: Vec::new(), out: &mut out };
    walk.block(&fun.body);
    // A condition whose variable changes says nothing later.
    let is_stable = |cond: &Exp| {
        let mut stable = true;
        cond.for_each_var(&mut |var| stable &= own.assigned.get(&var).is_none_or(|count| *count == 1));
        stable
    };
    out.iter_mut().for_each(|call| call.holds.retain(|(cond, _)| is_stable(cond)));
    out
}

struct CallFinder<'a, 'w> {
    from: usize,
    group: &'w [usize],
    holds: Vec<(&'a Exp, bool)>,
    out: &'w mut Vec<InnerCall<'a>>,
}

impl<'a> CallFinder<'a, '_> {
    fn block(&mut self, block: &'a Block) {
        for stmt in block {
            if let Stmt::Call { fun, args, .. } = stmt
                && let Some(to) = self.group.iter().position(|id| *id == fun.0 as usize)
            {
                self.out.push(InnerCall { from: self.from, to, args, holds: self.holds.clone() });
            }
            match stmt {
                Stmt::If { cond, then, els } => {
                    for (block, value) in [(then, true), (els, false)] {
                        self.holds.push((cond, value));
                        self.block(block);
                        self.holds.pop();
                    }
                }
                _ => stmt.for_each_part(&mut |part| {
                    if let Part::Block(block) = part {
                        self.block(block);
                    }
                }),
            }
        }
    }
}

/// An expression is followed so far.
const STEPS: u32 = 12;

/// What variables of a body are, if they are assigned once.
struct Numbers<'a> {
    assigned: BTreeMap<Var, u32>,
    value: BTreeMap<Var, &'a Exp>,
    /// Numbers of threads and groups, and what is added to them: never negative.
    places: BTreeSet<Var>,
}

impl<'a> Numbers<'a> {
    fn of(body: &'a Block) -> Numbers<'a> {
        let mut numbers =
            Numbers { assigned: BTreeMap::new(), value: BTreeMap::new(), places: BTreeSet::new() };
        let mut sets: BTreeMap<Var, Vec<&Exp>> = BTreeMap::new();
        for_each_stmt(body, &mut |stmt| {
            if let Stmt::Set(var, exp) = stmt {
                sets.entry(*var).or_default().push(exp);
            }
            stmt.for_each_part(&mut |part| {
                if let Part::Assigned(var) = part {
                    *numbers.assigned.entry(var).or_default() += 1;
                }
            });
            if let Stmt::Set(var, exp) = stmt {
                numbers.value.insert(*var, exp);
            }
        });
        // A loop over places adds to its own variable: all that nothing speaks against.
        let only_set = |(var, exps): (&Var, &Vec<&Exp>)| {
            (numbers.assigned.get(var) == Some(&(exps.len() as u32))).then_some(*var)
        };
        let mut places: BTreeSet<Var> = sets.iter().filter_map(only_set).collect();
        loop {
            let is_place = |var: &Var| sets[var].iter().all(|exp| is_place(exp, &places));
            let kept: BTreeSet<Var> = places.iter().copied().filter(is_place).collect();
            if kept.len() == places.len() {
                break;
            }
            places = kept;
        }
        numbers.places = places;
        // What it is made of must not change, either.
        let assigned = &numbers.assigned;
        let is_once = |var: &Var| assigned.get(var) == Some(&1);
        numbers.value.retain(|var, exp| {
            let mut stable = is_once(var);
            exp.for_each_var(&mut |part| stable &= is_once(&part) || !assigned.contains_key(&part));
            stable
        });
        numbers
    }

    fn known(&self, exp: &'a Exp) -> &'a Exp {
        let mut exp = exp;
        for _ in 0..STEPS {
            let Exp::Var(var) = exp else { break };
            let Some(value) = self.value.get(var) else { break };
            exp = value;
        }
        exp
    }

    /// By how much an expression is larger than a variable, if by a constant.
    fn distance(&self, exp: &Exp, var: Var) -> Option<i64> {
        self.distance_within(exp, var, STEPS)
    }

    fn distance_within(&self, exp: &Exp, var: Var, steps: u32) -> Option<i64> {
        let steps = steps.checked_sub(1)?;
        match exp {
            Exp::Var(found) if *found == var => Some(0),
            Exp::Var(found) => self.distance_within(self.value.get(found)?, var, steps),
            Exp::Bin(BinOp::Add, prim, x, y) if prim.is_signed() => {
                self.distance_within(x, var, steps)?.checked_add(constant(y)?)
            }
            Exp::Bin(BinOp::Sub, prim, x, y) if prim.is_signed() => {
                self.distance_within(x, var, steps)?.checked_sub(constant(y)?)
            }
            _ => None,
        }
    }

    /// What a condition that holds, or does not, says of a variable.
    fn guards(&self, cond: &Exp, holds: bool, var: Var) -> impl Iterator<Item = Guard> + use<> {
        let mut found = Vec::new();
        self.collect_guards(cond, holds, var, STEPS, &mut found);
        found.into_iter()
    }

    fn collect_guards(&self, cond: &Exp, holds: bool, var: Var, steps: u32, out: &mut Vec<Guard>) {
        let Some(steps) = steps.checked_sub(1) else { return };
        match cond {
            Exp::Var(name) => {
                if let Some(value) = self.value.get(name) {
                    self.collect_guards(value, holds, var, steps, out);
                }
            }
            Exp::Un(UnOp::Not, Prim::Bool, x) => self.collect_guards(x, !holds, var, steps, out),
            Exp::Bin(BinOp::And, Prim::Bool, x, y) if holds => {
                self.collect_guards(x, holds, var, steps, out);
                self.collect_guards(y, holds, var, steps, out);
            }
            Exp::Bin(BinOp::Or, Prim::Bool, x, y) if !holds => {
                self.collect_guards(x, holds, var, steps, out);
                self.collect_guards(y, holds, var, steps, out);
            }
            Exp::Bin(op, prim, x, y) if prim.is_signed() && prim.is_int() => {
                let (far_x, far_y) = (self.distance(x, var), self.distance(y, var));
                let left = far_x.filter(|far| *far == 0).and(constant(y));
                let right = far_y.filter(|far| *far == 0).and(constant(x));
                // `var - 1 == 0` is `var == 1`, whatever wraps around; of what is less that cannot be said.
                let equal = far_x.zip(constant(y)).or(far_y.zip(constant(x)));
                let guard = match (op, holds, left, right) {
                    (BinOp::Eq, false, _, _) => {
                        equal.and_then(|(far, k)| k.checked_sub(far)).map(Guard::IsNot)
                    }
                    // `var < k` and `var <= k` do not hold.
                    (BinOp::Lt, false, Some(k), _) => k.checked_sub(1).map(Guard::Above),
                    (BinOp::Le, false, Some(k), _) => Some(Guard::Above(k)),
                    // `k < var` and `k <= var` hold.
                    (BinOp::Lt, true, _, Some(k)) => Some(Guard::Above(k)),
                    (BinOp::Le, true, _, Some(k)) => k.checked_sub(1).map(Guard::Above),
                    _ => None,
                };
                out.extend(guard);
            }
            _ => {}
        }
    }

    /// Between which numbers an expression is, as far as that is known.
    fn range(&self, exp: &'a Exp, steps: u32) -> (Option<i64>, Option<i64>) {
        let Some(steps) = steps.checked_sub(1) else { return (None, None) };
        let exp = self.known(exp);
        if let Some(value) = constant(exp) {
            return (Some(value), Some(value));
        }
        match exp {
            Exp::Var(var) if self.places.contains(var) => (Some(0), None),
            Exp::Bin(op, prim, x, y) if prim.is_signed() && prim.is_int() => {
                let (low, high) = self.range(x, steps);
                let by = constant(y);
                match (op, by) {
                    (BinOp::Mod, Some(by)) if by > 0 => (Some(0), Some(by - 1)),
                    (BinOp::Rem, Some(by)) if by > 0 && low.is_some_and(|low| low >= 0) => {
                        (Some(0), Some(by - 1))
                    }
                    (BinOp::Rem, Some(by)) if by > 0 => (Some(1 - by), Some(by - 1)),
                    (BinOp::And, Some(by)) if by >= 0 => (Some(0), Some(by)),
                    (BinOp::Min, Some(by)) => {
                        (low.map(|low| low.min(by)), Some(high.map_or(by, |high| high.min(by))))
                    }
                    (BinOp::Max, Some(by)) => {
                        (Some(low.map_or(by, |low| low.max(by))), high.map(|high| high.max(by)))
                    }
                    // Where a sum may wrap around, nothing is known.
                    (BinOp::Add, Some(by)) => moved(low, high, Some(by), *prim),
                    (BinOp::Sub, Some(by)) => moved(low, high, by.checked_neg(), *prim),
                    _ => (None, None),
                }
            }
            _ => (None, None),
        }
    }
}

/// Whether an expression is a number of a thread, of a group, or a sum or product of such, as far as these variables are.
fn is_place(exp: &Exp, places: &BTreeSet<Var>) -> bool {
    match exp {
        Exp::Group(GroupExp::Thread | GroupExp::Group | GroupExp::Groups) => true,
        Exp::Var(var) => places.contains(var),
        Exp::Bin(BinOp::Add | BinOp::Mul, Prim::I64, x, y) => is_place(x, places) && is_place(y, places),
        _ => constant(exp).is_some_and(|value| value >= 0),
    }
}

fn moved(low: Option<i64>, high: Option<i64>, by: Option<i64>, prim: Prim) -> (Option<i64>, Option<i64>) {
    let most = i64::MAX >> (64 - prim.bits());
    let fits = |value: &i64| (-most..=most).contains(value);
    let sum = |end: Option<i64>| end.zip(by).and_then(|(x, y)| x.checked_add(y)).filter(fits);
    match (sum(low), sum(high)) {
        (Some(low), Some(high)) => (Some(low), Some(high)),
        _ => (None, None),
    }
}

/// A constant of a signed type.
fn constant(exp: &Exp) -> Option<i64> {
    match exp {
        Exp::Const(Scalar::I8(value)) => Some(i64::from(*value)),
        Exp::Const(Scalar::I16(value)) => Some(i64::from(*value)),
        Exp::Const(Scalar::I32(value)) => Some(i64::from(*value)),
        Exp::Const(Scalar::I64(value)) => Some(*value),
        _ => None,
    }
}
