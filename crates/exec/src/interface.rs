//! What is needed of a program to call it, once it is compiled.

use crate::arguments::Side;
use norn_ir::imp::{Entry, Fun, FunId, Prog, Type, Var};

/// The program without its code: its types, its sites, and its entry points, of whose functions only the head and the
/// place are left.
pub fn interface(prog: &Prog) -> Prog {
    let mut entries = prog.entries.clone();
    let mut funs = Vec::with_capacity(entries.len());
    for entry in &mut entries {
        let fun = &prog.funs[entry.fun.0 as usize];
        entry.fun = FunId(funs.len() as u32);
        funs.push(Fun {
            name: fun.name.clone(),
            params: (0..fun.params.len() as u32).map(Var).collect(),
            arrays: Vec::new(),
            vars: fun.params.iter().map(|param| fun.vars[param.0 as usize].clone()).collect(),
            body: Vec::new(),
            results: Vec::new(),
            ret: fun.ret.clone(),
            recursive: false,
            span: fun.span,
        });
    }
    Prog {
        datas: prog.datas.clone(),
        funs,
        kernels: Vec::new(),
        group_kernels: Vec::new(),
        consts: prog.consts.clone(),
        sites: prog.sites.clone(),
        entries,
        ifaces: prog.ifaces.clone(),
    }
}

/// Where the function of an entry point has its arrays: all of them are remote, or none is.
pub fn side(prog: &Prog, entry: &Entry) -> Side {
    let fun = &prog.funs[entry.fun.0 as usize];
    let params = fun.params.iter().map(|param| fun.vars[param.0 as usize].ty);
    let is_remote = |ty: Type| match ty {
        Type::Remote(_) => true,
        Type::Scalar(_) | Type::Vector(..) | Type::Ptr(_) | Type::Local(_) | Type::Block | Type::Region => {
            false
        }
    };
    if params.chain(fun.ret.iter().copied()).any(is_remote) { Side::Device } else { Side::Host }
}
