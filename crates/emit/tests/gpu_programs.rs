//! The programs in tests/emit/gpu: their group kernels are run on the devices that are there, as their comments say, and compiled
//! for CUDA.
//!
//! - `// launch NAME(5, [1, 2], 3 of 1.5, counting 4) in 2 = [3, 4], _, 3 of 7` launches a kernel with so many groups, and
//!   compares what is in each array afterwards. `3 of 1.5` is an array of equal elements, `counting 4` is `[0, 1, 2, 3]`, and
//!   `counting 4 from 5` is `[5, 6, 7, 8]`.
//! - `// launch NAME(..) in 2 fails #3 (1, 2)`: the site and the operands; or `out of memory`.
//! - `// with cuda no heap for NAME NAME`: threads of these kernels have memory of their own for all that they allocate, and those of the others have not.

use crate::driver;
use crate::driver::values::{elements, parse, same_scalars, scalar, values};
use crate::files::programs;
use crate::gpu::{self, Arg};
use norn_emit::emit_cuda;
use norn_ir::imp::{Elem, GroupKernel, Prim, Prog, Scalar, Type};
use norn_runtime::gpu::Halt;

#[test]
fn group_kernels_compile_for_cuda() {
    for (name, text) in programs("emit/gpu", "imp") {
        gpu::compiles_for_cuda(&name, &parse(&name, &text));
    }
}

#[test]
fn kernels_use_the_heap_as_they_say() {
    for (name, text) in programs("emit/gpu", "imp") {
        let Some(line) = text.lines().find_map(|line| line.strip_prefix("// with cuda no heap for ")) else {
            continue;
        };
        let prog = parse(&name, &text);
        let emitted = emit_cuda(&prog);
        for (kernel, described) in prog.group_kernels.iter().zip(&emitted.kernels) {
            let without = line.split(' ').any(|listed| listed == kernel.name);
            assert_eq!(!described.uses_heap, without, "{name}: {}", kernel.name);
        }
    }
}

#[test]
fn group_kernels_do_as_they_say() {
    for device in gpu::devices().iter() {
        let mut wrong = Vec::new();
        for (name, text) in programs("emit/gpu", "imp") {
            let prog = parse(&name, &text);
            let launches: Vec<Launch> = text.lines().filter_map(|line| Launch::parse(&prog, line)).collect();
            assert!(!launches.is_empty(), "{name} does not say what to launch");
            let loaded = gpu::load(device, &prog);
            for launch in &launches {
                let found = gpu::launch(&loaded, launch.number, &launch.args, launch.groups);
                if let Err(found) = launch.compare(found) {
                    wrong.push(format!("{name} on {}: {}\n  gives {found}", device.describe(), launch.text));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

struct Launch<'a> {
    text: &'a str,
    number: usize,
    /// The types of the arrays that are passed.
    arrays: Vec<Prim>,
    args: Vec<Arg>,
    groups: u64,
    expected: Expected<'a>,
}

enum Expected<'a> {
    /// Each unless it does not matter.
    Arrays(Vec<Option<Vec<Scalar>>>),
    Failure(&'a str),
}

impl<'a> Launch<'a> {
    fn parse(prog: &Prog, line: &'a str) -> Option<Launch<'a>> {
        let text = line.strip_prefix("// launch ")?;
        let parts = text.split_once('(').and_then(|(name, rest)| Some((name, rest.split_once(") in ")?)));
        let (name, (args, rest)) = parts.unwrap_or_else(|| panic!("no launch: {text}"));
        let number = prog.group_kernels.iter().position(|kernel| kernel.name == name);
        let number = number.unwrap_or_else(|| panic!("no group kernel {name}"));
        let kernel = &prog.group_kernels[number];
        let (groups, rest) = rest.split_once(' ').unwrap_or_else(|| panic!("nothing expected: {text}"));
        let (mut arrays, mut passed) = (Vec::new(), Vec::new());
        let args = values(args);
        assert_eq!(args.len(), kernel.params.len(), "arguments in {text}");
        for (arg, ty) in args.into_iter().zip(types(kernel)) {
            match ty {
                Type::Scalar(prim) => passed.push(Arg::Scalar(scalar(prim, arg).bits())),
                Type::Ptr(Elem::Prim(prim)) => {
                    arrays.push(prim);
                    let words = array(prim, arg).into_iter().map(Scalar::bits);
                    passed.push(Arg::Array(driver::bytes(words, prim)));
                }
                Type::Ptr(_)
                | Type::Vector(..)
                | Type::Remote(_)
                | Type::Local(_)
                | Type::Block
                | Type::Region => panic!("arguments that cannot be given in {text}"),
            }
        }
        let expected = match rest.trim().strip_prefix('=') {
            Some(results) => {
                let results = values(results);
                assert_eq!(results.len(), arrays.len(), "arrays in {text}");
                let expected = |(prim, text): (&Prim, &str)| (text != "_").then(|| array(*prim, text));
                Expected::Arrays(arrays.iter().zip(results).map(expected).collect())
            }
            None => Expected::Failure(rest.trim()),
        };
        let groups = groups.parse().unwrap_or_else(|_| panic!("no number of groups: {text}"));
        Some(Launch { text, number, arrays, args: passed, groups, expected })
    }

    fn compare(&self, found: Result<Vec<Vec<u8>>, Halt>) -> Result<(), String> {
        let found = match (found, &self.expected) {
            (Ok(found), _) => found,
            (Err(halt), Expected::Failure(failure)) if show_halt(&halt) == *failure => return Ok(()),
            (Err(halt), _) => return Err(show_halt(&halt)),
        };
        let Expected::Arrays(expected) = &self.expected else { return Err("no failure".to_string()) };
        for ((prim, expected), found) in self.arrays.iter().zip(expected).zip(found) {
            let Some(expected) = expected else { continue };
            let found: Vec<Scalar> = found.chunks(prim.size()).map(|bytes| of_bytes(*prim, bytes)).collect();
            let place =
                expected.iter().zip(&found).position(|(expected, found)| !same_scalars(*found, *expected));
            if let Some(place) = place {
                let around: Vec<String> =
                    found.iter().skip(place).take(16).map(|found| found.to_string()).collect();
                return Err(format!("{} from {place} on", around.join(", ")));
            }
        }
        Ok(())
    }
}

fn types(kernel: &GroupKernel) -> impl Iterator<Item = Type> {
    kernel.params.iter().map(|param| kernel.vars[param.0 as usize].ty)
}

fn array(prim: Prim, text: &str) -> Vec<Scalar> {
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{text} is no number"));
    if let Some(counting) = text.strip_prefix("counting ") {
        let (count, from) = counting.split_once(" from ").unwrap_or((counting, "0"));
        let from = number(from);
        return (from..from + number(count)).map(|i| Scalar::from_int(prim, i as i128)).collect();
    }
    match text.split_once(" of ") {
        Some((count, element)) => vec![scalar(prim, element); number(count)],
        None => elements(text).into_iter().map(|element| scalar(prim, element)).collect(),
    }
}

fn of_bytes(prim: Prim, bytes: &[u8]) -> Scalar {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    Scalar::from_bits(prim, u64::from_le_bytes(word)).unwrap_or(Scalar::zero(prim))
}

fn show_halt(halt: &Halt) -> String {
    match halt {
        Halt::Check { site, operands } => {
            let operands: Vec<String> = operands.iter().map(|word| (*word as i64).to_string()).collect();
            format!("fails #{site} ({})", operands.join(", "))
        }
        Halt::NoMemory { .. } => "out of memory".to_string(),
        Halt::Trouble(trouble) => format!("trouble: {}", trouble.message),
    }
}
