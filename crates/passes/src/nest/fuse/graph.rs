//! The dataflow graph of a block: its kernels, the arrays between them, and what must come before what.
//!
//! A *kernel* is a statement with a parallel operator ("kernel invocation" in the paper). Kernel `i` *flows into*
//! kernel `j` if `j` takes an array of `i` element by element, in the order in which `i` makes it. Every
//! other way to depend on `i` needs all of `i` first: `i` is *finished before* `j`. That is so for free
//! variables of lambdas, for what passes through other statements, for results of reductions and scans,
//! for memory that `i` reads and `j` overwrites, and where something is shown between the two.

use super::bits::Bits;
use super::sizes::{Equal, Sizes};
use super::uses::mentions;
use super::work::{CHEAP, work};
use crate::nest::memory::{Memory, Signature, consumed};
use norn_ir::nest::{Atom, Body, Exp, Operator, Showing, Stm, StreamForm, Var, VarInfo};
use std::collections::HashMap;

pub struct Graph {
    pub kernels: Vec<Kernel>,
    pub arrays: Vec<Array>,
    /// Of each statement, those that come before it, sorted.
    pub deps: Vec<Vec<usize>>,
    /// Of each statement, its kernel.
    pub kernel_of: Vec<Option<usize>>,
    /// Of each variable, the statements that mention it, sorted. The number of statements: the block's results.
    pub uses: HashMap<Var, Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum OperatorKind {
    Map,
    Reduce,
    Scan,
    Fused,
    Filter,
    Partition,
    Scatter,
    Hist,
    /// A stream whose chunks are independent of each other.
    Stream,
    /// A stream that takes one chunk after the other.
    Sequence,
    Accumulate,
}

pub struct Kernel {
    pub stm: usize,
    pub kind: OperatorKind,
    pub width: Atom,
    /// Other names of the width.
    pub equal: Equal,
    /// Arrays it takes element by element, each once.
    pub reads: Vec<usize>,
    /// Arrays it makes that can be done without if nobody else needs them.
    pub makes: Vec<usize>,
    /// Kernels that flow into it.
    pub flow: Bits,
    /// Kernels that are finished before it, and do not only flow into it.
    pub before: Bits,
    /// The filter whose count is its width.
    pub filter: Option<usize>,
    /// May be repeated at this price: a cheap map, all of whose arrays only flow into kernels.
    pub cheap: Option<u32>,
    /// Never part of a cluster.
    pub alone: bool,
}

pub struct Array {
    pub var: Var,
    /// The kernel of this block that makes it.
    pub maker: Option<usize>,
    /// Kernels that take it element by element.
    pub users: Bits,
    /// Needed by something other than these.
    pub escapes: bool,
}

/// What it means that a kernel flows into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The one needs only the element that the other just made.
    Elements,
    /// The one needs only the chunk that the other just made, chunks being made one after the other: a scan flows too.
    Chunks,
}

/// What a kernel takes element by element.
pub fn operator(exp: &Exp) -> Option<(OperatorKind, Atom, Vec<Var>)> {
    let op = exp.op()?;
    let kind = match op {
        Operator::Map { .. } => OperatorKind::Map,
        Operator::Reduce { .. } => OperatorKind::Reduce,
        Operator::Scan { .. } => OperatorKind::Scan,
        Operator::Fused { .. } => OperatorKind::Fused,
        Operator::Filter { .. } => OperatorKind::Filter,
        Operator::Partition { .. } => OperatorKind::Partition,
        Operator::Scatter { .. } => OperatorKind::Scatter,
        Operator::Hist { .. } => OperatorKind::Hist,
        Operator::Stream { form, .. } => match form {
            StreamForm::Map { .. } | StreamForm::Reduce { .. } => OperatorKind::Stream,
            StreamForm::Seq { .. } => OperatorKind::Sequence,
        },
        Operator::AccStream { .. } => OperatorKind::Accumulate,
        Operator::Sort { .. } | Operator::Task(_) => return None,
    };
    Some((kind, op.width(), op.inputs().to_vec()))
}

