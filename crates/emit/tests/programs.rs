//! The programs in tests/emit: each is emitted, compiled and run as its comments say.
//!
//! - `// run NAME(1, 2.5, true, [1, 2], null, region) = 3, [1.5], _` calls a function and compares its results. An array is a pointer to
//!   its elements; a block or region that comes out is `_`. Afterwards nothing may be left of what was allocated.
//! - `// run NAME(..) fails #3 (1, 2) in #4 in #5`: the site, the operands and the calls that it is left by;
//!   or `out of memory at #3 ()`, or `out of stack ()`.
//! - `// limit 1000`: no block is larger. `// keeps 1`: so many blocks are left, which constants hold.

use crate::driver;
use crate::driver::values::{elements, parse, prim_of, readable, same, scalar, values};
use crate::files::programs;
use norn_ir::imp::{Exp, Fun, FunId, Prim, Prog, SiteId, Stmt, Type, Var};

#[test]
fn programs_do_as_they_say() {
    if !driver::has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (name, text) in programs("emit", "imp") {
        let prog = parse(&name, &text);
        let runs: Vec<Run> = text.lines().filter_map(|line| Run::parse(&prog, line)).collect();
        assert!(!runs.is_empty(), "{name} does not say what to run");
        let limit = text.lines().find_map(|line| line.strip_prefix("// limit ")).unwrap_or("1 << 30");
        let kept = text.lines().find_map(|line| line.strip_prefix("// keeps ")).unwrap_or("0");
        let mut program = norn_emit::emit_c(&prog) + driver::HOST;
        program += &format!("int main(void) {{\n  host_limit = {limit};\n");
        runs.iter().for_each(|run| program += &run.code());
        program += "}\n";
        for machine in driver::MACHINES.iter().filter(|machine| driver::runs(machine)) {
            let optimise = if *machine == "native" { "-O3" } else { "-O0" };
            let output = driver::run(folder.path(), &program, machine, optimise, &[]);
            let output = String::from_utf8(output).expect("text");
            let mut lines = output.lines();
            for run in &runs {
                if let Err(found) = run.compare(kept, &mut lines) {
                    wrong.push(format!("{name} for {machine}: {}\n  gives {found}", run.text));
                }
            }
            assert!(lines.next().is_none(), "{name} says more than it was asked");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_programs_compile_and_stay_the_same() {
    if !driver::has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in programs("imp", "imp").into_iter().chain(programs("passes/vectorise", "imp")) {
        // Before a pass and after it.
        for part in text.split("\n---") {
            let Ok(prog) = norn_ir::imp::parse::parse(part) else { panic!("{name} does not parse") };
            let emitted = norn_emit::emit_c(&prog);
            assert!(emitted == norn_emit::emit_c(&prog.clone()), "{name} is not always the same");
            driver::run(folder.path(), &(emitted + "int main(void) { return 0; }\n"), "native", "-O0", &[]);
        }
    }
}

/// A program with a function that only a group kernel calls, the number of that, and a statement that calls it.
fn with_device() -> (Prog, usize, Stmt) {
    let found = programs("emit", "imp").into_iter().find(|(name, _)| name.ends_with("devices.imp"));
    let (name, text) = found.expect("the program");
    let prog = parse(&name, &text);
    let twice = prog.funs.iter().position(|fun| fun.name == "twice").expect("the function");
    let (fun, args, results) = (FunId(twice as u32), vec![Exp::from(1)], vec![Var(0)]);
    (prog, twice, Stmt::Call { fun, args, results, site: SiteId(2) })
}

#[test]
fn functions_of_group_kernels_alone_are_left_out() {
    let (mut prog, twice, call) = with_device();
    assert!(!norn_emit::emit_c(&prog).contains("f_twice"));
    assert!(norn_emit::emit_opencl(&prog).text.contains("f_twice"));
    // A function of the host that calls it, too, makes it one of both.
    let mut other = prog.funs[twice].clone();
    other.body.push(call);
    prog.funs.push(other);
    assert!(norn_emit::emit_c(&prog).contains("f_twice"));
}

#[test]
#[should_panic(expected = "`twice` is recursive, but a group kernel calls it")]
fn recursion_on_a_device_is_refused() {
    let (mut prog, twice, call) = with_device();
    prog.funs[twice].body.push(call);
    norn_emit::emit_cuda(&prog);
}

/// A call of a function, and what is expected of it.
struct Run<'a> {
    text: &'a str,
    fun: &'a Fun,
    args: Vec<&'a str>,
    expected: Expected<'a>,
}

enum Expected<'a> {
    Results(Vec<&'a str>),
    /// How it fails, as the driver prints it.
    Failure(&'a str),
}

impl<'a> Run<'a> {
    fn parse(prog: &'a Prog, line: &'a str) -> Option<Run<'a>> {
        let text = line.strip_prefix("// run ")?;
        let (name, rest) = text.split_once('(').unwrap_or_else(|| panic!("no arguments in {text}"));
        let (args, rest) = rest.split_once(')').unwrap_or_else(|| panic!("arguments do not end in {text}"));
        let fun =
            prog.funs.iter().find(|fun| fun.name == name).unwrap_or_else(|| panic!("no function {name}"));
        let expected = match rest.trim().strip_prefix('=') {
            Some(results) => Expected::Results(values(results)),
            None => Expected::Failure(rest.trim()),
        };
        Some(Run { text, fun, args: values(args), expected })
    }

    /// The call in C. Results are printed as words, one line for each.
    fn code(&self) -> String {
        let mut code = "  {\n    norn_worker *w = host_begin();\n".to_string();
        let mut args = vec!["w".to_string()];
        assert_eq!(self.args.len(), self.fun.params.len(), "arguments in {}", self.text);
        for (i, (param, value)) in self.fun.params.iter().zip(&self.args).enumerate() {
            match self.fun.vars[param.0 as usize].ty {
                Type::Scalar(prim) => args.push(number(prim, value)),
                Type::Ptr(elem) => {
                    let elements: Vec<String> =
                        elements(value).iter().map(|x| number(prim_of(elem), x)).collect();
                    let prim = prim_of(elem);
                    code += &format!("    {prim} arg_{i}[] = {{{}}};\n", elements.join(", "));
                    args.push(format!("arg_{i}"));
                }
                Type::Region => args.push("host_region_new(w)".to_string()),
                Type::Block => args.push("0".to_string()),
                Type::Vector(..) | Type::Remote(_) | Type::Local(_) => {
                    panic!("arguments that cannot be given in {}", self.text)
                }
            }
        }
        let mut after = String::new();
        for (i, ty) in self.fun.ret.iter().enumerate() {
            let (ty, print) = match ty {
                Type::Scalar(prim) => (prim.to_string(), show(*prim, &format!("out_{i}"))),
                Type::Ptr(elem) => {
                    let prim = prim_of(*elem);
                    let count = match &self.expected {
                        Expected::Results(results) => elements(results[i]).len(),
                        Expected::Failure(_) => 0,
                    };
                    let show = show(prim, &format!("out_{i}[l]"));
                    (format!("{prim} *"), format!("for (int l = 0; l < {count}; l++) {{ {show} }}"))
                }
                Type::Region => ("norn_region *".to_string(), String::new()),
                Type::Block => ("norn_block *".to_string(), String::new()),
                Type::Vector(..) | Type::Remote(_) | Type::Local(_) => {
                    panic!("results that cannot be shown in {}", self.text)
                }
            };
            code += &format!("    {ty} out_{i};\n");
            args.push(format!("&out_{i}"));
            after += &format!("      {print}\n      printf(\"\\n\");\n");
        }
        for (i, ty) in self.fun.ret.iter().enumerate() {
            match ty {
                Type::Block => after += &format!("      norn_release(w, out_{i});\n"),
                Type::Region => after += &format!("      norn_region_end(w, out_{i});\n"),
                Type::Scalar(_) | Type::Vector(..) | Type::Ptr(_) | Type::Remote(_) | Type::Local(_) => {}
            }
        }
        let call = format!("f_{}({})", self.fun.name, args.join(", "));
        code + &format!(
            "    int end = {call};\n    if (!end) {{\n{after}    }}\n    host_end(w, end);\n  }}\n"
        )
    }

    /// What was printed against what was expected.
    fn compare<'b>(&self, kept: &str, lines: &mut impl Iterator<Item = &'b str>) -> Result<(), String> {
        let mut next = || lines.next().unwrap_or("").trim();
        match &self.expected {
            Expected::Failure(failure) => {
                let line = next();
                if line == *failure { Ok(()) } else { Err(line.to_string()) }
            }
            Expected::Results(results) => {
                let mut wrong = Vec::new();
                for (i, ty) in self.fun.ret.iter().enumerate() {
                    let line = next();
                    if line.starts_with("fails") || line.starts_with("out of") {
                        return Err(line.to_string());
                    }
                    let (prim, expected) = match ty {
                        Type::Scalar(prim) => (*prim, vec![results[i]]),
                        Type::Ptr(elem) => (prim_of(*elem), elements(results[i])),
                        Type::Block | Type::Region | Type::Vector(..) | Type::Remote(_) | Type::Local(_) => {
                            continue;
                        }
                    };
                    let found: Vec<&str> = line.split_whitespace().collect();
                    let same = found.len() == expected.len()
                        && found.iter().zip(&expected).all(|(found, expected)| same(prim, found, expected));
                    if !same {
                        let found = found.iter().map(|word| readable(prim, word)).collect::<Vec<_>>();
                        wrong.push(format!("{} as result {i}", found.join(", ")));
                    }
                }
                let end = next();
                if end != format!("live {kept}") {
                    wrong.push(end.to_string());
                }
                if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
            }
        }
    }
}

/// A number in C.
fn number(prim: Prim, text: &str) -> String {
    let word = scalar(prim, text).bits();
    match prim {
        Prim::F16 | Prim::F32 | Prim::F64 => format!("*({prim} *)&(u{}){{0x{word:x}}}", prim.bits()),
        _ => format!("({prim})0x{word:x}"),
    }
}

/// Print a value as a word.
fn show(prim: Prim, value: &str) -> String {
    let bits = match prim {
        Prim::F16 | Prim::F32 | Prim::F64 => format!("*(u{} *)&{value}", prim.bits()),
        _ => value.to_string(),
    };
    format!("printf(\"%llx \", (unsigned long long){bits});")
}
