//! The programs in tests/nest/run after each pass alone, and after all of them: every function that a comment
//! calls still yields what the comment says, and fails where it says so.

use norn_interp::{Interp, Value};
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};
use norn_ir::nest::{
    Atom, Column, Dim, Elem, Entry, EntryParam, FunId, Iface, IfaceId, IfaceShape, Prim, Prog, Type, Var,
};
use norn_passes::pipeline::{NEST_PASSES, optimise_nest};
use std::path::{Path, PathBuf};

#[test]
fn programs_yield_after_the_passes_what_they_yield_before() {
    // Deep recursion needs the stack that the interpreter counts on.
    let run = || {
        let mut mistakes = Vec::new();
        for path in programs() {
            let text = std::fs::read_to_string(&path).expect("a program");
            let name = path.display();
            for pass in NEST_PASSES {
                run_file(&format!("{name} after {}", pass.name), &text, &pass.run, &mut mistakes);
                let twice = |prog: &mut Prog| {
                    optimise_nest(prog);
                    (pass.run)(prog);
                };
                run_file(&format!("{name} after all and {}", pass.name), &text, &twice, &mut mistakes);
            }
            run_file(&format!("{name} after all passes"), &text, &optimise_nest, &mut mistakes);
        }
        assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/nest/run");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ext| ext == "nest")).collect();
    paths.sort();
    paths
}

fn run_file(name: &str, text: &str, passes: &dyn Fn(&mut Prog), mistakes: &mut Vec<String>) {
    let mut prog = parse(text).unwrap_or_else(|error| panic!("{name}:{error}"));
    let stage =
        if text.starts_with("// stage: before regions") { Stage::BeforeRegions } else { Stage::Complete };
    prog.ifaces.clear();
    prog.entries.clear();
    for fun in 0..prog.funs.len() {
        add_entry(&mut prog, fun);
    }
    passes(&mut prog);
    let violations = verify(&prog, stage);
    if !violations.is_empty() {
        return mistakes.push(format!("{name}: {violations:?}\n{}", print(&prog)));
    }
    let shown = print(&prog);
    let mut interp = Interp::new(prog);
    interp.check_types(true);
    let mut call = "";
    for line in text.lines() {
        if let Some(next) = line.strip_prefix("// > ") {
            call = next;
        } else if let Some(expected) = line.strip_prefix("// = ") {
            let found = run(&mut interp, call);
            if found != Ok(normal(expected)) {
                mistakes.push(format!("{name}: {call}: {found:?}\n{shown}"));
            }
        } else if line.starts_with("// ! ") {
            let found = run(&mut interp, call);
            if found.is_ok() {
                mistakes.push(format!("{name}: {call}: {found:?}\n{shown}"));
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

/// The function as an entry point whose parameters are all but regions and sizes in front.
fn add_entry(prog: &mut Prog, index: usize) {
    let fun = &prog.funs[index];
    let ty = |var: Var| &fun.vars[var.0 as usize].ty;
    let dims = fun.params.iter().flat_map(|param| ty(param.var).dims());
    let sizes: Vec<Atom> = dims.filter_map(|dim| dim.atom()).collect();
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
        name: fun.name.clone(),
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

fn column(ty: &Type) -> Column {
    let elem = match ty.elem() {
        Some(Elem::Ref(data, _)) => Elem::Ref(data, None),
        Some(Elem::Prim(prim)) => Elem::Prim(prim),
        None => Elem::Prim(Prim::Bool),
    };
    Column { elem, irregular: ty.dims().iter().map(|dim| *dim == Dim::Irregular).collect() }
}