/// The variables of a kernel that are arrays with an element for each of its inputs' (or, of a filter, for
/// each that it keeps), and known as soon as that element is.
pub fn elementwise(stm: &Stm, flow: Flow) -> &[Var] {
    let from = match &stm.exp {
        Exp::Op(Operator::Map { .. }) => 0,
        Exp::Op(Operator::Fused { scans, reductions, .. }) => {
            scans.iter().chain(reductions).map(|op| op.neutral.len()).sum()
        }
        Exp::Op(Operator::Scan { .. }) if flow == Flow::Chunks => 0,
        Exp::Op(Operator::Filter { .. }) => 1,
        Exp::Op(Operator::Stream { form, .. }) => match form {
            StreamForm::Map { .. } => 0,
            StreamForm::Reduce { op, .. } => op.params.len() / 2,
            StreamForm::Seq { init } => init.len(),
        },
        _ => stm.vars.len(),
    };
    &stm.vars[from.min(stm.vars.len())..]
}

impl Graph {
    /// What is known about sizes is that of the place where the block begins, and afterwards again.
    pub fn new(
        vars: &[VarInfo],
        body: &Body,
        memory: &Memory,
        signatures: &[Signature],
        showing: &Showing,
        sizes: &mut Sizes,
    ) -> Graph {
        Graph::with_flow(vars, body, memory, signatures, showing, sizes, Flow::Elements)
    }

    pub fn with_flow(
        vars: &[VarInfo],
        body: &Body,
        memory: &Memory,
        signatures: &[Signature],
        showing: &Showing,
        sizes: &mut Sizes,
        flow: Flow,
    ) -> Graph {
        let count = body.stms.len();
        let operators: Vec<_> = body.stms.iter().map(|stm| operator(&stm.exp)).collect();
        let mut kernel_of = vec![None; count];
        for (number, stm) in (0..count).filter(|stm| operators[*stm].is_some()).enumerate() {
            kernel_of[stm] = Some(number);
        }
        let total = kernel_of.iter().flatten().count();
        let mut builder = Builder {
            vars,
            body,
            memory,
            signatures,
            showing,
            total,
            flow,
            graph: Graph {
                kernels: Vec::with_capacity(total),
                arrays: Vec::new(),
                deps: Vec::with_capacity(count),
                kernel_of,
                uses: HashMap::new(),
            },
            bound_by: HashMap::new(),
            array_of: HashMap::new(),
            nearest: Vec::with_capacity(count),
            users: HashMap::new(),
            shown: None,
            checked: None,
        };
        let mark = sizes.mark();
        for (at, operator) in operators.into_iter().enumerate() {
            builder.stm(at, operator, sizes);
            sizes.learn(vars, &body.stms[at]);
        }
        sizes.forget(mark);
        for atom in &body.result {
            if let Atom::Var(var) = atom {
                builder.graph.uses.entry(*var).or_default().push(count);
            }
        }
        builder.finish()
    }

    /// Whether anything but these statements mentions the variable.
    pub fn used_outside(&self, var: Var, inside: &[usize]) -> bool {
        self.uses.get(&var).is_some_and(|uses| uses.iter().any(|at| !inside.contains(at)))
    }
}

struct Builder<'a> {
    vars: &'a [VarInfo],
    body: &'a Body,
    memory: &'a Memory,
    signatures: &'a [Signature],
    showing: &'a Showing,
    /// How many kernels there are.
    total: usize,
    flow: Flow,
    graph: Graph,
    bound_by: HashMap<Var, usize>,
    array_of: HashMap<Var, usize>,
    /// Of each statement, the kernels before it with nothing but other statements between.
    nearest: Vec<Bits>,
    /// Of each class of memory, the statements that mention it so far.
    users: HashMap<u32, Vec<usize>>,
    /// The last statement that shows something: nothing moves across it, so that what is shown before a failure is shown.
    shown: Option<usize>,
    /// The last kernel that yields nothing: it checks what all behind it rely on, without saying so.
    checked: Option<usize>,
}

