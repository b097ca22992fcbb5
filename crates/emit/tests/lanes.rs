//! Vectors in memory and their lanes, for all types and numbers of lanes: loads and stores under masks, at places, lanes one by
//! one and combined.

use crate::driver::{self, Job, bytes};
use norn_base::{FileId, Span};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{BinOp, Elem, Exp, Fun, Prim, Prog, Scalar, Stmt, Type, Var};
use norn_ir::scalar::eval::bin_op;

/// The operators that lanes are combined by.
fn combined(prim: Prim) -> Vec<BinOp> {
    match prim {
        Prim::Bool => vec![BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq],
        _ if prim.is_float() => vec![BinOp::Add, BinOp::Mul, BinOp::Min, BinOp::Max],
        _ => vec![
            BinOp::Add,
            BinOp::Mul,
            BinOp::Min,
            BinOp::Max,
            BinOp::And,
            BinOp::Or,
            BinOp::Xor,
            BinOp::Sub,
        ],
    }
}

/// Reads elements, a mask and places; writes groups of lanes, one for each thing that can be done with them.
fn function(prim: Prim, lanes: u16) -> Fun {
    let n = lanes as i64;
    let elem = Elem::Prim(prim);
    let mut b = CodeBuilder::new();
    let params: Vec<Var> =
        ["xs", "mask", "at", "out"].iter().map(|name| b.new_var(*name, Type::ptr(Prim::U8))).collect();
    let count = b.new_i64("n");
    let xs = b.bind("elements", Exp::cast(elem, params[0]));
    let out = b.bind("results", Exp::cast(elem, params[3]));
    let mask = Exp::load_lanes(Prim::Bool, lanes, Exp::cast(Elem::Prim(Prim::Bool), params[1]), 0, None);
    let mask = b.bind("m", mask);
    let at = Exp::load_lanes(Prim::I64, lanes, Exp::cast(Elem::Prim(Prim::I64), params[2]), 0, None);
    let at = b.bind("at", at);
    // Converted there and back, these are known to be places of 32 bits.
    let narrow = Exp::from(at).convert(Prim::I64, Prim::I32);
    let narrow = b.bind("narrow", narrow);
    let narrow = || Exp::from(narrow).convert(Prim::I32, Prim::I64);
    let whole = b.bind("whole", Exp::load_lanes(prim, lanes, xs, 0, None));
    let first = Exp::splat(lanes, Exp::load(elem, xs, 0));
    let masked = |value: Exp| Exp::select(mask, value, first.clone());

    let mut group = 0;
    let mut place = || {
        group += 1;
        (group - 1) * n
    };
    let store = |b: &mut CodeBuilder, index: i64, value: Exp, mask: Option<Exp>| {
        b.push(Stmt::StoreLanes { prim, ptr: out.into(), index: index.into(), value, mask });
    };
    store(&mut b, place(), masked(Exp::load_lanes(prim, lanes, xs, 0, Some(mask.into()))), None);
    store(&mut b, place(), whole.into(), Some(mask.into()));
    store(&mut b, place(), masked(Exp::gather(prim, xs, at, Some(mask.into()))), None);
    store(&mut b, place(), Exp::gather(prim, xs, at, None), None);
    store(&mut b, place(), Exp::gather(prim, xs, narrow(), None), None);
    store(&mut b, place(), masked(Exp::gather(prim, xs, narrow(), Some(mask.into()))), None);
    for (index, mask) in [
        (Exp::from(at), Some(mask.into())),
        (at.into(), None),
        (narrow(), Some(mask.into())),
        (narrow(), None),
    ] {
        let ptr = Exp::offset(elem, out, place());
        b.push(Stmt::Scatter { prim, ptr, index, value: whole.into(), mask });
    }
    let last = place();
    b.store(elem, out, last, Exp::lane(whole, n - 1));
    b.store(elem, out, last + 1, Exp::lane(whole, Exp::from(count).sub(count)));
    for (i, op) in combined(prim).into_iter().enumerate() {
        b.store(elem, out, last + 2 + i as i64, Exp::combine(op, prim, whole));
    }
    let mut all = params;
    all.push(count);
    b.finish_fun(format!("{prim}x{lanes}"), all, Vec::new(), false, Span::new(FileId(0), 0, 0))
}

