//! The programs in tests/passes/fuse, tests/passes/streams and tests/passes/sequences: what their comments
//! call yields the same before and after the pass.
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
use norn_passes::nest::fuse::fuse;
use norn_passes::nest::streams::{sequences, streams};
use std::path::{Path, PathBuf};

type Pass<'a> = &'a dyn Fn(&mut Prog);

#[test]
fn fused_programs_yield_the_same() {
    let mut mistakes = Vec::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a program");
        let input = text.split_once("---\n").map_or(text.as_str(), |(input, _)| input);
        let name = path.display().to_string();
        let passes: [(&str, Pass); 5] = [
            ("before", &|_| {}),
            ("after fuse", &fuse),
            ("after fuse twice", &|prog| (0..2).for_each(|_| fuse(prog))),
            ("after streams", &streams),
            ("after all", &|prog| [streams, sequences, fuse].iter().for_each(|pass| pass(prog))),
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
    let paths = ["fuse", "streams", "sequences"].map(entries).into_iter().flatten();
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
            let expected: Vec<String> = values.iter().map(|value| value.to_string()).collect();
            if found != Ok(expected) {
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
    let is_size = |var: Var| fun.params.iter().any(|param| ty(param.var).dims().contains(&Dim::size(var)));
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

/// Straight-line programs of kernels that flow into each other in many ways, some of which consume arrays.
mod random {
    use super::{add_entry, run};
    use norn_interp::Interp;
    use norn_ir::nest::parse::parse;
    use norn_ir::nest::print::print;
    use norn_ir::nest::verify::{Stage, verify};
    use norn_passes::nest::fuse::survey;
    use norn_passes::nest::streams::{sequences, streams};

    struct Maker {
        state: u64,
        text: String,
        /// Arrays of i64 and the name of their size.
        arrays: Vec<(String, String)>,
        scalars: Vec<String>,
        count: usize,
    }

    impl Maker {
        fn below(&mut self, limit: usize) -> usize {
            self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.state >> 33) as usize % limit
        }

        fn array(&mut self) -> (String, String) {
            // Recent ones are likelier, so that there are chains.
            let from = if self.below(2) == 0 { self.arrays.len().saturating_sub(3) } else { 0 };
            let at = from + self.below(self.arrays.len() - from);
            self.arrays[at].clone()
        }

        fn scalar(&mut self) -> String {
            let at = self.below(self.scalars.len());
            self.scalars[at].clone()
        }

        fn statement(&mut self) {
            let i = self.count;
            self.count += 1;
            let (array, size) = self.array();
            let same: Vec<String> = self
                .arrays
                .iter()
                .filter(|(_, other)| *other == size)
                .map(|(name, _)| name.clone())
                .collect();
            let pick = self.below(same.len());
            let (other, scalar) = (same[pick].clone(), self.scalar());
            let op = ["add", "mul", "max", "sub", "xor"][self.below(5)];
            let sum = format!("\\(v{i}: i64, w{i}: i64) {{ let z{i}: i64 = add.i64 v{i} w{i} in z{i} }}");
            match self.below(12) {
                0..=4 => {
                    self.text += &format!(
                        "let a{i}: [{size}]i64 = map {size} ({array}, {other}) \\(x{i}: i64, y{i}: i64) {{ \
                         let p{i}: i64 = {op}.i64 x{i} y{i} let q{i}: i64 = add.i64 p{i} {scalar} in q{i} }}\n"
                    );
                    self.arrays.push((format!("a{i}"), size));
                }
                5..=6 => {
                    self.text += &format!(
                        "let s{i}: i64 = reduce {size} ({array}) commutative neutral (0i64) {sum}\n"
                    );
                    self.scalars.push(format!("s{i}"));
                }
                7 => {
                    self.text +=
                        &format!("let a{i}: [{size}]i64 = scan {size} ({array}) neutral (0i64) {sum}\n");
                    self.arrays.push((format!("a{i}"), size));
                }
                8..=9 => {
                    self.text += &format!(
                        "let k{i}: i64, a{i}: [k{i}]i64, b{i}: [k{i}]i64 = filter {size} ({array}, {other}) \
                         \\(x{i}: i64, y{i}: i64) {{ let p{i}: bool = lt.i64 x{i} {scalar} in p{i}, x{i}, y{i} }}\n"
                    );
                    self.arrays.push((format!("a{i}"), format!("k{i}")));
                    self.arrays.push((format!("b{i}"), format!("k{i}")));
                    if self.below(3) == 0 {
                        self.scalars.push(format!("k{i}"));
                    }
                }
                10 => {
                    self.text += &format!(
                        "let t{i}: i64, a{i}: [{size}]i64 = stream {size} ({array}) reduce {sum} do \
                         \\(c{i}: i64, d{i}: [c{i}]i64) {{ let e{i}: i64 = reduce c{i} (d{i}) neutral (0i64) \
                         \\(f{i}: i64, g{i}: i64) {{ let h{i}: i64 = add.i64 f{i} g{i} in h{i} }} in e{i}, d{i} }}\n"
                    );
                    self.scalars.push(format!("t{i}"));
                    self.arrays.push((format!("a{i}"), size));
                }
                _ => {
                    // A copy is overwritten, after others may have read it.
                    self.text += &format!("let c{i}: [{size}]i64 = copy {array}\n");
                    self.text += &format!("let s{i}: i64 = reduce {size} (c{i}) neutral (0i64) {sum}\n");
                    self.text += &format!(
                        "let a{i}: [{size}]i64 = scatter {size} (c{i}) from ({array}, {other}) \
                         \\(x{i}: i64, y{i}: i64) {{ in x{i}, y{i} }}\n"
                    );
                    self.scalars.push(format!("s{i}"));
                    self.arrays.push((format!("a{i}"), size));
                }
            }
        }
    }

    fn program(seed: u64) -> String {
        let mut maker = Maker {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            text: String::new(),
            arrays: [("xs", "n"), ("ys", "n"), ("zs", "m")]
                .map(|(a, b)| (a.to_string(), b.to_string()))
                .to_vec(),
            scalars: vec!["1i64".to_string(), "2i64".to_string()],
            count: 0,
        };
        let length = 3 + maker.below(14);
        (0..length).for_each(|_| maker.statement());
        let (array, size) = maker.arrays[maker.arrays.len() - 1].clone();
        let sum = maker.scalar();
        let Maker { text, .. } = maker;
        format!(
            "fun main (n: i64, m: i64, xs: [n]i64, ys: [n]i64, zs: [m]i64) -> i64, i64, *[#1]i64 {{\n{text}\
             let last: [{size}]i64 = copy {array}\nin {sum}, {size}, last\n}}\n"
        )
    }

    #[test]
    fn random_programs_yield_the_same() {
        let calls = [
            "main [1i64, -2i64, 3i64, 0i64] [5i64, 1i64, 1i64, 2i64] [4i64, -1i64]",
            "main empty([0]i64) empty([0]i64) [7i64]",
        ];
        let (mut fused, mut better) = (0, 0);
        for seed in 0..400 {
            let mut before = parse(&program(seed)).unwrap_or_else(|error| panic!("{seed}: {error}"));
            add_entry(&mut before, 0);
            assert!(verify(&before, Stage::Complete).is_empty(), "{seed}:\n{}", print(&before));
            let mut after = before.clone();
            for block in survey(&mut after) {
                let (greedy, best) = (block.greedy_cost, block.best_cost);
                assert!(best.kernels <= greedy.kernels, "{seed}: {}", block.text());
                fused += block.nodes.len() as u64 - best.kernels;
                better += u64::from(best.kernels < greedy.kernels || best.arrays < greedy.arrays);
            }
            let mut both = after.clone();
            streams(&mut both);
            sequences(&mut both);
            let mut expected = Interp::new(before.clone());
            for (when, prog) in [("fuse", after), ("streams", both)] {
                let violations = verify(&prog, Stage::Complete);
                let shown = print(&prog);
                assert!(
                    violations.is_empty(),
                    "{seed} after {when}: {violations:?}\n{}\n{shown}",
                    print(&before)
                );
                let mut found = Interp::new(prog);
                for call in calls {
                    let (expected, found) = (run(&mut expected, call), run(&mut found, call));
                    assert_eq!(expected, found, "{seed} after {when}: {}\n{shown}", print(&before));
                }
            }
        }
        assert!(fused > 1000 && better > 20, "{fused} kernels saved, {better} plans better than greedy");
    }
}
