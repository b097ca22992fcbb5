//! Where there is parallelism inside that is worth being taken out: an analysis that returns a table.

use norn_ir::nest::calls::call_groups;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Elem, Exp, FunId, Lambda, Operator, Prog, Scalar, Stm, Type, VarInfo,
};

/// An operator over fewer elements than these is a loop.
pub(super) const NARROW: i64 = 16;

/// Of each function, whether it holds an operator that is worth it.
pub struct Worth {
    funs: Vec<bool>,
}

pub fn worth(prog: &Prog) -> Worth {
    let mut worth = Worth { funs: vec![false; prog.funs.len()] };
    for group in call_groups(prog) {
        let holds = group.iter().any(|id| worth.in_body(&prog.funs[id.0 as usize].body));
        group.iter().for_each(|id| worth.funs[id.0 as usize] = holds);
    }
    worth
}

impl Worth {
    pub fn in_fun(&self, fun: FunId) -> bool {
        self.funs.get(fun.0 as usize).copied().unwrap_or(false)
    }

    pub fn in_body(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| self.in_stm(stm))
    }

    /// The statement is such an operator, or holds one.
    pub fn in_stm(&self, stm: &Stm) -> bool {
        if is_marked(stm, "sequential") {
            return false;
        }
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &stm.exp {
            return self.in_fun(*fun);
        }
        // No thread makes or joins rows of different lengths, and for all rows they are a view. So a function that divides arrays, calls
        // itself for the parts and joins what these give is done level by level, even if there are but two parts.
        if matches!(stm.exp, Exp::Array(ArrayExp::Segment { .. } | ArrayExp::JoinRows(_))) {
            return true;
        }
        let Some(operator) = stm.exp.op() else {
            let mut holds = false;
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => holds = holds || self.in_body(body),
                Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            return holds;
        };
        match &stm.exp {
            // Whoever writes a stream says how much of it belongs together.
            Exp::Op(Operator::Stream { .. }) => false,
            _ => !is_narrow(operator.width()) || self.inside(stm) || self.in_combining(operator),
        }
    }

    /// Few rows are combined, but that is done for each of their elements.
    fn in_combining(&self, operator: &Operator) -> bool {
        let lambdas = operator.reductions();
        lambdas.iter().any(|lambda| self.in_body(&lambda.body))
    }

    /// The lambda of an operator holds one.
    pub fn inside(&self, stm: &Stm) -> bool {
        !is_marked(stm, "sequential_inner")
            && self.lambda(stm).is_some_and(|lambda| self.in_body(&lambda.body))
    }

    fn lambda<'a>(&self, stm: &'a Stm) -> Option<&'a Lambda> {
        match &stm.exp {
            Exp::Op(Operator::Stream { .. } | Operator::AccStream { .. }) => None,
            exp => exp.op()?.lambda(),
        }
    }
}

pub fn is_narrow(width: Atom) -> bool {
    matches!(width, Atom::Const(Scalar::I64(width)) if width < NARROW)
}

/// All dimensions are narrow: a value of a thread's own.
pub fn is_small(ty: &Type) -> bool {
    let size = |product: i64, atom: Atom| match atom {
        Atom::Const(Scalar::I64(size)) => product.saturating_mul(size),
        Atom::Const(_) | Atom::Var(_) => NARROW,
    };
    let sizes = ty.dims().iter().map(|dim| dim.atom().unwrap_or(Atom::i64(NARROW)));
    sizes.fold(1, size) < NARROW
}

/// Attributes of the source, which the user knows from Futhark.
pub fn is_marked(stm: &Stm, attr: &str) -> bool {
    stm.attrs.iter().any(|given| given == attr)
}

/// Whether cells or their regions occur: what has to do with these stays together.
pub fn has_cells(vars: &[VarInfo], body: &Body) -> bool {
    let is_cell = |var: &norn_ir::nest::Var| match &vars[var.0 as usize].ty {
        Type::Value(elem, _) => matches!(elem, Elem::Ref(..)),
        Type::Acc(types) => types.iter().any(|ty| matches!(ty.elem(), Some(Elem::Ref(..)))),
        Type::Region => true,
        Type::Seg { .. } | Type::Cert => false,
    };
    body.stms.iter().any(|stm| {
        let mut found = stm.vars.iter().any(is_cell);
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) | Part::Binder(var) => found = found || is_cell(var),
            Part::Atom(Atom::Const(_)) => {}
            Part::Body(body) => found = found || has_cells(vars, body),
            Part::Lambda(lambda) => {
                found = found || lambda.params.iter().any(is_cell) || has_cells(vars, &lambda.body);
            }
        });
        found
    }) || body.result.iter().filter_map(|atom| atom.var()).any(|var| is_cell(&var))
}
