//! Activity analysis: which variables change with the active parameters.
//!
//! A variable of numbers is *active* if something active goes into it. Everything else is a constant, and has no tangent and no adjoint. The answer errs on one
//! side only: what is not active does not change. Accumulators are active if what is written into them, or the array behind them, is.

use crate::Work;
use norn_base::Span;
use norn_ir::nest::derivative::Numbers;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, CellExp, ControlExp, DataId, Elem, Exp, Fun, Lambda, LoopForm, Operator, Prog,
    Reduction, Stm, StreamForm, Type, Var, VarInfo,
};
use rustc_hash::FxHashSet;

struct Activity<'a> {
    numbers: Numbers,
    vars: &'a [VarInfo],
    active: FxHashSet<Var>,
}

/// What is active in a function, given which of its parameters are.
pub fn activity(work: &mut Work, of: &Fun, numbers: Numbers, active: &[usize]) -> FxHashSet<Var> {
    let mut activity = Activity { numbers, vars: &of.vars, active: FxHashSet::default() };
    activity.active.extend(active.iter().map(|at| of.params[*at].var));
    activity.body(&of.body);
    let mut cells = Vec::new();
    activity.cells(work.prog, &of.body, &mut cells);
    for place in cells {
        let message =
            "The derivative of a value of a recursive type that holds numbers is not yet supported.";
        work.unsupported(place, message);
    }
    activity.active
}

