//! What is needed: a graph of the program, and a search through it.
//!
//! Nodes are variables, statements, functions and their results. An edge leads from what needs to what is needed: a result
//! of a `map` to the result of its lambda, that to its statement, a parameter of a lambda to its input, a parameter of a
//! function to the arguments of all calls that are themselves needed. The search begins at what entry points yield and at
//! statements that must stay because of their effects. What it does not reach is removed by `sweep`: columns of records
//! that nobody reads, parameters that are only handed on, inputs of an operator whose results nobody uses.
//!
//! Since results and parameters are nodes of their own, a loop or a recursive function that computes a value only for
//! itself is no reason to keep it. Cost: linear in the size of the program.

use crate::nest::effects::Effects;
use crate::nest::inputs::param_groups;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, Exp, Fun, FunId, Lambda, LoopForm, Operator, Prog, Stm, Type, Var,
};

/// A variable, a statement, a function or a result of one.
pub type Node = u32;

pub struct Marks {
    needed: Vec<bool>,
    pub layout: Layout,
}

/// Where the nodes of each kind are. Statements are numbered in the order of the text, over all functions.
pub struct Layout {
    vars: Vec<Node>,
    results: Vec<Node>,
    funs: Node,
    stms: Node,
    /// Of each statement, the number of the one after all that is inside it.
    pub ends: Vec<u32>,
}

impl Layout {
    fn new(prog: &Prog) -> Layout {
        let mut next = 0;
        let mut place = |count: usize| {
            let first = next;
            next += count as Node;
            first
        };
        let vars = prog.funs.iter().map(|fun| place(fun.vars.len())).collect();
        let results = prog.funs.iter().map(|fun| place(fun.ret.len())).collect();
        let funs = place(prog.funs.len());
        Layout { vars, results, funs, stms: next, ends: Vec::new() }
    }

    fn var(&self, fun: usize, var: Var) -> Node {
        self.vars[fun] + var.0
    }

    fn result(&self, fun: usize, index: usize) -> Node {
        self.results[fun] + index as Node
    }

    fn fun(&self, fun: usize) -> Node {
        self.funs + fun as Node
    }
}

impl Marks {
    pub fn var(&self, fun: usize, var: Var) -> bool {
        self.needed[self.layout.var(fun, var) as usize]
    }

    pub fn result(&self, fun: usize, index: usize) -> bool {
        self.needed[self.layout.result(fun, index) as usize]
    }

    pub fn fun(&self, fun: usize) -> bool {
        self.needed[self.layout.fun(fun) as usize]
    }

    pub fn stm(&self, number: u32) -> bool {
        self.needed[(self.layout.stms + number) as usize]
    }
}

pub fn mark(prog: &Prog, effects: &Effects) -> Marks {
    let layout = Layout::new(prog);
    let nodes = layout.stms as usize;
    let mut graph = Graph {
        prog,
        effects,
        layout,
        fun: 0,
        needs: vec![Vec::new(); nodes],
        site: Vec::new(),
        param: vec![None; nodes],
    };
    for (index, fun) in prog.funs.iter().enumerate() {
        graph.fun = index;
        graph.function(fun);
    }
    graph.fixed_signatures();
    search(graph)
}

struct Graph<'a> {
    prog: &'a Prog,
    effects: &'a Effects,
    layout: Layout,
    /// The function that is being looked at.
    fun: usize,
    /// What each node needs.
    needs: Vec<Vec<Node>>,
    /// Of each statement that is a call: the function called, what is bound, and the arguments.
    site: Vec<Option<Site>>,
    /// Of each variable that is a parameter: its function and position.
    param: Vec<Option<(usize, usize)>>,
}

struct Site {
    callee: usize,
    bound: Vec<Node>,
    args: Vec<Option<Node>>,
}