impl Builder<'_> {
    fn stm(&mut self, at: usize, operator: Option<(OperatorKind, Atom, Vec<Var>)>, sizes: &Sizes) {
        let stm = &self.body.stms[at];
        let mut mentioned = mentions(self.vars, stm);
        for var in &mentioned {
            let uses = self.graph.uses.entry(*var).or_default();
            if uses.last() != Some(&at) {
                uses.push(at);
            }
        }
        let equal = operator.as_ref().map_or(Equal::default(), |(_, width, _)| sizes.equal(*width));
        let mentioned_or_relied_on = mentioned.iter().chain(&equal.certs);
        let mut deps: Vec<usize> =
            mentioned_or_relied_on.filter_map(|var| self.bound_by.get(var).copied()).collect();
        let mut memory = self.readers_of_what_is_consumed(stm);
        memory.extend(self.shown.into_iter().chain(self.checked));
        if self.showing.exp(&stm.exp) {
            memory.extend(0..at);
            self.shown = Some(at);
        }
        if operator.is_some() && stm.vars.is_empty() {
            self.checked = Some(at);
        }
        deps.extend(&memory);
        deps.sort_unstable();
        deps.dedup();

        match operator {
            Some((kind, width, inputs)) => {
                self.kernel(at, (kind, width, inputs), &mut mentioned, &memory, equal);
                self.nearest.push(Bits::new(self.total));
            }
            None => {
                let mut nearest = Bits::new(self.total);
                deps.iter().for_each(|dep| self.near(*dep, &mut nearest));
                self.nearest.push(nearest);
            }
        }
        for var in mentions(self.vars, stm) {
            let users = self.users.entry(self.memory.class(var)).or_default();
            if users.last() != Some(&at) {
                users.push(at);
            }
        }
        for var in &stm.vars {
            self.bound_by.insert(*var, at);
            // Whoever binds memory is also a user: it may share it with what is consumed later.
            let users = self.users.entry(self.memory.class(*var)).or_default();
            if users.last() != Some(&at) {
                users.push(at);
            }
        }
        self.graph.deps.push(deps);
    }

    fn readers_of_what_is_consumed(&self, stm: &Stm) -> Vec<usize> {
        let classes = consumed(self.vars, stm, self.signatures);
        let classes = classes.into_iter().map(|var| self.memory.class(var));
        classes.flat_map(|class| self.users.get(&class).cloned().unwrap_or_default()).collect()
    }

    fn near(&self, stm: usize, nearest: &mut Bits) {
        match self.graph.kernel_of[stm] {
            Some(kernel) => nearest.insert(kernel),
            None => nearest.add_all(&self.nearest[stm]),
        }
    }

    fn kernel(
        &mut self,
        at: usize,
        (kind, width, inputs): (OperatorKind, Atom, Vec<Var>),
        mentioned: &mut Vec<Var>,
        memory: &[usize],
        equal: Equal,
    ) {
        let number = self.graph.kernels.len();
        let (mut flow, mut before) = (Bits::new(self.total), Bits::new(self.total));
        // What is left in `mentioned` afterwards is needed whole.
        for input in &inputs {
            if let Some(place) = mentioned.iter().rposition(|var| var == input) {
                mentioned.remove(place);
            }
        }
        let filter = self.count_of_filter(width);
        if let Some(filter) = filter {
            flow.insert(filter);
            self.forget_width(at, width, mentioned);
        }
        let mut reads = Vec::new();
        for input in &inputs {
            let array = self.array(*input);
            self.graph.arrays[array].users.insert(number);
            if !reads.contains(&array) {
                reads.push(array);
            }
            match self.graph.arrays[array].maker {
                Some(maker) if self.flows(*input, maker) => flow.insert(maker),
                Some(_) | None => {
                    if let Some(stm) = self.bound_by.get(input) {
                        self.near(*stm, &mut before);
                    }
                }
            }
        }
        for var in mentioned.iter() {
            if let Some(stm) = self.bound_by.get(var) {
                self.near(*stm, &mut before);
            }
            if let Some(array) = self.array_of.get(var) {
                self.graph.arrays[*array].escapes = true;
            }
        }
        memory.iter().for_each(|stm| self.near(*stm, &mut before));
        equal
            .certs
            .iter()
            .filter_map(|cert| self.bound_by.get(cert))
            .for_each(|stm| self.near(*stm, &mut before));
        let stm = &self.body.stms[at];
        let makes = stm.vars.iter().filter(|var| self.makes(stm, **var)).copied();
        let makes: Vec<Var> = makes.collect();
        let makes = makes.into_iter().map(|var| self.made(var, number)).collect();
        let price = match &stm.exp {
            Exp::Op(Operator::Map { lambda, .. }) => work(self.vars, lambda).filter(|price| *price <= CHEAP),
            _ => None,
        };
        let alone = matches!(&stm.exp, Exp::Op(Operator::Scan { .. }))
            && inputs.iter().any(|var| self.irregular(*var));
        self.graph.kernels.push(Kernel {
            stm: at,
            kind,
            width,
            equal,
            reads,
            makes,
            flow,
            before,
            filter,
            cheap: price,
            alone,
        });
    }

    /// The filter of this block whose count this is.
    fn count_of_filter(&self, width: Atom) -> Option<usize> {
        let count = width.var()?;
        let stm = *self.bound_by.get(&count)?;
        let is_filter = matches!(self.body.stms[stm].exp, Exp::Op(Operator::Filter { .. }));
        self.graph.kernel_of[stm].filter(|_| is_filter && self.body.stms[stm].vars.first() == Some(&count))
    }

    /// That its width, and the outermost size of its results, is the count of a filter is no reason to wait
    /// for the filter: if both are fused then nothing has that size any more.
    fn forget_width(&self, at: usize, width: Atom, mentioned: &mut Vec<Var>) {
        let stm = &self.body.stms[at];
        let sized = stm.vars.iter().filter(|var| {
            self.vars[var.0 as usize].ty.dims().first().and_then(|dim| dim.atom()) == Some(width)
        });
        for _ in 0..=sized.count() {
            if let Some(place) = mentioned.iter().position(|var| Atom::Var(*var) == width) {
                mentioned.remove(place);
            }
        }
    }

    fn array(&mut self, var: Var) -> usize {
        if let Some(array) = self.array_of.get(&var) {
            return *array;
        }
        let array = self.graph.arrays.len();
        self.graph.arrays.push(Array { var, maker: None, users: Bits::new(self.total), escapes: false });
        self.array_of.insert(var, array);
        array
    }

    fn made(&mut self, var: Var, maker: usize) -> usize {
        let array = self.array(var);
        self.graph.arrays[array].maker = Some(maker);
        array
    }

    fn flows(&self, array: Var, maker: usize) -> bool {
        elementwise(&self.body.stms[self.graph.kernels[maker].stm], self.flow).contains(&array)
    }

    /// Whether it is an array as long as the inputs, or a part of them.
    fn makes(&self, stm: &Stm, var: Var) -> bool {
        let reduced = match &stm.exp {
            Exp::Op(
                Operator::Reduce { .. }
                | Operator::Scatter { .. }
                | Operator::Hist { .. }
                | Operator::AccStream { .. },
            ) => true,
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                let from: usize = scans.iter().map(|op| op.neutral.len()).sum();
                let to: usize = from + reductions.iter().map(|op| op.neutral.len()).sum::<usize>();
                stm.vars.get(from..to).is_some_and(|vars| vars.contains(&var))
            }
            Exp::Op(Operator::Stream { .. }) => !elementwise(stm, self.flow).contains(&var),
            _ => false,
        };
        !reduced && self.vars[var.0 as usize].ty.is_array()
    }

    fn irregular(&self, var: Var) -> bool {
        self.vars[var.0 as usize].ty.has_irregular_rows()
    }

    fn finish(mut self) -> Graph {
        let count = self.body.stms.len();
        for array in &mut self.graph.arrays {
            let uses = self.graph.uses.get(&array.var).map_or(&[][..], Vec::as_slice);
            array.escapes |= uses.iter().any(|at| {
                *at == count || self.graph.kernel_of[*at].is_none_or(|kernel| !array.users.contains(kernel))
            });
        }
        // What must be over before another statement can only be there once.
        for (at, deps) in self.graph.deps.iter().enumerate() {
            for before in deps.iter().filter_map(|dep| self.graph.kernel_of[*dep]) {
                let flows = self.graph.kernel_of[at].is_some_and(|after| {
                    let after = &self.graph.kernels[after];
                    after.flow.contains(before) && !after.before.contains(before)
                });
                if !flows {
                    self.graph.kernels[before].cheap = None;
                }
            }
        }
        for number in 0..self.total {
            let makes = &self.graph.kernels[number].makes;
            let used: usize = makes.iter().map(|array| self.graph.arrays[*array].users.iter().count()).sum();
            if used < 2 || makes.iter().any(|array| self.graph.arrays[*array].escapes) {
                self.graph.kernels[number].cheap = None;
            }
        }
        self.graph
    }
}