impl Activity<'_> {
    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn atom(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.active.contains(&var))
    }

    /// Whether it became active by this.
    fn mark(&mut self, var: Var) -> bool {
        let ty = &self.vars[var.0 as usize].ty;
        (self.numbers.include(ty) || matches!(ty, Type::Acc(_))) && self.active.insert(var)
    }

    fn mark_by(&mut self, vars: &[Var], atoms: &[Atom]) -> bool {
        let mut new = false;
        for (var, atom) in vars.iter().zip(atoms) {
            new |= self.atom(*atom) && self.mark(*var);
        }
        new
    }

    /// The rows of inputs: of irregular ones two parameters, of which the second is the row.
    fn mark_rows(&mut self, inputs: &[Var], params: &[Var]) {
        let mut params = params.iter();
        for input in inputs {
            if self.vars[input.0 as usize].ty.has_irregular_rows() {
                params.next();
            }
            if let Some(param) = params.next()
                && self.active.contains(input)
            {
                self.mark(*param);
            }
        }
    }

    /// The places where something active goes into a cell, or into a function that makes cells with numbers.
    fn cells(&self, prog: &Prog, body: &Body, found: &mut Vec<Span>) {
        for stm in &body.stms {
            let is_active = |atoms: &[Atom]| atoms.iter().any(|atom| self.atom(*atom));
            match &stm.exp {
                Exp::Cell(CellExp::Alloc { fields, .. }) if is_active(fields) => found.push(stm.span),
                Exp::Control(ControlExp::Call { args, .. }) if is_active(args) => {
                    let mut seen = Vec::new();
                    let mut holds = |var: &Var| match self.vars[var.0 as usize].ty.elem() {
                        Some(Elem::Ref(data, _)) => self.holds_numbers(prog, data, &mut seen),
                        Some(Elem::Prim(_)) | None => false,
                    };
                    if stm.vars.iter().any(&mut holds) {
                        found.push(stm.span);
                    }
                }
                Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => {}
            }
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => self.cells(prog, body, found),
                Part::Lambda(lambda) => self.cells(prog, &lambda.body, found),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
        }
    }

    fn holds_numbers(&self, prog: &Prog, data: DataId, seen: &mut Vec<DataId>) -> bool {
        if seen.contains(&data) {
            return false;
        }
        seen.push(data);
        let columns = prog.datas[data.0 as usize].constrs.iter().flat_map(|constr| &constr.columns);
        columns.into_iter().any(|ty| match ty.elem() {
            Some(Elem::Ref(data, _)) => self.holds_numbers(prog, data, seen),
            Some(Elem::Prim(_)) | None => self.numbers.include(ty),
        })
    }

    fn stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Control(exp) => self.control(stm, exp),
            Exp::Op(op) => self.operator(stm, op),
            Exp::Scalar(_) | Exp::Array(_) | Exp::Cell(_) => self.operands(stm),
        }
    }

    /// Any operand makes all results active.
    fn operands(&mut self, stm: &Stm) {
        let mut any = false;
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => any |= self.active.contains(var),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        if any {
            stm.vars.iter().for_each(|var| {
                self.mark(*var);
            });
            // An accumulator is one value under several names.
            if let Exp::Array(ArrayExp::AccWrite { acc, .. }) = &stm.exp {
                self.mark(*acc);
            }
        }
    }

    fn control(&mut self, stm: &Stm, exp: &ControlExp) {
        match exp {
            ControlExp::If { cond: _, then, els } => self.branches(stm, &[then, els]),
            ControlExp::Switch { scrutinee: _, cases, default } => {
                let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
                self.branches(stm, &bodies);
            }
            ControlExp::Loop { params, form, body } => {
                let vars: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
                let initial: Vec<Atom> = params.iter().map(|(_, initial)| *initial).collect();
                self.mark_by(&vars, &initial);
                loop {
                    match form {
                        LoopForm::For(..) => {}
                        LoopForm::While(cond) => self.body(cond),
                    }
                    self.body(body);
                    if !self.mark_by(&vars, &body.result) {
                        break;
                    }
                }
                let params: Vec<Atom> = vars.into_iter().map(Atom::Var).collect();
                self.mark_by(&stm.vars, &params);
            }
            ControlExp::Call { .. } | ControlExp::Const(_) | ControlExp::Check(_) => self.operands(stm),
        }
    }

    fn branches(&mut self, stm: &Stm, bodies: &[&Body]) {
        for body in bodies {
            self.body(body);
            self.mark_by(&stm.vars, &body.result);
        }
    }

    fn lambda(&mut self, inputs: &[Var], lambda: &Lambda) {
        self.mark_rows(inputs, &lambda.params);
        self.body(&lambda.body);
    }

    /// Which columns of an operator's values are active, given those of its operands.
    fn columns(&mut self, op: &Lambda, mut columns: Vec<bool>) -> Vec<bool> {
        let count = columns.len();
        loop {
            for (at, param) in op.params.iter().enumerate() {
                if columns.get(at % count.max(1)) == Some(&true) {
                    self.mark(*param);
                }
            }
            self.body(&op.body);
            let mut new = false;
            for (column, atom) in columns.iter_mut().zip(&op.body.result) {
                new |= !*column && self.atom(*atom);
                *column |= self.atom(*atom);
            }
            if !new {
                return columns;
            }
        }
    }

    fn reduction(&mut self, op: &Reduction, given: Vec<bool>) -> Vec<bool> {
        let columns = given.iter().zip(&op.neutral).map(|(given, ne)| *given || self.atom(*ne)).collect();
        self.columns(&op.lambda, columns)
    }

    fn mark_where(&mut self, vars: &[Var], columns: &[bool]) {
        for (var, column) in vars.iter().zip(columns) {
            if *column {
                self.mark(*var);
            }
        }
    }

    fn operator(&mut self, stm: &Stm, op: &Operator) {
        match op {
            Operator::Map { width: _, inputs, lambda } => {
                self.lambda(inputs, lambda);
                self.mark_by(&stm.vars, &lambda.body.result);
            }
            Operator::Reduce { width: _, op, inputs } | Operator::Scan { width: _, op, inputs } => {
                let given = inputs.iter().map(|input| self.active.contains(input)).collect();
                let columns = self.reduction(op, given);
                self.mark_where(&stm.vars, &columns);
            }
            // How many are kept comes first, on both sides.
            Operator::Filter { width: _, inputs, lambda }
            | Operator::Partition { width: _, inputs, lambda } => {
                self.lambda(inputs, lambda);
                self.mark_by(&stm.vars, &lambda.body.result);
            }
            Operator::Sort { .. } => self.operands(stm),
            Operator::Scatter { width: _, dests, inputs, lambda } => {
                self.lambda(inputs, lambda);
                let first = lambda.body.result.len() - dests.len();
                self.mark_by(&stm.vars, &lambda.body.result[first..]);
                let dests: Vec<Atom> = dests.iter().map(|dest| Atom::Var(*dest)).collect();
                self.mark_by(&stm.vars, &dests);
            }
            Operator::Hist { width: _, dests, op, inputs, lambda } => {
                self.lambda(inputs, lambda);
                let first = lambda.body.result.len() - dests.len();
                let given = lambda.body.result[first..].iter().zip(dests);
                let given =
                    given.map(|(atom, dest)| self.atom(*atom) || self.active.contains(dest)).collect();
                let columns = self.reduction(op, given);
                self.mark_where(&stm.vars, &columns);
            }
            Operator::Stream { width: _, form, inputs, lambda } => self.stream(stm, form, inputs, lambda),
            Operator::AccStream { width: _, dests, op, inputs, lambda } => {
                let Some((acc, params)) = lambda.params.split_first() else { return };
                if dests.iter().any(|dest| self.active.contains(dest)) {
                    self.mark(*acc);
                }
                self.mark_rows(inputs, params);
                self.body(&lambda.body);
                if lambda.body.result.iter().any(|atom| self.atom(*atom)) || self.active.contains(acc) {
                    self.mark(*acc);
                    self.body(&lambda.body);
                    stm.vars.iter().for_each(|var| {
                        self.mark(*var);
                    });
                    if let Some(op) = op {
                        let numbers = self.numbers;
                        let float = |ty: &Type| numbers.include(ty);
                        let all = op.lambda.params.iter().map(|p| float(&self.vars[p.0 as usize].ty));
                        let all: Vec<bool> = all.take(op.neutral.len()).collect();
                        self.columns(&op.lambda, all);
                    }
                }
            }
            Operator::Fused { .. } | Operator::Task(_) => {
                panic!("differentiate: `{}` before it is made", op.name())
            }
        }
    }

    fn stream(&mut self, stm: &Stm, form: &StreamForm, inputs: &[Var], lambda: &Lambda) {
        let result = &lambda.body.result;
        match form {
            StreamForm::Map { any_order: _ } => {
                self.mark_arrays(inputs, &lambda.params[1..]);
                self.body(&lambda.body);
            }
            StreamForm::Reduce { any_order: _, op } => {
                self.mark_arrays(inputs, &lambda.params[1..]);
                self.body(&lambda.body);
                let count = op.params.len() / 2;
                let given = result[..count].iter().map(|atom| self.atom(*atom)).collect();
                let columns = self.columns(op, given);
                self.mark_where(&stm.vars, &columns);
            }
            StreamForm::Seq { init } => {
                let accs = &lambda.params[1..=init.len()];
                self.mark_by(accs, init);
                self.mark_arrays(inputs, &lambda.params[1 + init.len()..]);
                loop {
                    self.body(&lambda.body);
                    if !self.mark_by(accs, result) {
                        break;
                    }
                }
                let accs: Vec<Atom> = accs.iter().map(|acc| Atom::Var(*acc)).collect();
                self.mark_by(&stm.vars, &accs);
            }
        }
        self.mark_by(&stm.vars, result);
    }

    fn mark_arrays(&mut self, inputs: &[Var], params: &[Var]) {
        let inputs: Vec<Atom> = inputs.iter().map(|input| Atom::Var(*input)).collect();
        self.mark_by(params, &inputs);
    }
}
