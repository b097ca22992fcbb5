//! vectorise. The programs in tests/passes/vectorise are imp, a line `---`, and what the pass makes of it; BLESS=1 writes the
//! latter. They, and random programs, do the same before and after the pass, on memory with borders (`machine`).

mod machine;
mod random;

use crate::parallel;
use machine::{Machine, Outcome, Value};
use norn_ir::imp::normalise::normalise;
use norn_ir::imp::parse::parse;
use norn_ir::imp::print::print;
use norn_ir::imp::verify::verify;
use norn_ir::imp::{Elem, Kernel, Prim, Prog, Scalar, Type};
use norn_passes::vectorise::{self, vectorise, vectorise_for};
use random::Rng;
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes/vectorise");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.sort();
    paths
}

#[test]
fn programs_become_what_is_written_beneath_them() {
    let verdicts = parallel::map(&programs(), |path| {
        run_file(path).map_err(|mistake| format!("{}: {mistake}", path.display()))
    });
    let mistakes: Vec<String> = verdicts.into_iter().filter_map(Result::err).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

fn run_file(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).expect("a program");
    let (input, expected) = text.split_once("---\n").unwrap_or((&text, ""));
    let before = read(input)?;
    let mut prog = before.clone();
    vectorise(&mut prog);
    normalise(&mut prog);
    let found = print(&prog);
    let after = verify(&prog);
    if !after.is_empty() {
        return Err(format!("breaks rules afterwards: {after:?}\n{found}"));
    }
    if parse(&found).as_ref() != Ok(&prog) {
        return Err(format!("does not come back from its text:\n{found}"));
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        if found != expected {
            std::fs::write(path, format!("{input}---\n{found}")).expect("the program is written");
        }
    } else if found != expected {
        return Err(format!("becomes\n{found}"));
    }
    let largest = if std::env::var_os("NORN_TEST_ALL").is_some() { 131 } else { 83 };
    for size in [0, 1, 7, 16, 37, largest] {
        for (kernel, vectors) in before.kernels.iter().zip(&prog.kernels) {
            same(kernel, vectors, &arguments(kernel, size), size)
                .map_err(|mistake| format!("size {size}: {mistake}"))?;
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<Prog, String> {
    let prog = parse(text).map_err(|error| error.to_string())?;
    let violations = verify(&prog);
    if violations.is_empty() { Ok(prog) } else { Err(format!("breaks rules: {violations:?}")) }
}

/// Whether a kernel does the same before and after the pass.
fn same(before: &Kernel, after: &Kernel, arguments: &[Argument], size: i64) -> Result<(), String> {
    let run = |kernel: &Kernel, from: i64, to: i64| {
        let mut machine = Machine::new();
        let values: Vec<Value> = arguments.iter().map(|argument| argument.place(&mut machine)).collect();
        let outcome = machine.kernel(kernel, 0, from, to, &values)?;
        Ok::<_, String>((outcome, machine.memories))
    };
    let (scalar, expected) = run(before, 0, size)?;
    let (vector, found) = run(after, 0, size)?;
    match (scalar, vector) {
        (Outcome::Done, Outcome::Done) => match machine::difference(&expected, &found) {
            Some(difference) => Err(difference),
            None => Ok(()),
        },
        (Outcome::Failed(..), failed @ Outcome::Failed(..)) => {
            // Any iteration that fails may be the one that is reported.
            let mut some = false;
            for i in 0..size {
                some |= run(before, i, i + 1)?.0 == failed;
            }
            if some { Ok(()) } else { Err(format!("no iteration fails like this: {failed:?}")) }
        }
        (scalar, vector) => Err(format!("it was {scalar:?}, it is {vector:?}")),
    }
}

/// A parameter's value: a scalar, or elements of an array.
enum Argument {
    Scalar(Scalar),
    Elements(Vec<Scalar>),
}

impl Argument {
    fn place(&self, machine: &mut Machine) -> Value {
        match self {
            Argument::Scalar(scalar) => Value::Scalar(*scalar),
            Argument::Elements(elements) => machine.place(elements.clone()),
        }
    }
}

/// Arguments for a program of tests/passes/vectorise. Sizes are all the same, arrays are large enough for matrices of them, and of
/// integers that are below it. What is named offsets grows.
fn arguments(kernel: &Kernel, size: i64) -> Vec<Argument> {
    let mut rng = Rng::new(7);
    let argument = |param: &norn_ir::imp::Var| {
        let info = &kernel.vars[param.0 as usize];
        match info.ty {
            Type::Scalar(prim) if prim.is_int() => Argument::Scalar(Scalar::from_int(prim, size as i128)),
            Type::Scalar(prim) => Argument::Scalar(Scalar::from_float(prim, 0.25)),
            Type::Ptr(Elem::Prim(prim)) if info.name == "offsets" => {
                let mut sum = 0;
                let next = |_| {
                    sum += rng.below(9) as i64;
                    Scalar::from_int(prim, sum as i128)
                };
                Argument::Elements((0..=size).map(next).collect())
            }
            Type::Ptr(Elem::Prim(prim)) => {
                let count = (size * size).max(20 * size);
                Argument::Elements((0..count).map(|_| element(&mut rng, prim, size)).collect())
            }
            other => panic!("a program with a parameter of type {other:?}"),
        }
    };
    kernel.params.iter().map(argument).collect()
}

fn element(rng: &mut Rng, prim: Prim, size: i64) -> Scalar {
    if prim.is_float() {
        Scalar::from_float(prim, rng.below(1000) as f64 / 1000.0 + 0.001)
    } else {
        Scalar::from_int(prim, rng.below(size as usize) as i128)
    }
}

#[test]
fn random_programs_do_the_same() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(400);
    let start = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let seeds: Vec<u64> = (start..start + rounds).collect();
    // Whether a program has vectors afterwards.
    let vectors = parallel::map(&seeds, |&seed| {
        let before = random::program(&mut Rng::new(seed));
        let violations = verify(&before);
        assert!(violations.is_empty(), "seed {seed}: {violations:?}\n{}", print(&before));
        let mut after = before.clone();
        let bytes = [16, 32, 64][seed as usize % 3];
        vectorise_for(&mut after, vectorise::Machine { vector_bytes: bytes, registers: 32 });
        let violations = verify(&after);
        assert!(violations.is_empty(), "seed {seed}: {violations:?}\n{}", print(&after));
        for size in [0, 1, 15, 16, 64, 83] {
            let mut rng = Rng::new(seed);
            let arguments: Vec<Argument> = random::arguments(&mut rng, size)
                .into_iter()
                .map(|elements| match elements {
                    Ok(scalar) => Argument::Scalar(scalar),
                    Err(elements) => Argument::Elements(elements),
                })
                .collect();
            if let Err(mistake) = same(&before.kernels[0], &after.kernels[0], &arguments, size) {
                panic!("seed {seed}, size {size}: {mistake}\n{}\n{}", print(&before), print(&after));
            }
        }
        after != before
    });
    let vectors = vectors.into_iter().filter(|has_vectors| *has_vectors).count();
    assert!(vectors * 2 > rounds as usize, "only {vectors} of {rounds} programs became vectors");
}
