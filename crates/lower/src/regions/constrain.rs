//! Unify the regions of what the rules of nest ask to agree.
//!
//! Two lists of values that correspond, such as inputs and a lambda's parameters, have their
//! refs in the same order; what one list has in addition, lengths of rows, are no refs. So it is enough to
//! unify the regions of the one list with those of the other, in order.

use super::Scheme;
use super::unify::{RegionId, Unifier};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, CellExp, ControlExp, Elem, Exp, Fun, FunId, Lambda, Operator, Prog, Reduction,
    ScalarExp, Stm, StreamForm, Type, Var,
};
use std::collections::BTreeMap;

/// The unknown regions of a function.
pub struct FunRegions {
    /// Of each variable, those in its type.
    pub vars: Vec<Vec<RegionId>>,
    /// Of all parameters, and of all results.
    pub params: Vec<RegionId>,
    pub rets: Vec<RegionId>,
    /// In the order of the text.
    pub calls: Vec<CallSite>,
}

/// A call, or the use of a constant.
pub struct CallSite {
    pub fun: FunId,
    pub constant: bool,
    /// What is passed for the callee's region parameters; for a callee of the same group these
    /// are its own.
    pub regions: Option<Vec<RegionId>>,
}

impl CallSite {
    /// The classes of what is passed.
    pub fn passed(&self, params: &BTreeMap<FunId, Vec<RegionId>>, unifier: &mut Unifier) -> Vec<RegionId> {
        let regions = self.regions.as_ref().unwrap_or_else(|| &params[&self.fun]);
        regions.iter().map(|region| unifier.find(*region)).collect()
    }
}

impl FunRegions {
    fn new(fun: &Fun, unifier: &mut Unifier) -> FunRegions {
        let vars: Vec<Vec<RegionId>> = fun.vars.iter().map(|info| fresh_regions(&info.ty, unifier)).collect();
        let params = fun.params.iter().flat_map(|param| vars[param.var.0 as usize].clone()).collect();
        let rets = fun.ret.iter().flat_map(|ret| fresh_regions(&ret.ty, unifier)).collect();
        FunRegions { vars, params, rets, calls: Vec::new() }
    }

    /// The classes of regions in parameters and results, each once.
    pub fn interface(&self, unifier: &mut Unifier) -> Vec<RegionId> {
        let mut classes = Vec::new();
        for region in self.params.iter().chain(&self.rets) {
            let class = unifier.find(*region);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes
    }
}

fn fresh_regions(ty: &Type, unifier: &mut Unifier) -> Vec<RegionId> {
    match ty {
        Type::Value(Elem::Ref(..), _) => vec![unifier.fresh()],
        Type::Acc(types) => types.iter().flat_map(|ty| fresh_regions(ty, unifier)).collect(),
        Type::Value(Elem::Prim(_), _) | Type::Seg { .. } | Type::Region | Type::Cert => Vec::new(),
    }
}

pub fn constrain_group(
    prog: &Prog,
    group: &[FunId],
    schemes: &[Option<Scheme>],
    unifier: &mut Unifier,
) -> BTreeMap<FunId, FunRegions> {
    let mut found: BTreeMap<FunId, FunRegions> =
        group.iter().map(|id| (*id, FunRegions::new(&prog.funs[id.0 as usize], unifier))).collect();
    for id in group {
        let fun = &prog.funs[id.0 as usize];
        let mut constrainer =
            Constrainer { prog, schemes, unifier, found: &found, fun: *id, calls: Vec::new() };
        constrainer.body(&fun.body);
        constrainer.unify(&constrainer.of_atoms(&fun.body.result), &found[id].rets);
        let calls = constrainer.calls;
        if let Some(fun) = found.get_mut(id) {
            fun.calls = calls;
        }
    }
    found
}

struct Constrainer<'a> {
    prog: &'a Prog,
    schemes: &'a [Option<Scheme>],
    unifier: &'a mut Unifier,
    found: &'a BTreeMap<FunId, FunRegions>,
    fun: FunId,
    calls: Vec<CallSite>,
}

