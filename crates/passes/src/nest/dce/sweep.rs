//! The second half of dead-code elimination: removes everything that `mark` has not marked as needed.
//!
//! It removes statements, results of operators, loops, branches and functions, the parameters that belong to them, whole functions,
//! constants, and data types that nothing mentions; then it renumbers what is left.
//!
//! ```text
//! let a, b = map n (xs, ys) \(x, y) { .. in u, v }      ==>      let b = map n (ys) \(y) { .. in v }       (only `b` is marked)
//! ```
//!
//! It decides nothing: whatever must stay (effects, checks that others rely on, entry points) has been marked.

use super::mark::Marks;
use crate::nest::inputs::param_groups;
use crate::numbering::{keep, numbering, renumber};
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Body, CellExp, ControlExp, DataId, Dim, Elem, Exp, Fun, Operator, Prog, Sorted, Stm, Type, Var,
};

pub fn sweep(prog: &mut Prog, marks: &Marks) {
    let funs = numbering(prog.funs.len(), |fun| marks.fun(fun));
    let consts = numbering(prog.consts.len(), |id| marks.fun(prog.consts[id].fun.0 as usize));
    let callees: Vec<Signature> =
        prog.funs.iter().enumerate().map(|(index, fun)| Signature::of(index, fun, marks)).collect();
    let mut number = 0;
    for (index, fun) in prog.funs.iter_mut().enumerate() {
        let mut sweep = Sweep { marks, callees: &callees, funs: &funs, consts: &consts, fun: index, number };
        sweep.function(fun);
        number = sweep.number;
    }
    keep(&mut prog.funs, |index| marks.fun(index));
    keep(&mut prog.consts, |index| consts[index].is_some());
    for constant in &mut prog.consts {
        renumber(&mut constant.fun.0, &funs);
    }
    for entry in &mut prog.entries {
        renumber(&mut entry.fun.0, &funs);
    }
    sweep_data(prog);
}

/// Which parameters and results of a function stay.
struct Signature {
    params: Vec<bool>,
    results: Vec<bool>,
}

impl Signature {
    fn of(index: usize, fun: &Fun, marks: &Marks) -> Signature {
        Signature {
            params: fun.params.iter().map(|param| marks.var(index, param.var)).collect(),
            results: (0..fun.ret.len()).map(|result| marks.result(index, result)).collect(),
        }
    }
}

struct Sweep<'a> {
    marks: &'a Marks,
    callees: &'a [Signature],
    funs: &'a [Option<u32>],
    consts: &'a [Option<u32>],
    fun: usize,
    /// Of the next statement.
    number: u32,
}

impl Sweep<'_> {
    fn function(&mut self, fun: &mut Fun) {
        let mut body = std::mem::take(&mut fun.body);
        self.body(fun, &mut body);
        let Signature { params, results } = &self.callees[self.fun];
        keep(&mut body.result, |index| results[index]);
        fun.body = body;
        keep(&mut fun.params, |index| params[index]);
        keep(&mut fun.ret, |index| results[index]);
        let numbers = numbering(results.len(), |index| results[index]);
        for ret in &mut fun.ret {
            ret.ty.for_each_dim(&mut |dim| match dim {
                Dim::Result(index) => {
                    if let Some(Some(number)) = numbers.get(*index) {
                        *index = *number as usize;
                    }
                }
                Dim::Size(_) | Dim::Irregular => {}
            });
        }
    }

    fn needed(&self, var: Var) -> bool {
        self.marks.var(self.fun, var)
    }

    fn body(&mut self, fun: &Fun, body: &mut Body) {
        body.stms.retain_mut(|stm| {
            let number = self.number;
            self.number += 1;
            if !self.marks.stm(number) {
                self.number = self.marks.layout.ends[number as usize];
                return false;
            }
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(fun, body),
                PartMut::Lambda(lambda) => self.body(fun, &mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            self.stm(fun, stm);
            true
        });
    }

    /// Take results, parameters and inputs away that are not needed.
    fn stm(&mut self, fun: &Fun, stm: &mut Stm) {
        let bound: Vec<bool> = stm.vars.iter().map(|var| self.needed(*var)).collect();
        let stays = |index: usize| bound[index];
        match &mut stm.exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                keep(&mut then.result, stays);
                keep(&mut els.result, stays);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().for_each(|(_, body)| keep(&mut body.result, stays));
                keep(&mut default.result, stays);
            }
            Exp::Control(ControlExp::Loop { params, form: _, body }) => {
                keep(params, stays);
                keep(&mut body.result, stays);
            }
            Exp::Control(ControlExp::Call { fun: callee, args }) => {
                let signature = &self.callees[callee.0 as usize];
                keep(args, |index| signature.params[index]);
                renumber(&mut callee.0, self.funs);
            }
            Exp::Control(ControlExp::Const(id)) => renumber(&mut id.0, self.consts),
            Exp::Op(
                Operator::Map { width: _, inputs, lambda } | Operator::Fused { width: _, inputs, lambda, .. },
            ) => {
                self.inputs(fun, inputs, &mut lambda.params);
                keep(&mut lambda.body.result, stays);
            }
            // The first result is whether a row is kept, the first variable how many are: both stay.
            Exp::Op(
                Operator::Filter { width: _, inputs, lambda }
                | Operator::Partition { width: _, inputs, lambda },
            ) => {
                self.inputs(fun, inputs, &mut lambda.params);
                keep(&mut lambda.body.result, stays);
            }
            Exp::Op(Operator::Sort { width: _, keys: _, yields }) => {
                *yields = match (stays(0), *yields) {
                    (true, Sorted::Both) if !stays(1) => Sorted::Keys,
                    (false, Sorted::Both) => Sorted::Places,
                    (_, yields) => yields,
                };
            }
            Exp::Op(Operator::Scatter { inputs, lambda, .. } | Operator::Hist { inputs, lambda, .. }) => {
                self.inputs(fun, inputs, &mut lambda.params);
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
            | Exp::Cell(_) => {}
        }
        keep(&mut stm.vars, stays);
    }

    fn inputs(&self, fun: &Fun, inputs: &mut Vec<Var>, params: &mut Vec<Var>) {
        let stays: Vec<bool> =
            param_groups(&fun.vars, inputs, params).iter().map(|group| self.needed(group[0])).collect();
        keep(inputs, |index| stays[index]);
        params.retain(|param| self.needed(*param));
    }
}

