//! The programs in tests/passes/fuse and tests/passes/streams: what their comments call yields the same
//! before and after the pass.
//!
//! ```text
//! // > function arguments            in the text format of values
//! // = results
//! // ! function arguments            fails
//! ```
//!
//! A function is called as an entry point whose parameters are all but sizes of arrays in front.

use norn_interp::{Interp, Value};
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::{
    Column, Dim, Elem, Entry, EntryParam, Fun, FunId, Iface, IfaceId, IfaceShape, Prim, Prog, Type, Var,
};
use norn_passes::nest::{fuse::fuse, streams::streams};
use std::path::{Path, PathBuf};

#[test]
fn fused_programs_yield_the_same() {
    let mut mistakes = Vec::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        let input = text.split_once("---\n").map_or(text.as_str(), |(input, _)| input);
        let name = path.display().to_string();
        let passes: [(&str, &dyn Fn(&mut Prog)); 5] = [
            ("before", &|_| {}),
            ("after fuse", &fuse),
            ("after fuse twice", &|prog| (0..2).for_each(|_| fuse(prog))),
            ("after streams", &streams),
            ("after both", &|prog| [streams, fuse].iter().for_each(|pass| pass(prog))),
        ];
        for (when, pass) in passes {
            run_file(&format!("{name} {when}"), input, pass, &mut mistakes);
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes");
    let entries = |pass: &str| std::fs::read_dir(folder.join(pass)).expect("the folder of programs");
    let paths = ["fuse", "streams"].map(entries).into_iter().flatten();
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.sort();
    paths
}

fn run_file(name: &str, text: &str, pass: &dyn Fn(&mut Prog), mistakes: &mut Vec<String>) {
    let mut prog = parse(text).unwrap_or_else(|error| panic!("{name}:{error}"));
    (0..prog.funs.len()).for_each(|fun| add_entry(&mut prog, fun));
    pass(&mut prog);
    let shown = print(&prog);
    let mut interp = Interp::new(prog);
    interp.check_types(true);
    let mut call = "";
    for line in text.lines() {
        if let Some(next) = line.strip_prefix("// > ") {
            call = next;
        } else if let Some(expected) = line.strip_prefix("// = ") {
            let found = run(&mut interp, call);
            let values = norn_values::read_values(expected.as_bytes()).expect("values");
            let wanted: Vec<String> = values.iter().map(|value| value.to_string()).collect();
            if found != Ok(wanted) {
                mistakes.push(format!("{name}: {call}: {found:?}\n{shown}"));
            }
        } else if let Some(call) = line.strip_prefix("// ! ") {
            let found = run(&mut interp, call);
            if found.is_ok() {
                mistakes.push(format!("{name}: {call} does not fail: {found:?}\n{shown}"));
            }
        }
    }
}

fn run(interp: &mut Interp, call: &str) -> Result<Vec<String>, String> {
    let (function, args) = call.split_once(' ').unwrap_or((call, ""));
    let entry = interp.prog().entries.iter().position(|entry| entry.name == function);
    let entry = entry.unwrap_or_else(|| panic!("no function {function}"));
    let args = norn_values::read_values(args.as_bytes()).unwrap_or_else(|error| panic!("{call}: {error}"));
    let results = interp.call(entry, args.iter().map(Value::from_host).collect());
    let results = results.map_err(|failure| failure.message)?;
    Ok(results.iter().map(|value| value.to_host().map_or(String::new(), |host| host.to_string())).collect())
}

fn add_entry(prog: &mut Prog, index: usize) {
    let fun = &prog.funs[index];
    let ty = |var: Var| &fun.vars[var.0 as usize].ty;
    let is_size = |var: Var| {
        fun.params.iter().any(|param| ty(param.var).dims().contains(&Dim::size(var)))
    };
    let leading = fun.params.iter().take_while(|param| is_size(param.var)).count();
    let mut ifaces = Vec::new();
    let mut iface = |columns: Vec<Column>| {
        ifaces.push(Iface { name: format!("t{index}_{}", ifaces.len()), shape: IfaceShape::Opaque, columns });
        IfaceId((prog.ifaces.len() + ifaces.len() - 1) as u32)
    };
    let params = fun.params[leading..].iter().map(|param| EntryParam {
        name: fun.vars[param.var.0 as usize].name.clone(),
        ty: iface(vec![column(ty(param.var))]),
        unique: param.unique,
    });
    let params: Vec<EntryParam> = params.collect();
    let result = iface(fun.ret.iter().map(|ret| column(&ret.ty)).collect());
    let entry = entry(fun, index, params, result);
    prog.ifaces.extend(ifaces);
    prog.entries.push(entry);
}

fn entry(fun: &Fun, index: usize, params: Vec<EntryParam>, result: IfaceId) -> Entry {
    Entry {
        name: fun.name.clone(),
        fun: FunId(index as u32),
        params,
        result,
        result_unique: false,
        doc: String::new(),
        attrs: Vec::new(),
    }
}

fn column(ty: &Type) -> Column {
    let elem = ty.elem().unwrap_or(Elem::Prim(Prim::Bool));
    Column { elem, irregular: ty.dims().iter().map(|dim| *dim == Dim::Irregular).collect() }
}
