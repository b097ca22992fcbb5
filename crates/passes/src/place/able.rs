//! What a kernel can run, and what a host can do without arrays of its own.
//!
//! For each statement of a host function `runs_on` decides who runs it. An operator goes to the device if its lambda is something that a
//! thread, or a group of threads, can do: no irregular arrays made inside, and accumulators
//! that fit into shared memory. Scalars, control flow and views stay on the host, which also asks the device to move whole
//! arrays. The rest runs on the processor with arrays in its own memory, which then have to be transferred.
//!
//! Functions are looked at before those that call them (`call_groups`), so a call is as able as the function is. Functions that call themselves, or each other, are able if
//! all that they do besides is: they become loops (`frames`). A loop or branch stays on the host
//! if something in it is for the device; otherwise, if it touches elements of arrays, it is for the processor: the host would wait
//! for each single one.

use super::Target;
use crate::flatten::has_cells;
use crate::imp_gen::{Combined, inner_map, kept_by_thread};
use norn_ir::nest::calls::call_groups;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, CellExp, ControlExp, Data, Dim, DimIndex, Elem, Exp, Fun, FunId, Lambda, LoopForm,
    Operator, Prog, Reduction, ScalarExp, Stm, Type, Var, VarInfo,
};
use std::slice::from_ref;

/// Where a statement of a host function runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunsOn {
    /// A grid on the device.
    Device,
    /// The host does it: scalars, control flow, views, and what the device does for it with whole arrays.
    Host,
    /// The processor, with arrays in its own memory.
    Cpu,
}

pub struct Able {
    /// Of each function, whether kernels can call it.
    thread: Vec<bool>,
    /// Of each function, whether it has an operator for the device.
    device: Vec<bool>,
    /// Of each function, whether it does nothing but move arrays: the device copies them, so that they need not leave its memory.
    moves: Vec<Moves>,
    datas: Vec<Data>,
}

/// Whether a function does nothing but move arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moves {
    No,
    Yes,
    /// It calls itself, and is still looked at: it does if all else in it does.
    Perhaps,
}

impl Able {
    pub fn new(prog: &Prog) -> Able {
        let count = prog.funs.len();
        let none = || vec![false; count];
        let datas = prog.datas.clone();
        let mut able = Able { thread: none(), device: none(), moves: vec![Moves::No; count], datas };
        for group in call_groups(prog) {
            // A call within the group is as able as the group.
            group.iter().for_each(|id| able.thread[id.0 as usize] = true);
            let threads = group.iter().all(|id| able.thread_fun(&prog.funs[id.0 as usize]));
            group.iter().for_each(|id| able.thread[id.0 as usize] = threads);
            let moves = able.moves_of_group(prog, &group);
            group.iter().for_each(|id| able.moves[id.0 as usize] = moves);
            // A function of the group that has something to do makes callers of those that call it.
            for _ in 0..=group.len() {
                for FunId(id) in &group {
                    let fun = &prog.funs[*id as usize];
                    able.device[*id as usize] |= able.has_device_work(&fun.vars, &fun.body);
                }
            }
        }
        able
    }

    /// Of functions that call each other, or of one.
    fn moves_of_group(&mut self, prog: &Prog, group: &[FunId]) -> Moves {
        group.iter().for_each(|id| self.moves[id.0 as usize] = Moves::Perhaps);
        let mut moves = false;
        let at_host = group.iter().all(|id| {
            let fun = &prog.funs[id.0 as usize];
            self.moves_at_most(&fun.vars, &fun.body, &mut moves)
        });
        if at_host && moves { Moves::Yes } else { Moves::No }
    }

    pub(super) fn target_at_host(&self, fun: FunId) -> Target {
        if self.runs_at_host(fun) { Target::Host } else { Target::Cpu }
    }

    pub fn runs_at_host(&self, fun: FunId) -> bool {
        self.device[fun.0 as usize] || self.moves[fun.0 as usize] != Moves::No
    }

