//! How much work operators are: an analysis that returns a table.
//!
//! A walk over each function, callees first, from the inside out. The work of a body is a sum over its statements, in terms of
//! sizes that are visible in it; where a body ends, the sizes bound in it are replaced by what is known about
//! them outside (`sizes`). An operator is as much work as its lambda times its width. What depends on the lengths
//! of irregular rows is not multiplied: together the rows have as many elements as their array.
//!
//! What is unknown is guessed: a loop that ends when it likes, a size that comes out of data, and a function that calls itself, which
//! is taken to do some work for each element it is given.
//!
//! Cost: linear in the size of the program. A recursive group is looked at twice.

mod sizes;

use super::amount::Amount;
use super::price::{bin_price, un_price};
use super::{LARGE, SMALL};
use norn_ir::nest::calls::{call_groups, callees};
use norn_ir::nest::{
    ArrayExp, Atom, Body, CellExp, ControlExp, DimIndex, Exp, FunId, Lambda, LoopForm, Operator, Prog,
    ScalarExp, Stm, VarInfo,
};
use sizes::Sizes;

/// How often a loop runs whose end is not known.
const TRIPS: u64 = 1024;
/// What a recursive function does for each element it is given.
const RECURSION: u64 = 16;
/// What a recursive function does in any case, for those who do not belong to the recursion.
const DESCENT: u64 = 4096;
/// How often a sort reads and writes each element, about.
const MOVES_OF_SORT: u64 = 8;

/// What is known about the operators of a function.
#[derive(Clone, Default)]
pub struct FunWork {
    /// By the first variable that the operator's statement binds.
    operators: Vec<Option<Work>>,
    /// How much work a loop is, in terms of what is visible at the statement; by the first variable that it binds.
    loops: Vec<Option<Amount>>,
    pub recursive: bool,
    /// Some operator in it, or in what it calls, may run in parallel.
    pub parallel: bool,
    /// In terms of its parameters.
    amount: Amount,
}

#[derive(Clone, Debug)]
pub struct Work {
    /// In terms of what is visible at the statement.
    pub total: Amount,
    /// What its lambda contains.
    pub inner: Inner,
    /// As much as each of these at most is, for one element.
    pub grain: Amount,
    /// All that its lambda does for one element.
    pub each: Amount,
}

/// Operators inside the lambda of another that may be worth running in parallel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Inner {
    #[default]
    None,
    /// As much work for each element.
    Even,
    Varying,
}

impl FunWork {
    pub fn of(&self, stm: &Stm) -> Option<&Work> {
        self.operators.get(stm.vars.first()?.0 as usize)?.as_ref()
    }

    pub fn of_loop(&self, stm: &Stm) -> Option<&Amount> {
        self.loops.get(stm.vars.first()?.0 as usize)?.as_ref()
    }
}

/// Of each function.
pub fn work(prog: &Prog) -> Vec<FunWork> {
    let mut found: Vec<FunWork> = vec![FunWork::default(); prog.funs.len()];
    for group in call_groups(prog) {
        let calls_itself =
            |id: &FunId| callees(prog, &prog.funs[id.0 as usize].body).contains(&(id.0 as usize));
        let recursive = group.len() > 1 || group.iter().any(calls_itself);
        if !recursive {
            let index = group[0].0 as usize;
            found[index] = fun_work(prog, &found, &group, index);
            continue;
        }
        for id in &group {
            let fun = &prog.funs[id.0 as usize];
            let params = fun.params.iter().map(|param| param.var);
            let sizes = Sizes::new(&fun.vars);
            let given = params.fold(Amount::default(), |sum, param| sum.plus(&sizes.elements(param)));
            let amount = given.times(&RECURSION.into());
            found[id.0 as usize] = FunWork { recursive, amount, ..FunWork::default() };
        }
        // Whether a function is parallel depends on the others of its group.
        let first: Vec<FunWork> =
            group.iter().map(|id| fun_work(prog, &found, &group, id.0 as usize)).collect();
        let parallel = first.iter().any(|work| work.parallel);
        group.iter().for_each(|id| found[id.0 as usize].parallel = parallel);
        for id in &group {
            let index = id.0 as usize;
            let again = fun_work(prog, &found, &group, index);
            found[index].operators = again.operators;
            found[index].loops = again.loops;
        }
    }
    found
}

fn fun_work(prog: &Prog, found: &[FunWork], group: &[FunId], index: usize) -> FunWork {
    let fun = &prog.funs[index];
    let mut walk = WorkEstimator {
        prog,
        found,
        group,
        vars: &fun.vars,
        sizes: Sizes::new(&fun.vars),
        lambda: 1,
        reducing: false,
        operators: vec![None; fun.vars.len()],
        loops: vec![None; fun.vars.len()],
        parallel: false,
    };
    fun.params.iter().for_each(|param| walk.sizes.bind(param.var, None));
    let cost = walk.scope(|walk| walk.body(&fun.body));
    FunWork {
        operators: walk.operators,
        loops: walk.loops,
        recursive: found[index].recursive,
        parallel: walk.parallel,
        amount: cost.amount,
    }
}