impl Constrainer<'_> {
    fn of_vars(&self, vars: &[Var]) -> Vec<RegionId> {
        let table = &self.found[&self.fun].vars;
        vars.iter().flat_map(|var| table[var.0 as usize].iter().copied()).collect()
    }

    fn of_atoms(&self, atoms: &[Atom]) -> Vec<RegionId> {
        let vars: Vec<Var> = atoms.iter().filter_map(|atom| atom.var()).collect();
        self.of_vars(&vars)
    }

    fn unify(&mut self, a: &[RegionId], b: &[RegionId]) {
        assert!(a.len() == b.len(), "regions: values that correspond differ in their refs");
        for (a, b) in a.iter().zip(b) {
            self.unifier.unify(*a, *b);
        }
    }

    fn unify_all(&mut self, regions: &[RegionId]) {
        for pair in regions.windows(2) {
            self.unifier.unify(pair[0], pair[1]);
        }
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        let bound = self.of_vars(&stm.vars);
        // Calls are numbered before those in bodies of the same statement; no statement has both.
        self.exp(&stm.exp, &bound);
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => self.body(body),
            Part::Lambda(lambda) => self.body(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }

    fn exp(&mut self, exp: &Exp, bound: &[RegionId]) {
        match exp {
            Exp::Scalar(ScalarExp::Atom(x)) => self.unify(&self.of_atoms(&[*x]), bound),
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.unify(&self.of_atoms(&then.result), bound);
                self.unify(&self.of_atoms(&els.result), bound);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                for (_, body) in cases {
                    self.unify(&self.of_atoms(&body.result), bound);
                }
                self.unify(&self.of_atoms(&default.result), bound);
            }
            Exp::Control(ControlExp::Loop { params, form: _, body }) => {
                for (param, initial) in params {
                    self.unify(&self.of_atoms(&[*initial]), &self.of_vars(&[param.var]));
                }
                let params: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
                self.unify(&self.of_vars(&params), bound);
                self.unify(&self.of_atoms(&body.result), bound);
            }
            Exp::Control(ControlExp::Call { fun, args }) => self.call(*fun, false, args, bound),
            Exp::Control(ControlExp::Const(id)) => {
                self.call(self.prog.consts[id.0 as usize].fun, true, &[], bound)
            }
            Exp::Array(
                ArrayExp::Index { array, .. }
                | ArrayExp::Reshape { array, .. }
                | ArrayExp::Rearrange { array, .. }
                | ArrayExp::Copy(array)
                | ArrayExp::Coerce { array, .. }
                | ArrayExp::FlatIndex { array, .. }
                | ArrayExp::JoinRows(array)
                | ArrayExp::Segment { array, .. },
            ) => self.unify(&self.of_vars(&[*array]), bound),
            Exp::Array(ArrayExp::ArrayLit(rows)) => {
                rows.iter().for_each(|row| self.unify(&self.of_atoms(&[*row]), bound));
            }
            Exp::Array(ArrayExp::Replicate { count: _, value }) => {
                self.unify(&self.of_atoms(&[*value]), bound)
            }
            Exp::Array(ArrayExp::Update { array, value, .. }) => {
                self.unify(&self.of_vars(&[*array]), bound);
                self.unify(&self.of_atoms(&[*value]), bound);
            }
            Exp::Array(ArrayExp::FlatUpdate { array, value, .. }) => {
                self.unify(&self.of_vars(&[*array]), bound);
                self.unify(&self.of_vars(&[*value]), bound);
            }
            Exp::Array(ArrayExp::Concat { size: _, arrays }) => {
                arrays.iter().for_each(|array| self.unify(&self.of_vars(&[*array]), bound));
            }
            Exp::Op(Operator::Map { width: _, inputs, lambda }) => {
                self.unify(&self.of_vars(inputs), &self.of_vars(&lambda.params));
                self.unify(&self.of_atoms(&lambda.body.result), bound);
            }
            Exp::Op(
                Operator::Filter { width: _, inputs, lambda }
                | Operator::Partition { width: _, inputs, lambda },
            ) => {
                self.unify(&self.of_vars(inputs), &self.of_vars(&lambda.params));
                self.unify(&self.of_atoms(&lambda.body.result), bound);
            }
            // Neither keys nor places have regions, and tasks come with a schedule.
            Exp::Op(Operator::Sort { .. } | Operator::Task(_)) => {}
            Exp::Op(Operator::Reduce { width: _, inputs, op } | Operator::Scan { width: _, inputs, op }) => {
                self.unify(&self.of_vars(inputs), bound);
                self.reduction(op, bound);
            }
            Exp::Op(Operator::Fused { width: _, inputs, lambda, scans, reductions }) => {
                self.unify(&self.of_vars(inputs), &self.of_vars(&lambda.params));
                self.unify(&self.of_atoms(&lambda.body.result), bound);
                let mut rest = &lambda.body.result[..];
                for op in scans.iter().chain(reductions) {
                    let (columns, after) = rest.split_at(op.neutral.len());
                    self.reduction(op, &self.of_atoms(columns));
                    rest = after;
                }
            }
            Exp::Op(Operator::Scatter { width: _, dests, inputs, lambda }) => {
                self.unify(&self.of_vars(dests), bound);
                self.unify(&self.of_vars(inputs), &self.of_vars(&lambda.params));
                self.unify(&self.of_atoms(&lambda.body.result), bound);
            }
            Exp::Op(Operator::Hist { width: _, dests, op, inputs, lambda }) => {
                self.unify(&self.of_vars(dests), bound);
                self.unify(&self.of_vars(inputs), &self.of_vars(&lambda.params));
                self.unify(&self.of_atoms(&lambda.body.result), bound);
                self.reduction(op, bound);
            }
            Exp::Op(Operator::Stream { width: _, inputs, form, lambda }) => {
                self.stream(inputs, form, lambda, bound)
            }
            Exp::Op(Operator::AccStream { width: _, dests, inputs, op, lambda }) => {
                self.unify(&self.of_vars(dests), bound);
                if let Some(op) = op {
                    self.reduction(op, bound);
                }
                let given = [self.of_vars(dests), self.of_vars(inputs)].concat();
                self.unify(&given, &self.of_vars(&lambda.params));
                self.unify(&self.of_atoms(&lambda.body.result), bound);
            }
            Exp::Array(ArrayExp::AccWrite { acc, index: _, values }) => {
                self.unify(&self.of_vars(&[*acc]), bound);
                self.unify(&self.of_atoms(values), bound);
            }
            Exp::Cell(CellExp::Alloc { fields, .. }) => {
                let regions = [bound, &self.of_atoms(fields)].concat();
                self.unify_all(&regions);
                bound.iter().for_each(|region| self.unifier.allocate(*region));
            }
            Exp::Cell(CellExp::Load { cell, constr: _ }) => {
                let regions = [&self.of_atoms(&[*cell]), bound].concat();
                self.unify_all(&regions);
            }
            Exp::Scalar(
                ScalarExp::Un(..)
                | ScalarExp::Bin(..)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. }
                | ScalarExp::Workers
                | ScalarExp::Tunable(_),
            )
            | Exp::Control(ControlExp::Check(_))
            | Exp::Array(ArrayExp::Range { .. } | ArrayExp::Lengths(_) | ArrayExp::Ends(_))
            | Exp::Cell(CellExp::Region | CellExp::Null(_) | CellExp::Tag { .. }) => {}
        }
    }

    fn reduction(&mut self, op: &Reduction, columns: &[RegionId]) {
        self.unify(&self.of_atoms(&op.neutral), columns);
        self.combines(&op.lambda, columns);
    }

    fn combines(&mut self, lambda: &Lambda, columns: &[RegionId]) {
        self.unify(&self.of_vars(&lambda.params), &[columns, columns].concat());
        self.unify(&self.of_atoms(&lambda.body.result), columns);
    }

    fn stream(&mut self, inputs: &[Var], form: &StreamForm, lambda: &Lambda, bound: &[RegionId]) {
        self.unify(&self.of_atoms(&lambda.body.result), bound);
        let mut given = Vec::new();
        match form {
            StreamForm::Map { any_order: _ } => {}
            StreamForm::Reduce { any_order: _, op } => {
                let accs = self.of_atoms(&op.body.result);
                self.combines(op, &accs);
                self.unify(&accs, &bound[..accs.len()]);
            }
            StreamForm::Seq { init } => {
                given = self.of_atoms(init);
                self.unify(&given, &bound[..given.len()]);
            }
        }
        given.extend(self.of_vars(inputs));
        self.unify(&given, &self.of_vars(&lambda.params));
    }

    fn call(&mut self, fun: FunId, constant: bool, args: &[Atom], bound: &[RegionId]) {
        let args = self.of_atoms(args);
        let regions = match (self.found.get(&fun), &self.schemes[fun.0 as usize]) {
            (Some(callee), _) => {
                self.unify(&args, &callee.params);
                self.unify(bound, &callee.rets);
                None
            }
            (None, Some(scheme)) => {
                let regions: Vec<RegionId> = scheme.allocates.iter().map(|_| self.unifier.fresh()).collect();
                let of =
                    |numbers: &[usize]| -> Vec<RegionId> { numbers.iter().map(|i| regions[*i]).collect() };
                self.unify(&args, &of(&scheme.params));
                self.unify(bound, &of(&scheme.rets));
                // A constant makes its cells itself, before anyone uses it.
                for (region, allocates) in regions.iter().zip(&scheme.allocates) {
                    if *allocates && !constant {
                        self.unifier.allocate(*region);
                    }
                }
                Some(regions)
            }
            (None, None) => panic!("regions: a function is called before its group was looked at"),
        };
        self.calls.push(CallSite { fun, constant, regions });
    }
}