/// Data that no type, no cell and no interface mentions.
fn sweep_data(prog: &mut Prog) {
    let mut used = vec![false; prog.datas.len()];
    let mut work: Vec<usize> = Vec::new();
    for_each_data(prog, &mut |id| work.push(id.0 as usize));
    while let Some(index) = work.pop() {
        if std::mem::replace(&mut used[index], true) {
            continue;
        }
        let columns = prog.datas[index].constrs.iter().flat_map(|constr| &constr.columns);
        for column in columns {
            if let Some(Elem::Ref(id, _)) = column.elem() {
                work.push(id.0 as usize);
            }
        }
    }
    if used.iter().all(|used| *used) {
        return;
    }
    let numbers = numbering(used.len(), |index| used[index]);
    keep(&mut prog.datas, |index| used[index]);
    for_each_data(prog, &mut |id| renumber(&mut id.0, &numbers));
    for column in
        prog.datas.iter_mut().flat_map(|data| &mut data.constrs).flat_map(|constr| &mut constr.columns)
    {
        data_of_type(column, &mut |id| renumber(&mut id.0, &numbers));
    }
}

/// Every mention of data outside of the definitions of data, of variables that are used.
fn for_each_data(prog: &mut Prog, f: &mut dyn FnMut(&mut DataId)) {
    for column in prog.ifaces.iter_mut().flat_map(|iface| &mut iface.columns) {
        data_of_elem(&mut column.elem, f);
    }
    for fun in &mut prog.funs {
        norn_ir::nest::normalise::normalise_fun(fun);
        fun.vars.iter_mut().for_each(|info| data_of_type(&mut info.ty, f));
        fun.ret.iter_mut().for_each(|ret| data_of_type(&mut ret.ty, f));
        data_of_body(&mut fun.body, f);
    }
}

fn data_of_body(body: &mut Body, f: &mut dyn FnMut(&mut DataId)) {
    for stm in &mut body.stms {
        if let Exp::Cell(CellExp::Alloc { data, .. } | CellExp::Null(data)) = &mut stm.exp {
            f(data);
        }
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => data_of_body(body, f),
            PartMut::Lambda(lambda) => data_of_body(&mut lambda.body, f),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}

fn data_of_type(ty: &mut Type, f: &mut dyn FnMut(&mut DataId)) {
    ty.for_each_elem_mut(&mut |elem| data_of_elem(elem, f));
}

fn data_of_elem(elem: &mut Elem, f: &mut dyn FnMut(&mut DataId)) {
    match elem {
        Elem::Prim(_) => {}
        Elem::Ref(id, _) => f(id),
    }
}