struct WorkEstimator<'a> {
    prog: &'a Prog,
    found: &'a [FunWork],
    /// The functions that call each other with this one.
    group: &'a [FunId],
    vars: &'a [VarInfo],
    sizes: Sizes<'a>,
    /// How deep the innermost lambda is.
    lambda: u32,
    /// In the lambda of a reduction.
    reducing: bool,
    operators: Vec<Option<Work>>,
    loops: Vec<Option<Amount>>,
    parallel: bool,
}

#[derive(Default)]
struct Cost {
    amount: Amount,
    /// The operators among what it is the cost of, and as much as each of these at most is.
    inner: Inner,
    grain: Amount,
}

impl Cost {
    fn of(amount: impl Into<Amount>) -> Cost {
        Cost { amount: amount.into(), ..Cost::default() }
    }

    fn and(self, other: Cost) -> Cost {
        let amount = self.amount.clone().plus(&other.amount);
        Cost { amount, ..self.or(other) }
    }

    fn or(self, other: Cost) -> Cost {
        Cost {
            amount: self.amount.max(&other.amount),
            inner: self.inner.max(other.inner),
            grain: self.grain.max(&other.grain),
        }
    }
}

impl WorkEstimator<'_> {
    /// What happens inside, as it looks from outside.
    fn scope(&mut self, inside: impl FnOnce(&mut Self) -> Cost) -> Cost {
        self.sizes.enter();
        let Cost { amount, inner, grain } = inside(self);
        let cost = Cost { amount: self.sizes.outside(&amount), inner, grain: self.sizes.outside(&grain) };
        self.sizes.leave();
        cost
    }

    fn body(&mut self, body: &Body) -> Cost {
        body.stms.iter().map(|stm| self.stm(stm)).fold(Cost::default(), Cost::and)
    }

    fn stm(&mut self, stm: &Stm) -> Cost {
        let (cost, about) = match &stm.exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => self.branches(&[then, els]),
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                let mut bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).collect();
                bodies.push(default);
                self.branches(&bodies)
            }
            exp => match exp.op() {
                Some(operator) => (self.operator(stm, operator), Vec::new()),
                None => (self.simple(stm), Vec::new()),
            },
        };
        for (at, var) in stm.vars.iter().enumerate() {
            let about = match about.get(at) {
                Some(about) => Some(about.clone()),
                None => self.sizes.about(&stm.exp, at),
            };
            self.sizes.bind(*var, about);
        }
        self.sizes.note_elements(stm);
        cost
    }

    /// As much as the most expensive one; and about what its results are.
    fn branches(&mut self, bodies: &[&Body]) -> (Cost, Vec<Amount>) {
        let mut cost = Cost::default();
        let mut results: Vec<Amount> = Vec::new();
        for body in bodies {
            let mut found = Vec::new();
            let branch = self.scope(|walk| {
                let branch = walk.body(body);
                found = body.result.iter().map(|atom| walk.sizes.outside(&walk.sizes.atom(*atom))).collect();
                branch
            });
            cost = cost.or(branch);
            results = match results.is_empty() {
                true => found,
                false => results.into_iter().zip(&found).map(|(a, b)| a.max(b)).collect(),
            };
        }
        (cost.and(Cost::of(1)), results)
    }

    /// What has no branches and is no operator.
    fn simple(&mut self, stm: &Stm) -> Cost {
        let made = |walk: &Self| {
            let elements = stm.vars.iter().map(|var| walk.sizes.elements(*var));
            Cost::of(elements.fold(Amount::from(1), |sum, array| sum.plus(&array)))
        };
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(_) | ScalarExp::Workers | ScalarExp::Tunable(_))
            | Exp::Cell(CellExp::Null(_)) => Cost::default(),
            Exp::Scalar(ScalarExp::Un(op, ..)) => Cost::of(un_price(*op)),
            Exp::Scalar(ScalarExp::Bin(op, ..)) => Cost::of(bin_price(*op)),
            Exp::Scalar(ScalarExp::Tri(..) | ScalarExp::Convert { .. })
            | Exp::Control(ControlExp::Check(_))
            | Exp::Cell(CellExp::Tag { .. }) => Cost::of(1),
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let trips = match form {
                    LoopForm::For(_, bound) => self.sizes.atom(*bound),
                    LoopForm::While(_) => TRIPS.into(),
                };
                let turn = self.scope(|walk| {
                    for (param, initial) in params {
                        let about = walk.sizes.atom(*initial);
                        walk.sizes.bind(param.var, Some(about));
                    }
                    let test = match form {
                        LoopForm::For(counter, bound) => {
                            let about = walk.sizes.atom(*bound);
                            walk.sizes.bind(*counter, Some(about));
                            Cost::of(1)
                        }
                        LoopForm::While(cond) => walk.body(cond),
                    };
                    test.and(walk.body(body))
                });
                let cost = Cost { amount: turn.amount.times(&trips), ..turn }.and(Cost::of(1));
                if let Some(first) = stm.vars.first() {
                    self.loops[first.0 as usize] = Some(cost.amount.clone());
                }
                cost
            }
            Exp::Control(ControlExp::Call { fun, args }) => self.call(*fun, args),
            Exp::Control(ControlExp::Const(_)) | Exp::Cell(CellExp::Load { .. }) => Cost::of(2),
            Exp::Cell(CellExp::Region) => Cost::of(20),
            Exp::Cell(CellExp::Alloc { fields, .. }) => Cost::of(4 + fields.len() as u64),
            Exp::Array(
                ArrayExp::ArrayLit(_)
                | ArrayExp::Range { .. }
                | ArrayExp::Replicate { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::Copy(_),
            ) => made(self),
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let fixed = slice.iter().filter(|dim| matches!(dim, DimIndex::Fix(_))).count();
                let element = fixed == self.vars[array.0 as usize].ty.rank();
                Cost::of(if element { 2 } else { 1 })
            }
            // Views.
            Exp::Array(
                ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Coerce { .. }
                | ArrayExp::FlatIndex { .. }
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::JoinRows(_)
                | ArrayExp::Segment { .. },
            ) => Cost::of(1),
            Exp::Array(ArrayExp::Update { value, .. }) => self.written(&[*value]),
            Exp::Array(ArrayExp::FlatUpdate { value, .. }) => self.written(&[(*value).into()]),
            Exp::Array(ArrayExp::AccWrite { values, .. }) => self.written(values),
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) | Exp::Op(_) => Cost::default(),
        }
    }

    fn written(&self, values: &[Atom]) -> Cost {
        let elements = values.iter().filter_map(|atom| atom.var()).map(|var| self.sizes.elements(var));
        Cost::of(elements.fold(Amount::from(2), |sum, array| sum.plus(&array)))
    }

    fn call(&mut self, fun: FunId, args: &[Atom]) -> Cost {
        let callee = &self.found[fun.0 as usize];
        let params = &self.prog.funs[fun.0 as usize].params;
        let mut amount = self.sizes.with_arguments(&callee.amount, params, args).plus(&2.into());
        if callee.recursive && !self.group.contains(&fun) {
            amount = amount.plus(&DESCENT.into());
        }
        self.parallel |= callee.parallel && !self.reducing;
        let inner = if !callee.parallel || amount.is_below(LARGE) && !callee.recursive {
            Inner::None
        } else if callee.recursive || self.varies(&amount) {
            Inner::Varying
        } else {
            Inner::Even
        };
        Cost { grain: if inner == Inner::None { Amount::default() } else { amount.clone() }, amount, inner }
    }

    /// Whether it is different for each element that the innermost lambda is applied to.
    fn varies(&self, amount: &Amount) -> bool {
        amount.factors().any(|factor| self.sizes.level(factor.var()) >= self.lambda)
    }

    fn operator(&mut self, stm: &Stm, operator: &Operator) -> Cost {
        // What is read and written for each element.
        let moves = if matches!(stm.exp, Exp::Op(Operator::Sort { .. })) { MOVES_OF_SORT } else { 1 };
        let mut each = Amount::from(moves * (1 + operator.inputs().len() + stm.vars.len()) as u64);
        let outer = std::mem::replace(&mut self.reducing, true);
        for lambda in &operator.reductions() {
            each = each.plus(&self.scope(|walk| walk.lambda(lambda)).amount);
        }
        self.reducing = outer;
        let width = self.sizes.atom(operator.width());
        let mut total = each.times(&width);
        let mut inside = Cost::default();
        if let Some(lambda) = operator.lambda() {
            let outer = self.lambda;
            self.sizes.enter();
            if operator.can_be_split() {
                self.lambda = self.sizes.depth();
            }
            let rows = self.sizes.bind_params(&stm.exp, operator, lambda);
            inside = self.body(&lambda.body);
            total = total.plus(&self.sizes.of_all_rows(&inside.amount, &width, &rows));
            inside.grain = self.sizes.outside(&inside.grain);
            inside.amount = self.sizes.outside(&inside.amount);
            self.sizes.leave();
            self.lambda = outer;
        }
        let Cost { amount: each, mut inner, grain } = inside;
        if !operator.can_be_split() {
            return Cost { amount: total, inner, grain };
        }
        // A chunk is as small as one likes: only what is inside its elements counts.
        if matches!(stm.exp, Exp::Op(Operator::Stream { .. })) && grain.is_below(LARGE) {
            inner = Inner::None;
        }
        self.parallel |= !self.reducing && !total.is_below(SMALL);
        let seen = if total.is_below(LARGE) {
            Inner::None
        } else if inner == Inner::Varying || self.varies(&total) {
            Inner::Varying
        } else {
            Inner::Even
        };
        if let Some(first) = stm.vars.first() {
            self.operators[first.0 as usize] = Some(Work { total: total.clone(), inner, grain, each });
        }
        Cost {
            grain: if seen == Inner::None { Amount::default() } else { total.clone() },
            amount: total,
            inner: seen,
        }
    }

    /// The lambda of a reduction.
    fn lambda(&mut self, lambda: &Lambda) -> Cost {
        lambda.params.iter().for_each(|param| self.sizes.bind(*param, None));
        self.body(&lambda.body)
    }
}