    /// Whether kernels can call it.
    pub(super) fn runs_in_threads(&self, fun: FunId) -> bool {
        self.thread[fun.0 as usize]
    }

    fn thread_fun(&self, fun: &Fun) -> bool {
        let is_plain = |ty: &Type| match ty {
            Type::Value(..) => !has_irregular(ty),
            Type::Acc(_) | Type::Seg { .. } => false,
            Type::Cert | Type::Region => true,
        };
        fun.params.iter().all(|param| is_plain(&fun.vars[param.var.0 as usize].ty))
            && fun.ret.iter().all(|ret| is_plain(&ret.ty))
            && self.thread_body(&fun.vars, &fun.body)
    }

    /// Whether a thread of a kernel can run this.
    fn thread_body(&self, vars: &[VarInfo], body: &Body) -> bool {
        body.stms.iter().all(|stm| self.fits_thread(vars, stm))
    }

    pub fn fits_thread(&self, vars: &[VarInfo], stm: &Stm) -> bool {
        let made = match &stm.exp {
            Exp::Array(ArrayExp::Index { .. } | ArrayExp::Coerce { .. })
            | Exp::Cell(CellExp::Load { .. })
            | Exp::Scalar(ScalarExp::Atom(_)) => true,
            _ => !stm.vars.iter().any(|var| has_irregular(&vars[var.0 as usize].ty)),
        };
        made && stm.grid.is_none() && self.thread_exp(vars, &stm.exp)
    }

    /// What the threads of a group do together: elements of maps, which may reduce rows together again.
    fn group_operator(&self, vars: &[VarInfo], exp: &Exp) -> bool {
        let Exp::Op(Operator::Map { lambda, .. }) = exp else { return self.thread_exp(vars, exp) };
        lambda.body.stms.iter().all(|stm| match &stm.exp {
            exp @ Exp::Op(_) => self.group_operator(vars, exp),
            _ => self.fits_thread(vars, stm),
        })
    }

    fn thread_lambda(&self, vars: &[VarInfo], lambda: &Lambda) -> bool {
        self.thread_body(vars, &lambda.body)
    }

    /// Whether a group of threads can run this: what of it they do together is in grids. What all of them do, each for itself, must not make
    /// cells: they would not be the same.
    fn group_lambda(&self, vars: &[VarInfo], lambda: &Lambda) -> bool {
        if let Some(Stm { exp: Exp::Op(Operator::Map { lambda: inner, .. }), grid: None, .. }) =
            inner_map(lambda)
        {
            let (_, before) = lambda.body.stms.split_last().unzip();
            let is_scalar = |stm: &Stm| stm.exp.is_scalar_or_view();
            return before.is_none_or(|before| before.iter().all(is_scalar))
                && self.group_lambda(vars, inner);
        }
        !has_cells(vars, &lambda.body) && self.group_body(vars, &lambda.body)
    }

