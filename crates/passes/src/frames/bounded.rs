//! How deep a function that calls itself can go, where that follows from its text.
//!
//! ```text
//! fun fold (depth: i64, ..)  calls  fold(depth - 1, ..)  where  !(depth == 0)  holds, and is called with 9, or with `x % 10`: 9 frames at most
//! ```
//!
//! A parameter counts down: each call within the function lowers it by a constant, and is made only where it is above a bound, or where it is not equal to one
//! below which it does not begin. What it begins with is known for all calls from outside: a constant, a remainder, or the like. Numbers have names in imp, so an
//! expression is followed through variables that are assigned once.

use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{BinOp, Block, Exp, Fun, FunId, Prim, Prog, Scalar, Stmt, UnOp, Var};
use std::collections::BTreeMap;

/// How many calls of this function can be active within each other, besides the first.
pub fn depth(prog: &Prog, id: usize) -> Option<i64> {
    let fun = &prog.funs[id];
    let own = Numbers::of(&fun.body);
    let calls = own_calls(fun, id, &own);
    (0..fun.params.len()).filter_map(|param| depth_by(prog, id, &own, &calls, param)).min()
}

/// A call of the function in itself: its arguments, and what holds where it is made.
struct OwnCall<'a> {
    args: &'a [Exp],
    holds: Vec<(&'a Exp, bool)>,
}

/// What is known of a number before a call.
#[derive(Clone, Copy, PartialEq)]
enum Guard {
    Above(i64),
    IsNot(i64),
}

fn depth_by(prog: &Prog, id: usize, own: &Numbers<'_>, calls: &[OwnCall<'_>], at: usize) -> Option<i64> {
    let param = prog.funs[id].params[at];
    if own.assigned.contains_key(&param) {
        return None;
    }
    // Far from where numbers of 8 bits wrap around.
    const LOWEST: i64 = -8;
    const LARGEST_STEP: i64 = 100;
    let (mut least_step, mut lowest, mut begins_above) = (i64::MAX, i64::MAX, false);
    for call in calls {
        let step = own.distance(&call.args[at], param)?.checked_neg()?;
        let guards = call.holds.iter().flat_map(|(cond, holds)| own.guards(cond, *holds, param));
        // The one that says most.
        let guard = guards.max_by_key(|guard| match guard {
            Guard::Above(bound) => (1, *bound),
            Guard::IsNot(bound) => (0, *bound),
        })?;
        let (Guard::Above(bound) | Guard::IsNot(bound)) = guard;
        if step > LARGEST_STEP || bound < LOWEST {
            return None;
        }
        least_step = least_step.min(step);
        lowest = lowest.min(bound);
        if matches!(guard, Guard::IsNot(_)) {
            begins_above = true;
        }
    }
    // Who counts down to a number must not step over it: all stop at the same.
    let stops_there = |call: &OwnCall<'_>| {
        own.distance(&call.args[at], param) == Some(-1)
            && call.holds.iter().any(|(cond, holds)| {
                own.guards(cond, *holds, param)
                    .any(|guard| guard == Guard::IsNot(lowest) || guard == Guard::Above(lowest))
            })
    };
    if least_step < 1 || begins_above && !calls.iter().all(stops_there) {
        return None;
    }
    let (from, to) = first_values(prog, id, at)?;
    if begins_above && from.is_none_or(|from| from < lowest) {
        return None;
    }
    let steps = to?.checked_sub(lowest)?.max(0);
    Some(steps / least_step + i64::from(steps % least_step != 0))
}

/// The calls of a function in itself, in the order of the text.
fn own_calls<'a>(fun: &'a Fun, id: usize, own: &Numbers<'a>) -> Vec<OwnCall<'a>> {
    fn walk<'a>(block: &'a Block, id: usize, holds: &mut Vec<(&'a Exp, bool)>, out: &mut Vec<OwnCall<'a>>) {
        for stmt in block {
            match stmt {
                Stmt::Call { fun, args, .. } if fun.0 as usize == id => {
                    out.push(OwnCall { args, holds: holds.clone() });
                }
                Stmt::If { cond, then, els } => {
                    for (block, value) in [(then, true), (els, false)] {
                        holds.push((cond, value));
                        walk(block, id, holds, out);
                        holds.pop();
                    }
                }
                _ => stmt.for_each_part(&mut |part| {
                    if let Part::Block(block) = part {
                        walk(block, id, holds, out);
                    }
                }),
            }
        }
    }
    let mut out = Vec::new();
    walk(&fun.body, id, &mut Vec::new(), &mut out);
    // A condition whose variable changes says nothing later.
    let is_stable = |cond: &Exp| {
        let mut stable = true;
        cond.for_each_var(&mut |var| stable &= own.assigned.get(&var).is_none_or(|count| *count == 1));
        stable
    };
    out.iter_mut().for_each(|call| call.holds.retain(|(cond, _)| is_stable(cond)));
    out
}

/// The least and the largest value, as far as they are known, that others call the function with.
fn first_values(prog: &Prog, id: usize, at: usize) -> Option<(Option<i64>, Option<i64>)> {
    let called_by_host = prog.entries.iter().any(|entry| entry.fun == FunId(id as u32))
        || prog.consts.iter().any(|constant| constant.fun == FunId(id as u32));
    let others = prog.funs.iter().enumerate().filter(|(other, _)| *other != id).map(|(_, fun)| &fun.body);
    let bodies = others.chain(prog.kernels.iter().map(|kernel| &kernel.body));
    let mut range: Option<(Option<i64>, Option<i64>)> = None;
    for body in bodies.chain(prog.group_kernels.iter().map(|kernel| &kernel.body)) {
        let mut args = Vec::new();
        for_each_stmt(body, &mut |stmt| match stmt {
            Stmt::Call { fun, args: given, .. } if fun.0 as usize == id => args.push(&given[at]),
            _ => {}
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

/// An expression is followed so far.
const STEPS: u32 = 12;

/// What variables of a body are, if they are assigned once.
struct Numbers<'a> {
    assigned: BTreeMap<Var, u32>,
    value: BTreeMap<Var, &'a Exp>,
}

impl<'a> Numbers<'a> {
    fn of(body: &'a Block) -> Numbers<'a> {
        let mut numbers = Numbers { assigned: BTreeMap::new(), value: BTreeMap::new() };
        for_each_stmt(body, &mut |stmt| {
            stmt.for_each_part(&mut |part| {
                if let Part::Assigned(var) = part {
                    *numbers.assigned.entry(var).or_default() += 1;
                }
            });
            if let Stmt::Set(var, exp) = stmt {
                numbers.value.insert(*var, exp);
            }
        });
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
                let left = self.distance(x, var).filter(|far| *far == 0).and(constant(y));
                let right = self.distance(y, var).filter(|far| *far == 0).and(constant(x));
                let guard = match (op, holds, left, right) {
                    (BinOp::Eq, false, Some(k), _) | (BinOp::Eq, false, _, Some(k)) => Some(Guard::IsNot(k)),
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
