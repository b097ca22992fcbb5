//! What is needed of a program to call it, once it is compiled.

use norn_ir::imp::{Fun, FunId, Prog};

/// The program without its code: its types, its sites, and its entry points, of whose functions only the place is left.
pub fn interface(prog: &Prog) -> Prog {
    let mut entries = prog.entries.clone();
    let mut funs = Vec::with_capacity(entries.len());
    for entry in &mut entries {
        let fun = &prog.funs[entry.fun.0 as usize];
        entry.fun = FunId(funs.len() as u32);
        funs.push(Fun {
            name: fun.name.clone(),
            params: Vec::new(),
            vars: Vec::new(),
            body: Vec::new(),
            results: Vec::new(),
            ret: Vec::new(),
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