    fn group_body(&self, vars: &[VarInfo], body: &Body) -> bool {
        body.stms.iter().all(|stm| match &stm.exp {
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. }) => {
                let mut able = true;
                stm.for_each_part(&mut |part| {
                    if let Part::Body(body) = part {
                        able &= self.group_body(vars, body);
                    }
                });
                able
            }
            exp @ Exp::Op(_) if stm.grid.is_some() => self.group_operator(vars, exp),
            exp => self.thread_exp(vars, exp),
        })
    }

    fn thread_exp(&self, vars: &[VarInfo], exp: &Exp) -> bool {
        match exp {
            Exp::Control(ControlExp::Call { fun, args: _ }) => self.thread[fun.0 as usize],
            Exp::Control(ControlExp::Const(_))
            | Exp::Array(
                ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::Segment { .. }
                | ArrayExp::AccWrite { .. },
            )
            | Exp::Op(Operator::Stream { .. } | Operator::AccStream { .. })
            | Exp::Scalar(ScalarExp::Workers | ScalarExp::Tunable(_)) => false,
            exp => {
                let mut able = true;
                exp.for_each_part(&mut |part| match part {
                    Part::Body(body) => able &= self.thread_body(vars, body),
                    Part::Lambda(lambda) => able &= self.thread_lambda(vars, lambda),
                    Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
                });
                able
            }
        }
    }

    /// Whether a kernel can do the work of this operator.
    fn operator(&self, vars: &[VarInfo], stm: &Stm, op: &Operator) -> bool {
        let ty = |var: &Var| &vars[var.0 as usize].ty;
        let scalars = |op: &Reduction| op.lambda.params.iter().all(|param| ty(param).is_scalar());
        let combines = |op: &Reduction| scalars(op) && self.thread_lambda(vars, &op.lambda);
        let bytes = |op: &Reduction| {
            op.lambda.params[..op.neutral.len()].iter().map(|var| ty(var).elem_bytes()).sum()
        };
        let fits =
            |scans: &[Reduction], reductions: &[Reduction]| Combined::of(scans, reductions, bytes).fits();
        let yields_plain = |lambda: &Lambda| {
            lambda.body.result.iter().all(|atom| match atom {
                Atom::Var(var) => !has_irregular(ty(var)),
                Atom::Const(_) => true,
            })
        };
        let lambda_able = |lambda: &Lambda| yields_plain(lambda) && self.thread_lambda(vars, lambda);
        // A map can make rows of different lengths, but not rows of such rows.
        let allowed = if matches!(op, Operator::Map { .. }) { 2 } else { 0 };
        let makes = |var: &Var| !ty(var).dims().iter().skip(allowed).any(|dim| *dim == Dim::Irregular);
        if !stm.vars.iter().all(makes) {
            return false;
        }
        match op {
            Operator::Map { lambda, .. } => lambda_able(lambda) || self.group_lambda(vars, lambda),
            Operator::Reduce { op, .. } => combines(op) && fits(&[], from_ref(op)),
            Operator::Scan { op, .. } => combines(op) && fits(from_ref(op), &[]),
            Operator::Filter { lambda, .. } | Operator::Partition { lambda, .. } => {
                let kept = |atom: &Atom| atom.var().is_none_or(|var| kept_by_thread(ty(&var)).is_some());
                lambda_able(lambda) && lambda.body.result.iter().all(kept)
            }
            Operator::Sort { .. } => true,
            Operator::Scatter { lambda, .. } => lambda_able(lambda),
            Operator::Hist { op, lambda, .. } => {
                lambda_able(lambda) && yields_plain(&op.lambda) && self.thread_lambda(vars, &op.lambda)
            }
            Operator::Fused { lambda, scans, reductions, .. } => {
                scans.iter().all(combines)
                    && lambda_able(lambda)
                    && reductions.iter().all(combines)
                    && fits(scans, reductions)
            }
            Operator::Stream { .. } | Operator::AccStream { .. } | Operator::Task(_) => false,
        }
    }

    pub fn runs_on(&self, vars: &[VarInfo], stm: &Stm) -> RunsOn {
        let exp = &stm.exp;
        let regular = |var: &Var| !has_irregular(&vars[var.0 as usize].ty);
        let host_if = |holds: bool| if holds { RunsOn::Host } else { RunsOn::Cpu };
        match exp {
            Exp::Op(op) => match self.operator(vars, stm, op) {
                true => RunsOn::Device,
                false => RunsOn::Cpu,
            },
            Exp::Scalar(_)
            | Exp::Control(ControlExp::Const(_))
            | Exp::Array(ArrayExp::Range { .. })
            | Exp::Cell(CellExp::Region | CellExp::Null(_) | CellExp::Tag { .. }) => RunsOn::Host,
            Exp::Control(ControlExp::Check(_)) => RunsOn::Host,
            Exp::Array(ArrayExp::ArrayLit(rows)) => {
                host_if(rows.iter().all(|row| row.var().is_none_or(|var| regular(&var))))
            }
            Exp::Array(ArrayExp::Replicate { count: _, value }) => {
                host_if(value.var().is_none_or(|var| regular(&var)))
            }
            Exp::Array(ArrayExp::Index { array, slice }) => host_if(regular(array) || stays_in_order(slice)),
            // The dimensions are those in front of the rows.
            Exp::Array(ArrayExp::Reshape { .. }) => RunsOn::Host,
            Exp::Array(
                ArrayExp::Rearrange { array, .. } | ArrayExp::Copy(array) | ArrayExp::FlatIndex { array, .. },
            ) => host_if(regular(array)),
            Exp::Array(ArrayExp::Coerce { array, dims }) => {
                host_if(Dim::same_pattern(vars[array.0 as usize].ty.dims(), dims))
            }
            Exp::Array(ArrayExp::Update { array, slice, value }) => {
                let are_regular = regular(array) && value.var().is_none_or(|var| regular(&var));
                host_if(are_regular || replaces_rows(vars, *array, slice))
            }
            Exp::Array(ArrayExp::FlatUpdate { array, value, .. }) => {
                host_if(regular(array) && regular(value))
            }
            Exp::Array(ArrayExp::Concat { arrays, size: _ }) => host_if(arrays.iter().all(regular)),
            Exp::Array(
                ArrayExp::Lengths(_) | ArrayExp::Ends(_) | ArrayExp::JoinRows(_) | ArrayExp::Segment { .. },
            ) => RunsOn::Host,
            Exp::Array(ArrayExp::AccWrite { .. }) => RunsOn::Cpu,
            // Single cells are as single numbers, and arrays in them are on the device.
            Exp::Cell(CellExp::Load { .. }) => RunsOn::Host,
            Exp::Cell(CellExp::Alloc { data, constr, fields, .. }) => {
                let columns = &self.datas[data.0 as usize].constrs[*constr].columns;
                host_if(fields.iter().zip(columns).all(|(field, column)| fits_column(vars, *field, column)))
            }
            Exp::Control(ControlExp::Call { fun, args: _ }) => host_if(self.runs_at_host(*fun)),
            Exp::Control(ControlExp::If { cond: _, then, els }) => host_if(self.at_host(vars, &[then, els])),
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
                host_if(self.at_host(vars, &bodies))
            }
            Exp::Control(ControlExp::Loop { params: _, form, body }) => {
                let mut bodies = vec![body];
                match form {
                    LoopForm::For(..) => {}
                    LoopForm::While(cond) => bodies.push(cond),
                }
                let works = bodies.iter().any(|body| self.has_device_work(vars, body));
                let touches = bodies.iter().any(|body| touches_arrays(vars, body));
                host_if(works || !touches || self.moves_arrays(vars, &bodies))
            }
        }
    }

    /// Branches with something for the device to do, or nothing but what a host can do.
    fn at_host(&self, vars: &[VarInfo], bodies: &[&Body]) -> bool {
        bodies.iter().any(|body| self.has_device_work(vars, body))
            || bodies.iter().all(|body| body.stms.iter().all(|stm| self.runs_on(vars, stm) == RunsOn::Host))
    }

    fn has_device_work(&self, vars: &[VarInfo], body: &Body) -> bool {
        body.stms.iter().any(|stm| match &stm.exp {
            Exp::Control(ControlExp::Call { fun, args: _ }) => self.device[fun.0 as usize],
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. }) => {
                let mut works = false;
                stm.for_each_part(&mut |part| match part {
                    Part::Body(body) => works |= self.has_device_work(vars, body),
                    Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
                });
                works
            }
            // A copy into the device's memory.
            Exp::Array(ArrayExp::Update { array, slice, value: _ }) => replaces_rows(vars, *array, slice),
            _ => self.runs_on(vars, stm) == RunsOn::Device,
        })
    }
}

