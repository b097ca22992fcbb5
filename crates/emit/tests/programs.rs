//! The programs in tests/emit: each is emitted, compiled and run as its comments say.
//!
//! - `// run NAME(1, 2.5, true, [1, 2], null, region) = 3, [1.5], _` calls a function and compares its results. An array is a pointer to
//!   its elements; a block or region that comes out is `_`. Afterwards nothing may be left of what was allocated.
//! - `// run NAME(..) fails #3 (1, 2) in #4 in #5`: the site, the operands and the calls that it is left by;
//!   or `out of memory at #3 ()`, or `out of stack ()`.
//! - `// limit 1000`: no block is larger. `// keeps 1`: so many blocks are left, which constants hold.

mod driver;

use norn_ir::imp::{Elem, Fun, Prim, Prog, Scalar, Type};
use std::path::{Path, PathBuf};

fn programs(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "imp"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a program");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}

fn parse(name: &str, text: &str) -> Prog {
    let prog = norn_ir::imp::parse::parse(text).unwrap_or_else(|error| panic!("{name}:{error}"));
    let violations: Vec<String> = norn_ir::imp::verify::verify(&prog).iter().map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{name}:\n{}", violations.join("\n"));
    prog
}

#[test]
fn programs_do_as_they_say() {
    if !driver::has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (name, text) in programs("emit") {
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
            let optimise = if *machine == "native" { "-O3" } else { "-O1" };
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
    for (name, text) in programs("imp").into_iter().chain(programs("passes/vectorise")) {
        // Before a pass and after it.
        for part in text.split("\n---") {
            let Ok(prog) = norn_ir::imp::parse::parse(part) else { panic!("{name} does not parse") };
            let emitted = norn_emit::emit_c(&prog);
            assert!(emitted == norn_emit::emit_c(&prog.clone()), "{name} is not always the same");
            driver::run(folder.path(), &(emitted + "int main(void) { return 0; }\n"), "native", "-O1", &[]);
        }
    }
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
    /// How it fails, as the driver says it.
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
                Type::Vector(..) => panic!("vectors in {}", self.text),
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
                Type::Vector(..) => panic!("vectors in {}", self.text),
            };
            code += &format!("    {ty} out_{i};\n");
            args.push(format!("&out_{i}"));
            after += &format!("      {print}\n      printf(\"\\n\");\n");
        }
        for (i, ty) in self.fun.ret.iter().enumerate() {
            match ty {
                Type::Block => after += &format!("      norn_release(w, out_{i});\n"),
                Type::Region => after += &format!("      norn_region_end(w, out_{i});\n"),
                Type::Scalar(_) | Type::Vector(..) | Type::Ptr(_) => {}
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
                    let (prim, wanted) = match ty {
                        Type::Scalar(prim) => (*prim, vec![results[i]]),
                        Type::Ptr(elem) => (prim_of(*elem), elements(results[i])),
                        Type::Block | Type::Region | Type::Vector(..) => continue,
                    };
                    let found: Vec<&str> = line.split_whitespace().collect();
                    let same = found.len() == wanted.len()
                        && found.iter().zip(&wanted).all(|(found, wanted)| same(prim, found, wanted));
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

/// Values with commas between them.
fn values(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                values.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    values.push(text[start..].trim());
    values.retain(|value| !value.is_empty());
    values
}

fn elements(array: &str) -> Vec<&str> {
    let inside = array.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    values(inside.unwrap_or_else(|| panic!("{array} is no array")))
}

fn prim_of(elem: Elem) -> Prim {
    match elem {
        Elem::Prim(prim) => prim,
        Elem::Any | Elem::Block | Elem::Region => panic!("pointers to pointers cannot be given"),
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

fn scalar(prim: Prim, text: &str) -> Scalar {
    match text {
        "true" => Scalar::Bool(true),
        "false" => Scalar::Bool(false),
        _ if prim.is_float() => {
            Scalar::from_float(prim, text.parse().unwrap_or_else(|_| panic!("{text} is no number")))
        }
        _ => Scalar::from_int(prim, text.parse().unwrap_or_else(|_| panic!("{text} is no number"))),
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

fn word_of(prim: Prim, word: &str) -> Option<Scalar> {
    let word = u64::from_str_radix(word, 16).ok()?;
    let mask = u64::MAX >> (64 - 8 * prim.size());
    Scalar::from_bits(prim, word & mask)
}

fn readable(prim: Prim, word: &str) -> String {
    word_of(prim, word).map_or(word.to_string(), |scalar| scalar.to_string())
}

fn same(prim: Prim, found: &str, wanted: &str) -> bool {
    let Some(found) = word_of(prim, found) else { return false };
    let wanted = scalar(prim, wanted);
    let number = |scalar: Scalar| match scalar {
        Scalar::F16(x) => Some((x.to_f64(), 1e-3)),
        Scalar::F32(x) => Some((x as f64, 1e-5)),
        Scalar::F64(x) => Some((x, 1e-8)),
        _ => None,
    };
    match (number(found), number(wanted)) {
        (Some((x, close)), Some((y, _))) => {
            x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= close * y.abs().max(1.0)
        }
        _ => found == wanted,
    }
}
