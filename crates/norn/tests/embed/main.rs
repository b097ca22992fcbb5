//! Norn inside another program: what `norn::Program` promises to who embeds it. Each is tried with every backend that is there.

mod cost;
mod ends;
mod memory;
mod sharing;
mod threads;

use norn::engine::{Backend, Options};
use norn::{Context, ContextOptions, Handle, Program, Value};
use norn_runtime::RuntimeError;
use std::num::NonZero;

pub const PROGRAM: &str = "
entry add (x: i32) (y: i32) = x + y
entry scale [n] (k: f32) (xs: [n]f32) = map (* k) xs
entry total [n] (xs: [n]f32) = reduce (+) 0 xs
entry pick [n] (xs: [n]i32) (i: i64) = xs[i]
entry forever (x: i64) = loop y = x while y >= 0 do y * 3 & 0xffff
entry depth (n: i64) : i64 =
  let go = loop (xs, i) = (replicate 10 0i64, 0) while i < n do (map (+ i) xs, i + 1)
  in go.0[3]
entry clear [n] [m] (xs: *[n]f32) (at: [m]i64) : *[n]f32 = scatter xs at (map (\\_ -> 0) at)
entry clear_one [n] (xs: *[n]f32) (i: i64) : *[n]f32 = xs with [i] = 0
entry pair (n: i64) = (iota n, {sum = n, parts = map i32.i64 (iota n)})
entry parts (p: ([]i64, {sum: i64, parts: []i32})) = (length p.0, p.1.sum, p.1.parts[1])
def count (n: i64) : i64 = if n <= 0 then 0 else 1 + count (n - 1)
entry counted (n: i64) = count n
entry shown (x: i32) = #[trace] x
";

/// The program, for each backend that is there.
pub fn programs() -> Vec<Program> {
    let options =
        ContextOptions { threads: NonZero::new(2), memory_limit: Some(1 << 30), ..ContextOptions::default() };
    let context = Context::new(options);
    [Backend::Interp, Backend::Cpu, Backend::OpenCl]
        .into_iter()
        .filter_map(|backend| program(backend, &context))
        .collect()
}

pub fn program(backend: Backend, context: &Context) -> Option<Program> {
    if let Some(api) = backend.api()
        && let Err(error @ RuntimeError::NoDevice { .. }) = context.gpu(api)
    {
        println!("skipped: {error}");
        return None;
    }
    if backend != Backend::Interp
        && let Err(error @ RuntimeError::NoCompiler(_)) = context.cpu(true)
    {
        println!("skipped: {error}");
        return None;
    }
    let options = Options { context: context.clone(), quick: true, observe: true, ..Options::from(backend) };
    Some(Program::from_source("embed.fut", PROGRAM, options).unwrap_or_else(|error| panic!("{error}")))
}

pub fn ints(elements: &[i32]) -> Handle {
    Value::vector(elements.to_vec()).into()
}

pub fn floats(elements: Vec<f32>) -> Handle {
    Value::vector(elements).into()
}

/// What an entry point yields.
pub fn value(program: &Program, entry: &str, args: &[&Handle]) -> Value {
    let called = program.entry(entry).expect("an entry point").call(args);
    called.unwrap_or_else(|error| panic!("{error}")).to_value().unwrap_or_else(|error| panic!("{error}"))
}