/// What the function should write.
fn expected(prim: Prim, xs: &[u64], mask: &[u64], at: &[u64]) -> Vec<u64> {
    let n = xs.len();
    let holds = |l: usize| mask[l] != 0;
    let masked = |value: &dyn Fn(usize) -> u64| -> Vec<u64> {
        (0..n).map(|l| if holds(l) { value(l) } else { xs[0] }).collect()
    };
    let gathered = |l: usize| xs[at[l] as usize];
    let mut out = masked(&|l| xs[l]);
    out.extend((0..n).map(|l| if holds(l) { xs[l] } else { 0 }));
    out.extend(masked(&gathered));
    out.extend((0..n).map(gathered));
    out.extend((0..n).map(gathered));
    out.extend(masked(&gathered));
    for by_mask in [true, false, true, false] {
        let mut group = vec![0; n];
        for l in (0..n).filter(|l| !by_mask || holds(*l)) {
            group[at[l] as usize] = xs[l];
        }
        out.extend(group);
    }
    out.extend([xs[n - 1], xs[0]]);
    for op in combined(prim) {
        let f = bin_op(op, prim).expect("the operator");
        let mut lanes = xs.to_vec();
        while lanes.len() > 1 {
            lanes = lanes.chunks(2).map(|pair| f(pair[0], pair[1])).collect();
        }
        out.push(lanes[0]);
    }
    out
}

#[test]
fn lanes_are_moved_as_they_should() {
    if !driver::has_compiler() {
        return;
    }
    for machine in driver::MACHINES.iter().filter(|machine| driver::runs(machine)) {
        let (sizes, prims): (&[u16], &[Prim]) = match *machine {
            "native" => (&[2, 8, 16, 64], &Prim::ALL),
            _ => (&[4, 32], &[Prim::I8, Prim::U32, Prim::F64, Prim::F16, Prim::Bool]),
        };
        check(sizes, prims, machine);
    }
}

fn check(sizes: &[u16], prims: &[Prim], machine: &str) {
    let mut prog = Prog::default();
    let (mut jobs, mut correct) = (Vec::new(), Vec::new());
    for (lanes, prim) in sizes.iter().flat_map(|lanes| prims.iter().map(move |prim| (*lanes, *prim))) {
        prog.funs.push(function(prim, lanes));
        let n = lanes as i128;
        // Products of ones and twos that are floats; everything else may wrap around.
        let number = |l: i128| if prim.is_float() { (l % 5 == 1) as i128 + 1 } else { 3 * l - 7 };
        let xs: Vec<u64> = (0..n).map(|l| Scalar::from_int(prim, number(l)).bits()).collect();
        let mask: Vec<u64> = (0..n).map(|l| (l % 3 != 1) as u64).collect();
        let at: Vec<u64> = (0..n).map(|l| ((l * 7 + 3) % n / 2) as u64).collect();
        let out = expected(prim, &xs, &mask, &at);
        let columns = [
            bytes(xs.into_iter(), prim),
            bytes(mask.into_iter(), Prim::Bool),
            bytes(at.into_iter(), Prim::I64),
        ];
        jobs.push(Job { columns, out: out.len() * prim.size(), count: lanes as usize });
        correct.push((prim, lanes, bytes(out.into_iter(), prim)));
    }
    let outputs = driver::run_functions(&prog, &jobs, machine, "-O0");
    for ((prim, lanes, right), found) in correct.iter().zip(outputs) {
        assert!(found == *right, "{prim}x{lanes} for {machine}:\n{found:x?}, not\n{right:x?}");
    }
}
