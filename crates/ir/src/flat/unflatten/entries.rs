//! Entry points whose functions take or yield descriptors.
//!
//! In flat a descriptor is among the sizes of an irregular parameter or result, in front of the columns. nest has no such sizes, so the
//! entry point becomes a function that takes the lengths off its parameters, and drops the lengths of its results.

use crate::flat::{Dim, FunId, Prog, Type, Var};
use crate::nest;
use crate::skeleton::{ArrayExp, Atom, ControlExp, Param, Prim, VarInfo};

pub fn without_descriptors(flat: &Prog, prog: &mut nest::Prog, entry: usize) {
    let id = prog.entries[entry].fun;
    let old = &flat.funs[id.0 as usize];
    let is_descriptor = |ty: &Type| matches!(ty, Type::Seg { .. });
    let of_param = |param: &Param| &old.vars[param.var.0 as usize].ty;
    let none = !old.params.iter().any(|param| is_descriptor(of_param(param)))
        && !old.ret.iter().any(|ret| is_descriptor(&ret.ty));
    if none {
        return;
    }
    let inner = &prog.funs[id.0 as usize];
    let mut vars: Vec<VarInfo> = inner.vars.clone();
    let mut stms = Vec::new();
    let mut emit = |vars: Vec<Var>, exp: nest::Exp| stms.push(nest::Stm::new(vars, exp, inner.span));
    for param in old.params.iter().filter(|param| is_descriptor(of_param(param))) {
        // The first parameter whose rows it describes.
        let described = old.params.iter().find_map(|array| {
            let dims = of_param(array).dims();
            dims.iter().position(|dim| *dim == Dim::size(param.var)).map(|at| (array.var, at))
        });
        let exp = match described {
            Some((array, at)) => {
                let mut array = array;
                for _ in 1..at {
                    let ty = vars[array.0 as usize].ty.clone();
                    let width = new_var(&mut vars, Type::i64());
                    let dims = std::iter::once(Dim::size(width)).chain(ty.dims()[2..].iter().copied());
                    let joined = new_var(&mut vars, ty.with_dims(dims.collect()));
                    emit(vec![width, joined], nest::Exp::Array(ArrayExp::JoinRows(array)));
                    array = joined;
                }
                ArrayExp::Lengths(array)
            }
            // No row is described: there are none.
            None => ArrayExp::Range {
                prim: Prim::I64,
                count: Atom::i64(0),
                start: Atom::i64(0),
                step: Atom::i64(0),
            },
        };
        emit(vec![param.var], nest::Exp::Array(exp));
    }
    let first = vars.len() as u32;
    for ret in &inner.ret {
        let mut ty = ret.ty.clone();
        ty.for_each_dim(&mut |dim| {
            if let Dim::Result(at) = *dim {
                *dim = Dim::size(Var(first + at as u32));
            }
        });
        new_var(&mut vars, ty);
    }
    let results: Vec<Var> = (first..vars.len() as u32).map(Var).collect();
    let args = old.params.iter().map(|param| param.var.into()).collect();
    emit(results.clone(), nest::Exp::Control(ControlExp::Call { fun: id, args }));
    let kept: Vec<usize> = (0..results.len()).filter(|at| !is_descriptor(&old.ret[*at].ty)).collect();
    let ret = kept.iter().map(|at| {
        let mut ret = inner.ret[*at].clone();
        ret.ty.for_each_dim(&mut |dim| {
            if let Dim::Result(at) = dim {
                *at = kept.iter().filter(|kept| **kept < *at).count();
            }
        });
        ret
    });
    let outer = nest::Fun {
        name: format!("{} of lengths", inner.name),
        params: old.params.iter().filter(|param| !is_descriptor(of_param(param))).cloned().collect(),
        ret: ret.collect(),
        body: nest::Body { stms, result: kept.iter().map(|at| results[*at].into()).collect() },
        vars,
        attrs: Vec::new(),
        span: inner.span,
    };
    prog.entries[entry].fun = FunId(prog.funs.len() as u32);
    prog.funs.push(outer);
}

fn new_var(vars: &mut Vec<VarInfo>, ty: Type) -> Var {
    vars.push(VarInfo::new("x", ty));
    Var(vars.len() as u32 - 1)
}
