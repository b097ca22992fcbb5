//! Entry points: what the values that go in and out are.

use norn_ir::imp::{Entry, EntryDim, EntryElem, EntryType, FunId};
use norn_ir::nest::{self, Atom, Dim, Scalar, Var};

pub fn entry(prog: &nest::Prog, entry: &nest::Entry) -> Entry {
    let fun = &prog.funs[entry.fun.0 as usize];
    let param = |var: Var| {
        let at = fun.params.iter().position(|param| param.var == var);
        at.unwrap_or_else(|| {
            panic!("imp_gen: {} has a type with a variable that is no parameter", entry.name)
        })
    };
    let args = fun.params.iter().map(|param_| {
        let ty = &fun.vars[param_.var.0 as usize].ty;
        entry_type(ty, &param)
    });
    let rets = fun.ret.iter().map(|ret| entry_type(&ret.ty, &param));
    Entry {
        name: entry.name.clone(),
        fun: FunId(entry.fun.0),
        args: args.collect(),
        rets: rets.collect(),
        params: entry.params.clone(),
        result: entry.result,
        result_unique: entry.result_unique,
        doc: entry.doc.clone(),
        attrs: entry.attrs.clone(),
    }
}

fn entry_type(ty: &nest::Type, param: &dyn Fn(Var) -> usize) -> EntryType {
    let nest::Type::Value(elem, dims) = ty else { return EntryType::Region };
    let elem = match elem {
        nest::Elem::Prim(prim) => EntryElem::Prim(*prim),
        nest::Elem::Ref(data, region) => EntryElem::Ref(*data, region.map_or(0, param)),
    };
    let dims = dims.iter().map(|dim| match dim {
        Dim::Size(Atom::Const(Scalar::I64(size))) => EntryDim::Const(*size),
        Dim::Size(Atom::Const(_)) => panic!("imp_gen: a size that is no i64"),
        Dim::Size(Atom::Var(var)) => EntryDim::Arg(param(*var)),
        Dim::Irregular => EntryDim::Irregular,
        Dim::Result(at) => EntryDim::Result(*at),
    });
    EntryType::Value(elem, dims.collect())
}