impl Able {
    /// Whether nothing but whole arrays is moved, and some are: the host asks for no single element, and the processor has nothing to do.
    fn moves_arrays(&self, vars: &[VarInfo], bodies: &[&Body]) -> bool {
        let mut moves = false;
        let at_host = bodies.iter().all(|body| self.moves_at_most(vars, body, &mut moves));
        at_host && moves
    }

    fn moves_at_most(&self, vars: &[VarInfo], body: &Body, moves: &mut bool) -> bool {
        body.stms.iter().all(|stm| {
            let is_array = |var: &Var| vars[var.0 as usize].ty.is_array();
            match &stm.exp {
                Exp::Array(ArrayExp::Index { .. } | ArrayExp::FlatIndex { .. })
                    if !stm.vars.iter().any(is_array) =>
                {
                    return false;
                }
                Exp::Array(ArrayExp::Update { value, .. })
                    if !value.var().is_some_and(|var| is_array(&var)) =>
                {
                    return false;
                }
                Exp::Control(ControlExp::Call { fun, args: _ }) => {
                    *moves |= self.moves[fun.0 as usize] == Moves::Yes;
                    return self.moves[fun.0 as usize] != Moves::No;
                }
                // What the host writes down itself is no work.
                Exp::Array(ArrayExp::ArrayLit(rows)) => {
                    *moves |= rows.iter().any(|row| row.var().is_some_and(|var| is_array(&var)));
                }
                Exp::Array(_) => *moves = true,
                // The elements of arrays are copied to the cell.
                Exp::Cell(CellExp::Alloc { fields, .. }) => {
                    *moves |= fields.iter().any(|field| field.var().is_some_and(|var| is_array(&var)));
                }
                _ => {}
            }
            let mut inside = true;
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => inside &= self.moves_at_most(vars, body, moves),
                Part::Lambda(_) => inside = false,
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            let decided = matches!(
                stm.exp,
                Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. })
            );
            inside && (decided || self.runs_on(vars, stm) == RunsOn::Host)
        })
    }
}

