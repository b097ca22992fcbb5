//! The programs in tests/nest/run, and those in tests/flat as what they mean in nest: each obeys the rules, and each function that a
//! comment calls yields what the comment says.
//!
//! ```text
//! // > function arguments            in the text format of values
//! // = results                       all of them, sizes included
//! // ! message of the failure        `*` stands for any word
//! ```
//!
//! Those in tests/tasks are called with cuts of every kind, and yield the same.
//!
//! A function is called as an entry point whose parameters are all but regions and sizes of arrays.

use crate::programs::programs;
use norn_interp::{Cuts, Interp, Value};
use norn_ir::nest::parse::parse;
use norn_ir::nest::verify::{Stage, verify};
use norn_ir::nest::{
    Atom, Column, Dim, Elem, Entry, EntryParam, Fun, FunId, Iface, IfaceId, IfaceShape, Prog, Type,
};

#[test]
fn programs_yield_what_they_say() {
    // Deep recursion needs the stack that the interpreter counts on.
    let run = || {
        let mut mistakes = Vec::new();
        for (name, text) in programs("nest/run", "nest") {
            let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
            mistakes.extend(violations(&name, &text, &prog));
            run_file(&name, &text, prog, Cuts::Whole, &mut mistakes);
        }
        for (name, text) in programs("flat", "flat") {
            let prog = norn_ir::flat::parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
            let prog = norn_ir::flat::unflatten(&prog);
            mistakes.extend(violations(&name, &text, &prog));
            run_file(&name, &text, prog, Cuts::Whole, &mut mistakes);
        }
        for (name, text) in programs("tasks", "nest") {
            let prog = parse(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
            let broken = norn_ir::nest::grids::verify::verify(&prog);
            mistakes.extend(broken.iter().map(|violation| format!("{name}: {violation}")));
            for (at, cuts) in all_cuts().into_iter().enumerate() {
                run_file(&format!("{name}, cuts {at}"), &text, prog.clone(), cuts, &mut mistakes);
            }
        }
        assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// No cut, single rows, cuts as they are forced on devices, more parts than most of the programs have rows, and random ones.
fn all_cuts() -> Vec<Cuts> {
    let mut cuts = vec![Cuts::Whole, Cuts::Rows(1), Cuts::Rows(7), Cuts::Parts(2), Cuts::Parts(40)];
    cuts.extend((0..20).map(Cuts::Random));
    cuts
}

fn violations(name: &str, text: &str, prog: &Prog) -> Vec<String> {
    let stage =
        if text.starts_with("// stage: before regions") { Stage::BeforeRegions } else { Stage::Complete };
    verify(prog, stage).iter().map(|violation| format!("{name}: {violation}")).collect()
}

fn run_file(name: &str, text: &str, mut prog: Prog, cuts: Cuts, mistakes: &mut Vec<String>) {
    prog.ifaces.clear();
    prog.entries.clear();
    for fun in 0..prog.funs.len() {
        add_entry(&mut prog, fun);
    }
    let mut interp = Interp::new(prog);
    interp.check_types(true);
    interp.cut(cuts);
    let mut call = "";
    for line in text.lines() {
        if let Some(next) = line.strip_prefix("// > ") {
            call = next;
        } else if let Some(expected) = line.strip_prefix("// = ") {
            let found = run(&mut interp, call);
            if found != Ok(normal(expected)) {
                mistakes.push(format!("{name}: {call}: {found:?}"));
            }
        } else if let Some(expected) = line.strip_prefix("// ! ") {
            let found = run(&mut interp, call);
            if !found.as_ref().is_err_and(|message| matches(message, expected)) {
                mistakes.push(format!("{name}: {call}: {found:?}"));
            }
        }
    }
}

fn run(interp: &mut Interp, call: &str) -> Result<Vec<String>, String> {
    let (function, args) = call.split_once(' ').unwrap_or((call, ""));
    let entry = interp.prog().entries.iter().position(|entry| entry.name == function);
    let entry = entry.unwrap_or_else(|| panic!("no function {function}"));
    let args = norn_values::read_values(args.as_bytes()).unwrap_or_else(|error| panic!("{call}: {error}"));
    let args = args.iter().map(Value::from_host).collect();
    let results = interp.call(entry, args).map_err(|failure| failure.message)?;
    let text = |value: &Value| value.to_host().map_or(format!("{value:?}"), |host| host.to_string());
    Ok(results.iter().map(text).collect())
}

/// Values as their printer writes them.
fn normal(text: &str) -> Vec<String> {
    let values = norn_values::read_values(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    values.iter().map(|value| value.to_string()).collect()
}

fn matches(message: &str, expected: &str) -> bool {
    let (found, expected) = (message.split(' '), expected.split(' '));
    found.clone().count() == expected.clone().count()
        && found.zip(expected).all(|(found, expected)| expected == "*" || found == expected)
}

fn add_entry(prog: &mut Prog, index: usize) {
    let fun = &prog.funs[index];
    let ty = |var: norn_ir::nest::Var| &fun.vars[var.0 as usize].ty;
    let sizes: Vec<Atom> = fun
        .params
        .iter()
        .flat_map(|param| ty(param.var).dims().iter().filter_map(|dim| dim.atom()))
        .collect();
    let is_size = |var| *ty(var) == Type::Region || sizes.contains(&Atom::Var(var));
    let mut ifaces = Vec::new();
    let mut iface = |columns: Vec<Column>| {
        let id = IfaceId((prog.ifaces.len() + ifaces.len()) as u32);
        ifaces.push(Iface { name: format!("t{}", id.0), shape: IfaceShape::Opaque, columns });
        id
    };
    let leading = fun.params.iter().take_while(|param| is_size(param.var)).count();
    let params = fun.params[leading..].iter().map(|param| EntryParam {
        name: fun.vars[param.var.0 as usize].name.clone(),
        ty: iface(vec![column(ty(param.var))]),
        unique: param.unique,
    });
    let params = params.collect();
    let result = iface(fun.ret.iter().map(|ret| column(&ret.ty)).collect());
    let entry = Entry {
        name: fun_name(fun),
        fun: FunId(index as u32),
        params,
        result,
        result_unique: false,
        doc: String::new(),
        attrs: Vec::new(),
    };
    prog.ifaces.extend(ifaces);
    prog.entries.push(entry);
}

fn fun_name(fun: &Fun) -> String {
    fun.name.clone()
}

fn column(ty: &Type) -> Column {
    let elem = ty.elem().unwrap_or(Elem::Prim(norn_ir::nest::Prim::Bool));
    Column { elem, irregular: ty.dims().iter().map(|dim| *dim == Dim::Irregular).collect() }
}