impl Graph<'_> {
    fn function(&mut self, fun: &Fun) {
        for (position, param) in fun.params.iter().enumerate() {
            let node = self.layout.var(self.fun, param.var);
            self.param[node as usize] = Some((self.fun, position));
        }
        for (index, info) in fun.vars.iter().enumerate() {
            let node = self.layout.var(self.fun, Var(index as u32));
            self.needs_type(node, &info.ty);
        }
        for (index, ret) in fun.ret.iter().enumerate() {
            let node = self.layout.result(self.fun, index);
            self.needs_type(node, &ret.ty);
            self.needs_atom(node, fun.body.result[index]);
        }
        self.stms(&fun.body, self.layout.fun(self.fun));
    }

    /// Entry points and constants are called from outside the graph, and who looks on takes what is shown.
    fn fixed_signatures(&mut self) {
        let entries = self.prog.entries.iter().map(|entry| entry.fun);
        let mut fixed: Vec<FunId> =
            entries.chain(self.prog.consts.iter().map(|constant| constant.fun)).collect();
        let shows = (0..self.prog.funs.len()).filter(|at| self.prog.funs[*at].is_show());
        fixed.extend(shows.map(|at| FunId(at as u32)));
        if self.prog.entries.is_empty() {
            fixed = (0..self.prog.funs.len()).map(|index| FunId(index as u32)).collect();
        }
        for FunId(id) in fixed {
            let index = id as usize;
            let fun = &self.prog.funs[index];
            let node = self.layout.fun(index);
            for param in &fun.params {
                self.edge(node, self.layout.var(index, param.var));
            }
            for result in 0..fun.ret.len() {
                self.edge(node, self.layout.result(index, result));
            }
        }
    }

    fn edge(&mut self, from: Node, to: Node) {
        self.needs[from as usize].push(to);
    }

    fn var(&self, var: Var) -> Node {
        self.layout.var(self.fun, var)
    }

    fn needs_atom(&mut self, from: Node, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.edge(from, self.var(var));
        }
    }

    fn needs_type(&mut self, from: Node, ty: &Type) {
        let mut mentioned = Vec::new();
        ty.for_each_var(&mut |var| mentioned.push(self.var(var)));
        let mut ty = ty.clone();
        ty.for_each_dim(&mut |dim| match dim {
            Dim::Result(index) => mentioned.push(self.layout.result(self.fun, *index)),
            Dim::Size(_) | Dim::Irregular => {}
        });
        self.needs[from as usize].extend(mentioned);
    }

    /// Statements that are there because of `owner`, which is a statement or a function.
    fn stms(&mut self, body: &Body, owner: Node) {
        for stm in &body.stms {
            let number = self.layout.ends.len() as u32;
            self.layout.ends.push(0);
            self.needs.push(Vec::new());
            self.site.push(None);
            let node = self.layout.stms + number;
            self.edge(node, owner);
            stm.certs.iter().for_each(|cert| self.edge(node, self.var(*cert)));
            for var in &stm.vars {
                self.edge(self.var(*var), node);
            }
            if self.effects.stm_fails_itself(stm) || matches!(stm.exp, Exp::Array(ArrayExp::AccWrite { .. }))
            {
                self.edge(self.layout.fun(self.fun), node);
            }
            self.exp(stm, node, number);
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => self.stms(body, node),
                Part::Lambda(lambda) => self.stms(&lambda.body, node),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            self.layout.ends[number as usize] = self.layout.ends.len() as u32;
        }
    }

    /// What a statement needs, and what each of its results needs; `node` is the statement's.
    fn exp(&mut self, stm: &Stm, node: Node, number: u32) {
        match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) => {
                self.needs_atom(node, *cond);
                self.branch(&stm.vars, then);
                self.branch(&stm.vars, els);
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                self.needs_atom(node, *scrutinee);
                cases.iter().for_each(|(_, body)| self.branch(&stm.vars, body));
                self.branch(&stm.vars, default);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                match form {
                    LoopForm::For(var, bound) => {
                        self.edge(node, self.var(*var));
                        self.needs_atom(node, *bound);
                    }
                    LoopForm::While(cond) => cond.result.iter().for_each(|x| self.needs_atom(node, *x)),
                }
                for (((param, initial), next), var) in params.iter().zip(&body.result).zip(&stm.vars) {
                    let param = self.var(param.var);
                    self.needs_atom(param, *initial);
                    self.needs_atom(param, *next);
                    self.together(&[param, self.var(*var)]);
                }
            }
            Exp::Control(ControlExp::Call { fun, args }) => {
                let callee = fun.0 as usize;
                let bound: Vec<Node> = stm.vars.iter().map(|var| self.var(*var)).collect();
                for (index, var) in bound.iter().enumerate() {
                    self.edge(*var, self.layout.result(callee, index));
                }
                let args = args.iter().map(|arg| arg.var().map(|var| self.var(var))).collect();
                self.edge(node, self.layout.fun(callee));
                self.site[number as usize] = Some(Site { callee, bound, args });
            }
            Exp::Control(ControlExp::Const(id)) => {
                self.all_bound(stm, node);
                let fun = self.prog.consts[id.0 as usize].fun;
                self.edge(node, self.layout.fun(fun.0 as usize));
            }
            _ if stm.grid.is_some() => self.whole(stm, node),
            Exp::Op(Operator::Map { width, inputs, lambda }) => {
                self.needs_atom(node, *width);
                self.inputs(inputs, &lambda.params, node);
                for (var, result) in stm.vars.iter().zip(&lambda.body.result) {
                    self.needs_atom(self.var(*var), *result);
                }
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                self.needs_atom(node, *width);
                self.inputs(inputs, &lambda.params, node);
                let mut combined = 0;
                for op in scans.iter().chain(reductions) {
                    combined += op.neutral.len();
                    op.neutral.iter().for_each(|x| self.needs_atom(node, *x));
                    self.whole_lambda(&op.lambda, node);
                }
                for (index, (var, result)) in stm.vars.iter().zip(&lambda.body.result).enumerate() {
                    let var = self.var(*var);
                    self.needs_atom(if index < combined { node } else { var }, *result);
                    if index < combined {
                        self.edge(node, var);
                    }
                }
            }
            // The count, or whether a row is kept, is always needed.
            Exp::Op(
                Operator::Filter { width, inputs, lambda } | Operator::Partition { width, inputs, lambda },
            ) => {
                self.needs_atom(node, *width);
                self.edge(node, self.var(stm.vars[0]));
                self.needs_atom(node, lambda.body.result[0]);
                self.inputs(inputs, &lambda.params, node);
                for (kept, row) in stm.vars.iter().zip(&lambda.body.result).skip(1) {
                    self.needs_atom(self.var(*kept), *row);
                }
            }
            // Of keys and places either may be needed.
            Exp::Op(Operator::Sort { width, keys, yields: _ }) => {
                self.needs_atom(node, *width);
                self.needs_atom(node, (*keys).into());
            }
            Exp::Op(Operator::Scatter { width, dests, inputs, lambda }) => {
                self.writes(stm, *width, dests, inputs, lambda, node);
            }
            Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) => {
                self.writes(stm, *width, dests, inputs, lambda, node);
                op.neutral.iter().for_each(|x| self.needs_atom(node, *x));
                self.whole_lambda(&op.lambda, node);
            }
            Exp::Scalar(_)
            | Exp::Control(ControlExp::Check(_))
            | Exp::Array(_)
            | Exp::Op(
                Operator::Reduce { .. }
                | Operator::Scan { .. }
                | Operator::Stream { .. }
                | Operator::AccStream { .. }
                | Operator::Task(_),
            )
            | Exp::Cell(_) => self.whole(stm, node),
        }
    }

    fn branch(&mut self, vars: &[Var], body: &Body) {
        for (var, result) in vars.iter().zip(&body.result) {
            self.needs_atom(self.var(*var), *result);
        }
    }

    /// All destinations are written together, but not all inputs may be needed for that.
    fn writes(&mut self, stm: &Stm, width: Atom, dests: &[Var], inputs: &[Var], lambda: &Lambda, node: Node) {
        self.all_bound(stm, node);
        self.needs_atom(node, width);
        dests.iter().for_each(|dest| self.edge(node, self.var(*dest)));
        self.inputs(inputs, &lambda.params, node);
        lambda.body.result.iter().for_each(|x| self.needs_atom(node, *x));
    }

    /// Nothing of it can be left out.
    fn whole(&mut self, stm: &Stm, node: Node) {
        self.all_bound(stm, node);
        stm.for_each_part(&mut |part| match part {
            Part::Atom(atom) => self.needs_atom(node, *atom),
            Part::Var(var) | Part::Binder(var) => self.edge(node, self.var(*var)),
            Part::Body(body) => body.result.iter().for_each(|x| self.needs_atom(node, *x)),
            Part::Lambda(lambda) => self.whole_lambda(lambda, node),
        });
    }

    fn whole_lambda(&mut self, lambda: &Lambda, node: Node) {
        lambda.params.iter().for_each(|var| self.edge(node, self.var(*var)));
        lambda.body.result.iter().for_each(|x| self.needs_atom(node, *x));
    }

    fn all_bound(&mut self, stm: &Stm, node: Node) {
        stm.vars.iter().for_each(|var| self.edge(node, self.var(*var)));
    }

    /// A parameter needs its input, and the length that comes with it.
    fn inputs(&mut self, inputs: &[Var], params: &[Var], node: Node) {
        for (input, group) in inputs.iter().zip(self.groups(inputs, params)) {
            let group: Vec<Node> = group.iter().map(|var| self.var(*var)).collect();
            for param in &group {
                self.edge(*param, self.var(*input));
                self.edge(*param, node);
            }
            self.together(&group);
        }
    }

    fn groups<'p>(&self, inputs: &[Var], params: &'p [Var]) -> Vec<&'p [Var]> {
        param_groups(&self.prog.funs[self.fun].vars, inputs, params)
    }

    fn together(&mut self, nodes: &[Node]) {
        for pair in nodes.windows(2) {
            self.edge(pair[0], pair[1]);
            self.edge(pair[1], pair[0]);
        }
    }
}

