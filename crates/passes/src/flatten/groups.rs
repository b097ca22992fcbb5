//! A version of a map in which each element is done by a group of threads: its operators are `grid`s inside the map, also in loops and
//! branches.
//!
//! What the operators make stays in memory that is the group's (`imp_gen/device/groups`), and a loop needs no launches. So it pays where the
//! arrays of an element are small enough for that memory, and large enough for many threads.
//!
//! All threads of a group do whatever is no operator, and agree about it. The sizes of arrays that are made are known outside of the
//! map, since the launch has to say how much memory a group needs.

use super::Distributor;
use super::context::Context;
use super::worth::is_narrow;
use crate::imp_gen::{
    FEW_THREADS, GROUP, counted_vars, inner_map, made_in_place, origin, scan_room, shared_by_hist,
    uses_of_stm,
};
use crate::nest::mentions::bound_inside;
use crate::schedule::emit::Emit;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, Check, ControlExp, Elem, Exp, Grid, Lambda, LoopForm, Operator, Prim,
    Reduction, Scalar, ScalarExp, Stm, Type, Var,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Without loops: operators over fewer elements leave most threads of a group without work, and such over more are done faster by all
/// groups together, unless there are enough groups anyway.
const SHORT: i64 = 64;
const LONG: i64 = 1 << 10;
/// There are, if they are half of those that the device can run at once.
const PARTS: i64 = 2;
/// Operators over fewer elements than these leave many threads idle between barriers. If there are so many times as many groups as the device can run at once, one nest
/// after the other is faster.
const NOT_SHORT: i64 = 512;
const ROUNDS: i64 = 8;
/// The threads of groups that have few have at most so many elements each.
const FEW_EACH: i64 = 16;
/// With loops, each iteration saves launches.
const FEW: i64 = 16;
const MANY: i64 = 8 << 10;
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
    has_loops: bool,
    has_sequences: bool,
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
            has_sequences: false,
            has_loops: false,
        };
        let body = plan.body(&lambda.body, true)?;
        let Plan { counts, arrays, shared, has_loops, has_sequences, is_deep, .. } = plan;
        if counts.is_empty()
            || shared.values().sum::<i64>() > FIXED
            || (is_deep || cx.depth() > 0) && !has_loops
        {
            return None;
        }
        let lambda = Lambda::new(lambda.params.clone(), body);
        let exp = Exp::map(*width, inputs.clone(), lambda);
        Some(GroupVersion { exp, widths, counts, arrays, has_loops, has_sequences })
    }

    /// Whether groups pay, and have enough memory; and whether they should have few threads. A user may have said that they pay from so many elements inside on.
    pub fn groups_fit(
        &mut self,
        version: &GroupVersion,
        set: Option<i64>,
        tests: &mut Vec<Stm>,
    ) -> (Atom, Option<Atom>) {
        let mut emit = Emit::new(&mut self.names.vars, tests, self.span);
        let width = product(&mut emit, Atom::i64(1), &version.widths);
        let dims = version.counts.iter().chain(version.arrays.iter().map(|(_, dims)| dims)).flatten();
        let dims: HashSet<Var> = dims.filter_map(|dim| dim.var()).collect();
        let mut dims: Vec<Var> = dims.into_iter().collect();
        dims.sort();
        let mut all: Option<Atom> = None;
        let mut and = |emit: &mut Emit, holds: Atom| {
            all = Some(all.map_or(holds, |all| emit.and("fits", all, holds)));
        };
        for dim in dims {
            let holds = emit.at_most("fits", dim.into(), Atom::i64(ROOM));
            and(&mut emit, holds);
        }
        let (least, most) = match set {
            Some(least) => (least, ROOM),
            None if version.has_loops || version.has_sequences => (FEW, MANY),
            None => (SHORT, LONG),
        };
        let many = set.is_none().then(|| {
            let workers = emit.workers();
            let threads = emit.bin(BinOp::Mul, "threads", width, Atom::i64(GROUP * PARTS));
            emit.at_most("many", workers, threads)
        });
        let rounds = if version.has_sequences { 1 } else { ROUNDS };
        let few_rounds = (set.is_none() && !version.has_loops).then(|| {
            let workers = emit.workers();
            let most = emit.bin(BinOp::Mul, "most", workers, Atom::i64(rounds));
            let threads = emit.bin(BinOp::Mul, "threads", width, Atom::i64(GROUP));
            emit.at_most("few", threads, most)
        });
        // Where there are enough groups anyway, each thread can have more elements.
        let enough = version.has_loops.then(|| {
            let workers = emit.workers();
            let threads = emit.bin(BinOp::Mul, "threads", width, Atom::i64(FEW_THREADS * PARTS));
            emit.at_most("enough", workers, threads)
        });
        let mut some_long: Option<Atom> = None;
        let mut all_few: Option<Atom> = None;
        for count in &version.counts {
            let count = product(&mut emit, Atom::i64(1), count);
            if let Some(enough) = enough {
                let few = emit.at_most("few", count, Atom::i64(FEW_THREADS));
                let some = emit.at_most("few", count, Atom::i64(FEW_THREADS * FEW_EACH));
                let some = emit.and("few", enough, some);
                let few = emit.or("few", few, some);
                all_few = Some(all_few.map_or(few, |all| emit.and("few", all, few)));
            }
            let few = emit.at_most("few", count, Atom::i64(most));
            let holds = many.map_or(few, |many| emit.or("fits", many, few));
            and(&mut emit, holds);
            let long = emit.at_most("long", Atom::i64(least), count);
            match version.has_loops {
                true => some_long = Some(some_long.map_or(long, |some| emit.or("long", some, long))),
                false => and(&mut emit, long),
            }
            if version.has_sequences
                && let Some(few_rounds) = few_rounds
            {
                and(&mut emit, few_rounds);
            } else if let Some(few_rounds) = few_rounds {
                let not_short = emit.at_most("long", Atom::i64(NOT_SHORT), count);
                let holds = emit.or("fits", few_rounds, not_short);
                and(&mut emit, holds);
            }
        }
        if let Some(long) = some_long {
            and(&mut emit, long);
        }
        let mut sum: Option<Atom> = None;
        for (bytes, dims) in &version.arrays {
            let bytes = product(&mut emit, Atom::i64(*bytes), dims);
            sum = Some(sum.map_or(bytes, |sum| emit.bin(BinOp::Add, "room", sum, bytes)));
        }
        if let Some(sum) = sum {
            // Each array begins at a multiple of 16 bytes.
            let most = ROOM - 16 * version.arrays.len() as i64;
            let holds = emit.at_most("fits", sum, Atom::i64(most));
            and(&mut emit, holds);
        }
        self.names.memory.grow(self.names.vars.len());
        (all.unwrap_or(Atom::bool(false)), all_few)
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

    /// The same, also with reductions to scalars.
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

/// The statement makes memory of its own for what it binds, unless there is a place for it.
fn makes(exp: &Exp) -> bool {
    match exp {
        Exp::Op(op) => op.dests().is_empty(),
        Exp::Array(exp) => matches!(
            exp,
            ArrayExp::Replicate { .. }
                | ArrayExp::Range { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Concat { .. }
                | ArrayExp::ArrayLit(_)
        ),
        Exp::Scalar(_) | Exp::Control(_) | Exp::Cell(_) => false,
    }
}

/// The lambda of the last of maps right inside each other.
fn innermost(op: &mut Operator) -> Option<&mut Lambda> {
    let Operator::Map { lambda, .. } = op else { return None };
    match inner_map(lambda).is_some() {
        true => innermost(lambda.body.stms.last_mut()?.exp.op_mut()?),
        false => Some(lambda),
    }
}

fn product(emit: &mut Emit, first: Atom, factors: &[Atom]) -> Atom {
    factors.iter().fold(first, |product, factor| match product {
        Atom::Const(one) if Atom::Const(one) == Atom::i64(1) => *factor,
        product => emit.bin(BinOp::Mul, "room", product, *factor),
    })
}

/// What the statements of a map need, found on a walk that stops at the first that groups cannot do.
struct Plan<'a, 'd, 'f> {
    around: &'a Distributor<'d, 'f>,
    cx: &'a Context,
    bound: HashSet<Var>,
    counts: Vec<Vec<Atom>>,
    arrays: Vec<(i64, Vec<Atom>)>,
    /// Bytes by the type of what operators combine: those of one are there for the next.
    shared: BTreeMap<Prim, i64>,
    /// Variables that are made in memory which is there before them.
    placed: HashSet<Var>,
    /// Arrays that are row-major.
    in_order: HashSet<Var>,
    /// Arrays that are used once: a loop can take their memory.
    given_up: HashSet<Var>,
    /// About how large sizes that are not known outside are at most.
    estimates: HashMap<Var, Atom>,
    /// There are reductions in elements, or histograms, or neutral elements that differ. Kernels for all elements at once do these faster, but for the launches that each
    /// iteration of a loop takes.
    is_deep: bool,
    /// How many have been found, and how many loops are around.
    operators: usize,
    in_loops: usize,
    /// There are loops with operators inside, and such without, in which all threads of a group do the same.
    has_loops: bool,
    has_sequences: bool,
}

impl Plan<'_, '_, '_> {
    /// The body with its operators in `grid`s. `into`: there are places for what it yields.
    fn body(&mut self, body: &Body, into: bool) -> Option<Body> {
        if into {
            self.placed.extend(made_in_place(&self.around.names.vars, body));
        }
        let mut uses: HashMap<Var, usize> = HashMap::new();
        let mut use_of = |var: Var| *uses.entry(var).or_default() += 1;
        body.stms.iter().for_each(|stm| uses_of_stm(stm, &mut use_of));
        body.result.iter().filter_map(|atom| atom.var()).for_each(use_of);
        for stm in &body.stms {
            let given = match &stm.exp {
                Exp::Array(ArrayExp::Reshape { array, .. }) => self.given_up.contains(array),
                exp => makes(exp),
            };
            let once = |var: &Var| given && uses.get(var) == Some(&1) && !self.placed.contains(var);
            let once: Vec<Var> = stm.vars.iter().copied().filter(once).collect();
            self.given_up.extend(once);
        }
        for stm in &body.stms {
            if let Exp::Array(ArrayExp::Concat { arrays, size: _ }) = &stm.exp {
                self.placed.extend(arrays.iter().filter(|array| self.given_up.contains(array)));
            }
        }
        let stms: Option<Vec<Stm>> = body.stms.iter().map(|stm| self.statement(stm)).collect();
        Some(Body { stms: stms?, result: body.result.clone() })
    }

    fn statement(&mut self, stm: &Stm) -> Option<Stm> {
        if makes(&stm.exp) || matches!(stm.exp, Exp::Control(_)) {
            self.in_order.extend(&stm.vars);
        }
        if !stm.vars.iter().all(|var| self.around.is_for_groups(*var)) {
            return None;
        }
        if self.around.is_plain(stm) {
            self.estimate(stm);
            self.make_range(stm)?;
            return Some(stm.clone());
        }
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(_)) | Exp::Array(ArrayExp::Coerce { .. }) => Some(stm.clone()),
            Exp::Array(
                ArrayExp::Replicate { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Concat { .. }
                | ArrayExp::ArrayLit(_),
            ) => {
                self.make(&stm.vars)?;
                Some(stm.clone())
            }
            Exp::Array(ArrayExp::Reshape { array, .. }) => {
                if !self.in_order.contains(array) {
                    self.make(&stm.vars)?;
                }
                self.in_order.insert(stm.vars[0]);
                Some(stm.clone())
            }
            Exp::Array(ArrayExp::Update { .. }) => Some(stm.clone()),
            Exp::Op(op) => {
                let op = self.operator(op, &bound_inside(stm))?;
                self.operators += 1;
                if op.dests().is_empty() {
                    self.make(&stm.vars)?;
                }
                Some(Stm { exp: Exp::Op(op), grid: Some(TOGETHER), ..stm.clone() })
            }
            Exp::Control(exp) => {
                let exp = self.control(stm, exp)?;
                Some(Stm { exp: Exp::Control(exp), ..stm.clone() })
            }
            _ => None,
        }
    }

    fn control(&mut self, stm: &Stm, exp: &ControlExp) -> Option<ControlExp> {
        match exp {
            ControlExp::If { cond, then, els } => {
                self.make(&stm.vars)?;
                Some(ControlExp::If { cond: *cond, then: self.body(then, true)?, els: self.body(els, true)? })
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                self.make(&stm.vars)?;
                let case = |(number, body): &(i64, Body)| Some((*number, self.body(body, true)?));
                let cases: Option<Vec<(i64, Body)>> = cases.iter().map(case).collect();
                Some(ControlExp::Switch {
                    scrutinee: *scrutinee,
                    cases: cases?,
                    default: self.body(default, true)?,
                })
            }
            ControlExp::Loop { params, form, body } => {
                let before = self.operators;
                self.in_loops += 1;
                for (at, (param, initial)) in params.iter().enumerate() {
                    if !self.around.is_for_groups(param.var) {
                        return None;
                    }
                    self.in_order.insert(param.var);
                    if origin(&self.around.names.vars, body, body.result[at]) == Some(param.var) {
                        continue;
                    }
                    // One to read, which may be there, one to write.
                    self.make(&[param.var])?;
                    if !initial.var().is_some_and(|initial| self.given_up.contains(&initial)) {
                        self.make(&[param.var])?;
                    }
                }
                let form = match form {
                    LoopForm::For(counter, bound) => {
                        self.estimates.extend(self.estimated(*bound).map(|bound| (*counter, bound)));
                        LoopForm::For(*counter, *bound)
                    }
                    LoopForm::While(cond) => LoopForm::While(self.body(cond, false)?),
                };
                let body = self.body(body, true)?;
                self.in_loops -= 1;
                match self.operators > before {
                    true => self.has_loops = true,
                    false => self.has_sequences = true,
                }
                Some(ControlExp::Loop { params: params.clone(), form, body })
            }
            ControlExp::Check(_) | ControlExp::Call { .. } | ControlExp::Const(_) => None,
        }
    }

    fn operator(&mut self, op: &Operator, inside: &HashSet<Var>) -> Option<Operator> {
        match op {
            Operator::Map { inputs, .. } => {
                let mut count = Vec::new();
                self.levels(op, &mut count)?;
                let mut op = op.clone();
                let lambda = innermost(&mut op)?;
                self.is_for_a_thread(lambda, true)?;
                self.is_no_product(lambda, inputs)?;
                count.extend(self.rows_together(lambda, inside));
                self.count(count)?;
                Some(op)
            }
            Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. } => {
                let combining = op.combining()?;
                self.varying_count(combining.width)?;
                if let Some(lambda) = combining.lambda {
                    self.is_for_a_thread(lambda, false)?;
                    self.is_no_product(lambda, combining.inputs)?;
                }
                self.share(combining.scans.iter().chain(combining.reductions))?;
                Some(op.clone())
            }
            Operator::Scatter { width, dests, lambda, .. } => {
                self.varying_count(*width)?;
                dests.iter().all(|dest| self.around.is_for_groups(*dest)).then_some(())?;
                self.is_for_a_thread(lambda, false)?;
                Some(op.clone())
            }
            Operator::Hist { width, dests, op: combines, lambda, .. } => {
                self.is_deep = true;
                self.varying_count(*width)?;
                dests.iter().all(|dest| self.around.is_for_groups(*dest)).then_some(())?;
                self.is_for_a_thread(lambda, false)?;
                let scalar = |var: &Var| self.around.names.ty(*var).prim().is_some();
                combines.lambda.params.iter().all(scalar).then_some(())?;
                self.around.is_alone_in_body(&combines.lambda.body, false).then_some(())?;
                let mut shared: BTreeMap<Prim, i64> = BTreeMap::new();
                for prim in shared_by_hist(&self.around.names.vars, &combines.lambda) {
                    *shared.entry(prim).or_default() += GROUP * prim.size() as i64;
                }
                self.at_least(shared);
                Some(op.clone())
            }
            _ => None,
        }
    }

    /// The only reduction in an element of maps is done by several threads, if there are more threads than elements: it is a grid of its own. How wide it is, if that is known
    /// outside.
    fn rows_together(&mut self, lambda: &mut Lambda, inside: &HashSet<Var>) -> Option<Atom> {
        let mut operators = lambda.body.stms.iter_mut().filter(|stm| stm.exp.op().is_some());
        let (Some(only), None) = (operators.next(), operators.next()) else { return None };
        let combining = only.exp.op()?.combining()?;
        let width = combining.width;
        if width.var().is_some_and(|width| inside.contains(&width)) {
            return None;
        }
        self.share(combining.reductions.iter())?;
        only.grid = Some(TOGETHER);
        self.estimated(width)
    }

    /// Elements that reduce rows of something that is the same for all groups are a product, which is done faster for all of them at once,
    /// unless that takes launches in each iteration of a loop.
    fn is_no_product(&self, lambda: &Lambda, inputs: &[Var]) -> Option<()> {
        let reduces = lambda.body.stms.iter().any(|stm| stm.exp.op().is_some());
        let is_matrix =
            |var: &Var| self.known((*var).into()).is_some() && self.around.names.ty(*var).rank() > 1;
        let is_product = reduces && self.in_loops == 0 && inputs.iter().any(is_matrix);
        (!is_product).then_some(())
    }

    /// What is combined has places that all threads see.
    fn share<'r>(&mut self, ops: impl Iterator<Item = &'r Reduction>) -> Option<()> {
        let mut shared: BTreeMap<Prim, i64> = BTreeMap::new();
        for op in ops {
            self.combines(op, &mut shared)?;
        }
        self.at_least(shared);
        Some(())
    }

    fn at_least(&mut self, shared: BTreeMap<Prim, i64>) {
        for (prim, bytes) in shared {
            let most = self.shared.entry(prim).or_default();
            *most = bytes.max(*most);
        }
    }

    /// The widths of maps right inside each other, with nothing but scalars between them.
    fn levels(&self, op: &Operator, count: &mut Vec<Atom>) -> Option<()> {
        let Operator::Map { width, lambda, .. } = op else { return Some(()) };
        count.push(self.known(*width)?);
        let Some(inner) = inner_map(lambda) else { return Some(()) };
        let (_, before) = lambda.body.stms.split_last()?;
        before.iter().all(|stm| self.around.is_plain(stm)).then_some(())?;
        self.levels(inner.exp.op()?, count)
    }

    /// A size that is known outside.
    fn known(&self, size: Atom) -> Option<Atom> {
        let is_bound = size.var().is_some_and(|var| self.bound.contains(&var));
        (!is_bound && self.cx.is_outside(size)).then_some(size)
    }

    /// As `known`, or a size that is known outside and about as large as this one ever is.
    fn estimated(&self, size: Atom) -> Option<Atom> {
        self.known(size).or_else(|| self.estimates.get(&size.var()?).copied())
    }

    fn estimate(&mut self, stm: &Stm) {
        let (first, second) = match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(BinOp::Sub | BinOp::Add, _, first, _)) => (*first, *first),
            Exp::Scalar(ScalarExp::Bin(BinOp::Min | BinOp::Max, _, first, second)) => (*first, *second),
            _ => return,
        };
        if let Some(size) = self.estimated(first).or_else(|| self.estimated(second)) {
            self.estimates.insert(stm.vars[0], size);
        }
    }

    /// An operator whose width may be different in each iteration of a loop: all threads agree about it.
    fn varying_count(&mut self, width: Atom) -> Option<()> {
        self.estimated(width).map_or(Some(()), |width| self.count(vec![width]))
    }

    fn count(&mut self, count: Vec<Atom>) -> Option<()> {
        if count.len() > MOST_DIMS {
            return None;
        }
        let matters = count.len() > 1 || !is_narrow(count[0]);
        if matters && !self.counts.contains(&count) {
            self.counts.push(count);
        }
        Some(())
    }

    /// Whether one thread can do an element, and yields scalars, or if `rows` also arrays of scalars that it stores where they belong.
    fn is_for_a_thread(&mut self, lambda: &Lambda, rows: bool) -> Option<()> {
        let is_row = |stm: &Stm| {
            rows && matches!(&stm.exp, Exp::Array(ArrayExp::ArrayLit(_)))
                && self.around.names.ty(stm.vars[0]).rank() == 1
        };
        let Body { stms, result } = &lambda.body;
        let yields = |atom: &Atom| {
            let Some(var) = atom.var() else { return true };
            self.around.names.ty(var).is_scalar()
                || stms.iter().any(|stm| is_row(stm) && stm.vars.contains(&var))
        };
        let wanted = |stm: &Stm| {
            let places = result.iter().filter(|atom| **atom == Atom::Var(stm.vars[0]));
            is_row(stm) && places.count() == 1
        };
        let alone = stms.iter().all(|stm| wanted(stm) || self.around.is_alone(stm, true));
        let is_deep = !stms.iter().all(|stm| wanted(stm) || self.around.is_plain(stm));
        let fits = alone && result.iter().all(yields);
        self.is_deep |= is_deep;
        fits.then_some(())
    }

    /// Each thread of a group begins with the neutral element. One that differs from element to element may be no neutral element at all
    /// (`neutral`), and is combined once only.
    fn combines(&self, op: &Reduction, shared: &mut BTreeMap<Prim, i64>) -> Option<()> {
        op.neutral.iter().all(|atom| self.known(*atom).is_some()).then_some(())?;
        let params = &op.lambda.params;
        let prims: Option<Vec<Prim>> = params.iter().map(|var| self.around.names.ty(*var).prim()).collect();
        let prims = &prims?[..params.len() / 2];
        let bytes: i64 = prims.iter().map(|prim| prim.size() as i64).sum();
        for prim in prims {
            *shared.entry(*prim).or_default() += scan_room(bytes) / bytes * prim.size() as i64;
        }
        self.around.is_alone_in_body(&op.lambda.body, false).then_some(())
    }

    /// Memory for these, as far as they are arrays.
    fn make(&mut self, vars: &[Var]) -> Option<()> {
        for var in vars {
            let ty = self.around.names.ty(*var);
            let Type::Value(Elem::Prim(prim), dims) = ty else { continue };
            if dims.is_empty() || self.placed.contains(var) {
                continue;
            }
            let sizes: Option<Vec<Atom>> = dims.iter().map(|dim| self.known(dim.atom()?)).collect();
            let sizes = sizes.filter(|sizes| sizes.len() <= MOST_DIMS)?;
            self.arrays.push((prim.size() as i64, sizes));
        }
        Some(())
    }

    /// A range is made, if anybody asks for more than its elements.
    fn make_range(&mut self, stm: &Stm) -> Option<()> {
        match &stm.exp {
            Exp::Array(ArrayExp::Range { .. }) => self.make(&stm.vars),
            _ => Some(()),
        }
    }
}
