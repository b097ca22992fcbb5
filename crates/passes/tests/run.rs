//! The programs in tests/nest/run and tests/passes/distribute/apart after each pass alone, and after all of them: the calls
//! that their comments list yield what they yield before, and fail where they fail before. After fission, they do so with whatever cuts.

use crate::parallel;
use norn_interp::{Cuts, Interp, Value};
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};
use norn_ir::nest::{
    Atom, Column, Dim, Elem, Entry, EntryParam, FunId, Iface, IfaceId, IfaceShape, Prim, Prog, Type, Var,
};
use norn_passes::cut::cut_at;
use norn_passes::pipeline::{
    APART, DEVICE_PASSES, FISSION_PASSES, FLAT_PASSES, NEST_PASSES, NestPass, optimise_nest, to_device_flat,
    to_flat,
};
use std::path::{Path, PathBuf};

/// How a program begins that has no regions, so that it is not ready to run on a device.
const UNFINISHED: &str = "// stage: before regions";

#[test]
fn programs_yield_after_the_passes_what_they_yield_before() {
    let mistakes: Vec<String> = parallel::map(&programs(), |path| mistakes(path)).concat();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// What a program does otherwise after a pass.
fn mistakes(path: &Path) -> Vec<String> {
    let mut mistakes = Vec::new();
    let text = std::fs::read_to_string(path).expect("a program");
    let name = path.display();
    let before = outcomes(&name.to_string(), &text, &|_| {}, None);
    for pass in NEST_PASSES.iter().chain(FLAT_PASSES).chain(DEVICE_PASSES).chain([&APART]) {
        let name = format!("{name} after {}", pass.name);
        let after = outcomes(&name, &text, &pass.run, Some(&before));
        compare(&before, after, &name, &mut mistakes);
    }
    for (device, to_flat) in [("a processor", to_flat as fn(&mut Prog)), ("a device", to_device_flat)] {
        let name = format!("{name} after all passes for {device}");
        let all = |prog: &mut Prog| {
            optimise_nest(prog);
            if !text.starts_with(UNFINISHED) {
                to_flat(prog);
            }
        };
        let after = outcomes(&name, &text, &all, Some(&before));
        compare(&before, after, &name, &mut mistakes);
    }
    if !text.starts_with(UNFINISHED) {
        let all = |prog: &mut Prog| {
            optimise_nest(prog);
            to_device_flat(prog);
        };
        mistakes.extend(fission_mistakes(&name.to_string(), &text, &all, &before));
    }
    mistakes
}

/// The programs of the pass itself are scheduled already.
#[test]
fn tasks_yield_the_same_however_they_are_cut() {
    let mut mistakes = Vec::new();
    for path in programs_in(&["passes/fission"]) {
        let text = std::fs::read_to_string(&path).expect("a program");
        let text = text.split("---\n").next().unwrap_or_default();
        let name = path.display().to_string();
        let before = outcomes(&name, text, &|_| {}, None);
        mistakes.extend(fission_mistakes(&name, text, &|_| {}, &before));
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// What a program does otherwise when its tasks are cut.
fn fission_mistakes(name: &str, text: &str, prepare: &dyn Fn(&mut Prog), before: &Outcomes) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut split = read(name, text);
    prepare(&mut split);
    FISSION_PASSES.iter().for_each(|NestPass { run, .. }| run(&mut split));
    let all_cuts = [Cuts::Whole, Cuts::Rows(1), Cuts::Rows(7), Cuts::Parts(30), Cuts::Random(1)];
    for (at, cuts) in all_cuts.into_iter().enumerate() {
        let name = format!("{name} after fission, cuts {at}");
        let after = outcomes_of(&name, text, split.clone(), cuts);
        compare(before, after, &name, &mut mistakes);
    }
    for rows in [1, 7] {
        let mut cut = split.clone();
        cut_at(&mut cut, rows);
        let name = format!("{name} cut at {rows} rows");
        let after = outcomes_of(&name, text, cut, Cuts::Whole);
        compare(before, after, &name, &mut mistakes);
    }
    mistakes
}

fn programs() -> Vec<PathBuf> {
    programs_in(&["nest/run", "passes/distribute/apart"])
}

fn programs_in(folders: &[&str]) -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).expect("a folder of programs"));
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ext| ext == "nest")).collect();
    paths.sort();
    paths
}

/// Each call, and its results or how it fails.
type Outcomes = Vec<(String, Result<Vec<String>, String>)>;

fn compare(before: &Outcomes, after: Outcomes, name: &str, mistakes: &mut Vec<String>) {
    for ((call, before), (_, after)) in before.iter().zip(after) {
        let same = match (before, &after) {
            (Ok(before), Ok(after)) => before == after,
            (Err(_), Err(_)) => true,
            // Memory that is not needed any more is no longer too much.
            (Err(message), Ok(_)) => message.starts_with("Cannot allocate"),
            (Ok(_), Err(_)) => false,
        };
        if !same {
            mistakes.push(format!("{name}: {call}: {before:?} before, {after:?} after"));
        }
    }
}

/// What the calls yield after some passes. If these leave the program as it is, that is what they yielded before.
fn outcomes(name: &str, text: &str, passes: &dyn Fn(&mut Prog), before: Option<&Outcomes>) -> Outcomes {
    let mut prog = read(name, text);
    let original = prog.clone();
    passes(&mut prog);
    if let Some(before) = before.filter(|_| prog == original) {
        return before.clone();
    }
    outcomes_of(name, text, prog, Cuts::Whole)
}

/// The program, all of whose functions are entry points.
fn read(name: &str, text: &str) -> Prog {
    let mut prog = parse(text).unwrap_or_else(|error| panic!("{name}:{error}"));
    prog.ifaces.clear();
    prog.entries.clear();
    for fun in 0..prog.funs.len() {
        add_entry(&mut prog, fun);
    }
    prog
}

fn outcomes_of(name: &str, text: &str, prog: Prog, cuts: Cuts) -> Outcomes {
    let violations = match text.starts_with(UNFINISHED) {
        true => verify(&prog, Stage::BeforeRegions),
        false => norn_ir::nest::grids::verify::verify(&prog),
    };
    assert!(violations.is_empty(), "{name}: {violations:?}\n{}", print(&prog));
    let mut interp = Interp::new(prog);
    interp.check_types(true);
    interp.cut(cuts);
    // Arrays that nobody has memory for may come into being in parts that somebody has.
    interp.memory_limit(256 << 20);
    let calls = text.lines().filter_map(|line| line.strip_prefix("// > "));
    calls.map(|call| (call.to_string(), run(&mut interp, call))).collect()
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