fn search(graph: Graph<'_>) -> Marks {
    let Graph { prog, layout, needs, site, param, .. } = graph;
    let mut needed = vec![false; needs.len()];
    let mut work: Vec<Node> = prog.entries.iter().map(|entry| layout.fun(entry.fun.0 as usize)).collect();
    if prog.entries.is_empty() {
        work = (0..prog.funs.len()).map(|fun| layout.fun(fun)).collect();
    }
    // Of each function, the calls that are needed.
    let mut calls: Vec<Vec<u32>> = prog.funs.iter().map(|_| Vec::new()).collect();
    let first_result = layout.results.first().copied().unwrap_or(0);
    let mut owner = vec![(0, 0); (layout.funs - first_result) as usize];
    for (fun, info) in prog.funs.iter().enumerate() {
        for index in 0..info.ret.len() {
            owner[(layout.result(fun, index) - first_result) as usize] = (fun, index);
        }
    }
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut needed[node as usize], true) {
            continue;
        }
        work.extend(needs[node as usize].iter().filter(|to| !needed[**to as usize]));
        if node >= layout.stms {
            let number = node - layout.stms;
            if let Some(site) = &site[number as usize] {
                calls[site.callee].push(number);
                let fun = &prog.funs[site.callee];
                let results = site.bound.iter().enumerate();
                work.extend(
                    results.filter(|(i, _)| needed[layout.result(site.callee, *i) as usize]).map(|(_, v)| *v),
                );
                let args = fun.params.iter().zip(&site.args);
                work.extend(
                    args.filter(|(p, _)| needed[layout.var(site.callee, p.var) as usize])
                        .filter_map(|(_, a)| *a),
                );
            }
        } else if let Some((fun, position)) = param[node as usize] {
            let sites = calls[fun].iter().filter_map(|number| site[*number as usize].as_ref());
            work.extend(sites.filter_map(|site| site.args[position]));
        } else if node >= first_result && node < layout.funs {
            let (fun, index) = owner[(node - first_result) as usize];
            let sites = calls[fun].iter().filter_map(|number| site[*number as usize].as_ref());
            work.extend(sites.map(|site| site.bound[index]));
        }
    }
    Marks { needed, layout }
}
