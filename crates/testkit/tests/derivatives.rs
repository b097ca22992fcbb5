//! Whatever a program of the repository does can be differentiated, or is refused: the derivatives of all entry points, first and second ones, obey the rules of nest, and both
//! directions agree.

use norn::pipeline::{DIFFERENTIATE, compile_until};
use norn::{FsLoader, with_large_stack};
use norn_base::Span;
use norn_differentiate::differentiate;
use norn_interp::{Interp, Value};
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::derivative::{Derivative, Derivatives, Mode, Numbers};
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::verify::{Stage, verify};
use norn_ir::nest::{
    Atom, BinOp, Body, Column, Dim, Elem, Exp, Fun, FunId, Iface, IfaceId, IfaceShape, Lambda, Param, Prim,
    Prog, Reduction, Ret, Scalar, Type, UnOp, Var,
};
use norn_testkit::agree::inputs::{Scale, arguments};
use norn_testkit::corpus::{RepoFile, files};
use norn_testkit::program::check_text;
use norn_testkit::rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

#[test]
fn derivatives_of_all_programs_obey_the_rules() {
    let mut wrong = Vec::new();
    let (mut derived, mut refused) = (0, 0);
    with_large_stack("derivatives", || {
        for folder in ["tests/lang", "bench/programs", "examples"] {
            for file in files(folder, "fut") {
                for Asked { what, mut prog, asked } in derivatives_of(&file) {
                    let asked = Derivatives { asked, customs: Vec::new() };
                    let done = catch_unwind(AssertUnwindSafe(|| differentiate(&mut prog, asked)));
                    match done {
                        Err(_) => wrong.push(format!("{what}: it panics")),
                        Ok(Err(_)) => refused += 1,
                        Ok(Ok(())) => {
                            derived += 1;
                            let found = verify(&prog, Stage::BeforeRegions);
                            wrong.extend(found.first().map(|v| format!("{what}: {v}")));
                        }
                    }
                }
            }
        }
    });
    assert!(
        wrong.is_empty(),
        "{derived} derived, {refused} refused, {} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(derived > refused, "{derived} derived, {refused} refused");
}

/// A program with functions that are to be derivatives.
struct Asked {
    what: String,
    prog: Prog,
    asked: Vec<Derivative>,
}

/// For each entry point with floats among its parameters its derivatives, and those of its derivatives.
fn derivatives_of(file: &RepoFile) -> Vec<Asked> {
    let Ok(text) = file.read() else { return Vec::new() };
    let path = norn_testkit::root().join(&file.name);
    let report = check_text(&path.display().to_string(), &text, &mut FsLoader);
    if report.diagnostics.has_errors() {
        return Vec::new();
    }
    let Ok(prog) = compile_until(&report.program, &DIFFERENTIATE) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in &prog.entries {
        let of = &prog.funs[entry.fun.0 as usize];
        let is_of_floats = |at: &usize| Numbers::Floats.include(&of.vars[of.params[*at].var.0 as usize].ty);
        let active: Vec<usize> = (0..of.params.len()).filter(is_of_floats).collect();
        if active.is_empty() {
            continue;
        }
        for modes in MODES {
            let mut prog = prog.clone();
            let mut asked = Vec::new();
            let mut last = entry.fun;
            for mode in *modes {
                let fun = FunId(prog.funs.len() as u32);
                prog.funs.push(Fun { body: Body::default(), ..of.clone() });
                let (mode, numbers, active) = (*mode, Numbers::Floats, active.clone());
                asked.push(Derivative { fun, of: last, mode, numbers, active });
                last = fun;
            }
            found.push(Asked { what: format!("{}: {}, {modes:?}", file.name, entry.name), prog, asked });
        }
    }
    found
}

/// The first derivatives, and the second ones with respect to the same parameters.
const MODES: &[&[Mode]] = &[
    &[Mode::Forward],
    &[Mode::Reverse],
    &[Mode::Forward, Mode::Reverse],
    &[Mode::Reverse, Mode::Forward],
    &[Mode::Reverse, Mode::Reverse],
];

/// For weights w of the results and changes t of the arguments, w (J t) is (w J) t: the first from the derivative forwards, the second from that in reverse. Where a
/// program picks, compares or rounds, the two pick the same.
#[test]
fn both_directions_agree() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    with_large_stack("derivatives", || {
        for file in files("tests/lang", "fut") {
            for Asked { what, prog, asked } in derivatives_of(&file) {
                if asked.len() == 1 && asked[0].mode == Mode::Forward && prog.datas.is_empty() {
                    let done = catch_unwind(AssertUnwindSafe(|| disagreement(prog, &asked[0])));
                    match done {
                        Err(_) => wrong.push(format!("{what}: it panics")),
                        Ok(found) => {
                            compared += found.len();
                            let far = found.iter().find(|distance| **distance > 1e-2);
                            wrong.extend(far.map(|distance| format!("{what}: {distance}")));
                        }
                    }
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{compared} compared, {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 100, "only {compared} compared");
}

/// A program that has expected other arguments may take long.
const LIMIT: Duration = Duration::from_millis(300);

/// How far the two are apart, relative to their size, for some random arguments.
fn disagreement(mut prog: Prog, forward: &Derivative) -> Vec<f64> {
    let of = prog.funs[forward.of.0 as usize].clone();
    let reverse = FunId(prog.funs.len() as u32);
    prog.funs.push(Fun { body: Body::default(), ..of.clone() });
    let other = Derivative { fun: reverse, mode: Mode::Reverse, ..forward.clone() };
    let asked = Derivatives { asked: vec![forward.clone(), other], customs: Vec::new() };
    if differentiate(&mut prog, asked).is_err() {
        return Vec::new();
    }
    let fun = compare(&of, &prog, forward, reverse);
    let id = FunId(prog.funs.len() as u32);
    prog.funs.push(fun);
    let iface = IfaceId(prog.ifaces.len() as u32);
    let columns = vec![Column { elem: Elem::Prim(Prim::F64), irregular: Vec::new() }];
    prog.ifaces.push(Iface { name: "f64".into(), shape: IfaceShape::Scalar(Prim::F64), columns });
    let Some(at) = prog.entries.iter().position(|entry| entry.fun == forward.of) else { return Vec::new() };
    prog.entries[at].fun = id;
    prog.entries[at].result = iface;
    prog.entries[at].result_unique = false;
    normalise(&mut prog);
    let mut found = Vec::new();
    let mut rng = Rng::new(7);
    for scale in [Scale::Exactly(1), Scale::UpTo(3), Scale::UpTo(5)] {
        let Some(arguments) = arguments(&prog, at, scale, &mut rng) else { continue };
        let mut interp = Interp::new(prog.clone());
        interp.memory_limit(1 << 28);
        let cancel = interp.cancel_flag().clone();
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        let watch = std::thread::spawn(move || {
            if is_done.recv_timeout(LIMIT).is_err_and(|error| error == RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let called = interp.call(at, arguments);
        drop(done);
        let _ = watch.join();
        if called.is_err() && scale != Scale::Exactly(1) {
            break;
        }
        if let Ok(result) = called
            && let [Value::Scalar(distance)] = result[..]
            && let Some(distance) = distance.float().filter(|distance| distance.is_finite())
        {
            found.push(distance);
        }
    }
    found
}

/// A function of the same parameters that yields how far the two products are apart.
fn compare(of: &Fun, prog: &Prog, forward: &Derivative, reverse: FunId) -> Fun {
    let mut b = FunBuilder::new();
    for info in &of.vars {
        b.new_var(info.name.clone(), info.ty.clone());
    }
    let span = of.span;
    let params: Vec<Atom> = of.params.iter().map(|param| param.var.into()).collect();
    let changes: Vec<Atom> =
        forward.active.iter().map(|at| moved(&mut b, params[*at], 0.5, 0.3, span)).collect();
    let call = |b: &mut FunBuilder, fun: FunId, args: Vec<Atom>| {
        let callee = &prog.funs[fun.0 as usize];
        let args: Vec<Atom> = args
            .into_iter()
            .zip(&callee.params)
            .map(|(arg, param)| match arg {
                Atom::Var(var) if param.unique && b.ty(var).is_array() => {
                    let ty = b.ty(var).clone();
                    b.emit1("copy", ty, Exp::copy(var), span).into()
                }
                arg => arg,
            })
            .collect();
        let mut vars: Vec<Var> = Vec::new();
        for ret in &callee.ret {
            let mut ty = ret.ty.clone();
            ty.for_each_dim(&mut |dim| match *dim {
                Dim::Result(at) => *dim = Dim::size(vars[at]),
                Dim::Size(Atom::Var(var)) => {
                    let at = callee.params.iter().position(|param| param.var == var);
                    *dim = Dim::Size(at.map_or(Atom::i64(0), |at| args[at]));
                }
                Dim::Size(Atom::Const(_)) | Dim::Irregular => {}
            });
            vars.push(b.new_var("r", ty));
        }
        b.bind(vars.clone(), Exp::call(fun, args), span);
        vars
    };
    let results = Numbers::Floats.results(of);
    let found = call(&mut b, forward.fun, params.iter().chain(&changes).copied().collect());
    let weights: Vec<Atom> =
        results.iter().map(|at| moved(&mut b, found[*at].into(), 0.25, 0.7, span)).collect();
    let sizes = found[..of.returned_sizes()].iter().map(|var| Atom::Var(*var));
    let args: Vec<Atom> = params.iter().copied().chain(sizes).chain(weights.iter().copied()).collect();
    let back = call(&mut b, reverse, args);
    let (mut there, mut size) = (Atom::Const(Scalar::F64(0.0)), Atom::Const(Scalar::F64(1.0)));
    for (weight, change) in weights.iter().zip(&found[of.ret.len()..]) {
        let (sum, all) = product(&mut b, *weight, (*change).into(), span);
        there = b.bin("there", BinOp::Add, Prim::F64, there, sum, span);
        size = b.bin("size", BinOp::Add, Prim::F64, size, all, span);
    }
    for (adjoint, change) in back[of.ret.len()..].iter().zip(&changes) {
        let (sum, all) = product(&mut b, (*adjoint).into(), *change, span);
        there = b.bin("there", BinOp::Sub, Prim::F64, there, sum, span);
        size = b.bin("size", BinOp::Add, Prim::F64, size, all, span);
    }
    let distance = b.un("distance", UnOp::Abs, Prim::F64, there, span);
    let distance = b.bin("distance", BinOp::Div, Prim::F64, distance, size, span);
    let ret = vec![Ret::plain(Type::scalar(Prim::F64))];
    let params = of.params.iter().map(|param| Param::plain(param.var)).collect();
    b.finish("compare", params, ret, vec![distance], span)
}

/// `x * factor + sum`, of each element.
fn moved(b: &mut FunBuilder, x: Atom, factor: f64, sum: f64, span: Span) -> Atom {
    let ty = b.atom_ty(x);
    match (x, ty.prim()) {
        (x, Some(prim)) => {
            let number = |value| Atom::Const(Scalar::from_float(prim, value));
            let product = b.bin("product", BinOp::Mul, prim, x, number(factor), span);
            b.bin("moved", BinOp::Add, prim, product, number(sum), span)
        }
        (Atom::Var(array), None) => {
            let (params, rows) = rows(b, &[array]);
            let result = moved(b, rows[0], factor, sum, span);
            let lambda = Lambda::new(params, b.end_body(vec![result]));
            let width = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
            b.emit1("moved", ty, Exp::map(width, vec![array], lambda), span).into()
        }
        (Atom::Const(_), None) => x,
    }
}

/// The sum of the products of elements, and that of their sizes.
fn product(b: &mut FunBuilder, x: Atom, y: Atom, span: Span) -> (Atom, Atom) {
    let ty = b.atom_ty(x);
    if let Some(prim) = ty.prim() {
        let [x, y] = [x, y].map(|atom| b.convert("wide", prim, Prim::F64, atom, span));
        let product = b.bin("product", BinOp::Mul, Prim::F64, x, y, span);
        return (product, b.un("size", UnOp::Abs, Prim::F64, product, span));
    }
    let arrays: Vec<Var> = [x, y].into_iter().filter_map(|atom| atom.var()).collect();
    let (params, rows) = rows(b, &arrays);
    let (sum, size) = product(b, rows[0], rows[1], span);
    let lambda = Lambda::new(params, b.end_body(vec![sum, size]));
    let width = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
    let all = Type::array(Prim::F64, vec![Dim::Size(width)]);
    let lists = b.emit("products", vec![all.clone(), all], Exp::map(width, arrays, lambda), span);
    let zero = Atom::Const(Scalar::F64(0.0));
    let sums = lists.into_iter().map(|list| {
        b.begin_body();
        let [p, q] = ["p", "q"].map(|name| b.new_var(name, Type::scalar(Prim::F64)));
        let both = b.bin("both", BinOp::Add, Prim::F64, p.into(), q.into(), span);
        let lambda = Lambda::new(vec![p, q], b.end_body(vec![both]));
        let op = Reduction { lambda, neutral: vec![zero], commutative: true };
        Atom::Var(b.emit1("sum", Type::scalar(Prim::F64), Exp::reduce(width, op, vec![list]), span))
    });
    let sums: Vec<Atom> = sums.collect();
    (sums[0], sums[1])
}

/// A lambda's parameters for the rows of arrays, with lengths, and the rows. Its body is open.
fn rows(b: &mut FunBuilder, arrays: &[Var]) -> (Vec<Var>, Vec<Atom>) {
    b.begin_body();
    let (mut params, mut found) = (Vec::new(), Vec::new());
    for array in arrays {
        let ty = b.ty(*array).clone();
        let mut dims = ty.dims()[1..].to_vec();
        if ty.has_irregular_rows() {
            let length = b.new_var("length", Type::i64());
            dims[0] = Dim::size(length);
            params.push(length);
        }
        let row = b.new_var("row", ty.with_dims(dims));
        params.push(row);
        found.push(Atom::Var(row));
    }
    (params, found)
}