/// Whether a part of an irregular array lies in memory as the whole does: an element, a row, or neighbours.
fn stays_in_order(slice: &[DimIndex]) -> bool {
    slice.iter().enumerate().all(|(at, index)| match index {
        DimIndex::Fix(_) => true,
        DimIndex::Slice { stride, .. } => *stride == Atom::i64(1) && at + 1 == slice.len(),
    })
}

/// Whether rows of different lengths are replaced, one or neighbours. Outside of maps, where a host does this, they keep their
/// lengths (`elements`).
pub fn replaces_rows(vars: &[VarInfo], array: Var, slice: &[DimIndex]) -> bool {
    let ty = &vars[array.0 as usize].ty;
    ty.has_irregular_rows()
        && !ty.dims()[2..].contains(&Dim::Irregular)
        && slice.len() == 1
        && stays_in_order(slice)
}

/// Whether a field is stored in a cell as it is: its rows have different lengths only where those of the column do.
fn fits_column(vars: &[VarInfo], field: Atom, column: &Type) -> bool {
    let Some(var) = field.var() else { return true };
    let dims = vars[var.0 as usize].ty.dims();
    dims.is_empty() || Dim::same_pattern(&dims[1..], &column.dims()[1..])
}

fn touches_arrays(vars: &[VarInfo], body: &Body) -> bool {
    let mut touches = false;
    for stm in &body.stms {
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => touches |= vars[var.0 as usize].ty.is_array(),
            Part::Body(body) => touches |= touches_arrays(vars, body),
            Part::Lambda(lambda) => touches |= touches_arrays(vars, &lambda.body),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        });
    }
    touches
}

pub(super) fn has_irregular(ty: &Type) -> bool {
    ty.dims().contains(&Dim::Irregular)
}

pub(super) fn has_refs(ty: &Type) -> bool {
    matches!(ty.elem(), Some(Elem::Ref(..)))
}
