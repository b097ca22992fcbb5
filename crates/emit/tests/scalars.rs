//! Every scalar operator and conversion at every type, in C against what crates/ir/src/scalar/eval says: on numbers at the edges of
//! types, one by one and as lanes of vectors, for several kinds of machines.

use crate::cases::{Case, Op, cases, complaint, inputs};
use crate::driver::{self, Job, bytes};
use norn_base::{FileId, Span};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{BinOp, Elem, Exp, LoopForm, Prim, Prog, Stmt, TriOp, Type, UnOp, Var};

/// A function that applies the operator to `n` operands out of arrays of bytes.
fn function(number: usize, case: &Case) -> norn_ir::imp::Fun {
    let mut b = CodeBuilder::new();
    let bytes = Type::ptr(Prim::U8);
    let params: Vec<Var> = ["x", "y", "z", "out"].iter().map(|name| b.new_var(*name, bytes)).collect();
    let n = b.new_i64("n");
    let i = b.new_i64("i");
    b.open();
    let index = Exp::from(i).mul(case.lanes as i64);
    let at = |param: Var, prim: Prim| Exp::cast(Elem::Prim(prim), param);
    let args = case
        .operands()
        .iter()
        .zip(&params)
        .map(|(prim, param)| match case.lanes {
            1 => Exp::load(Elem::Prim(*prim), at(*param, *prim), index.clone()),
            lanes => Exp::load_lanes(*prim, lanes, at(*param, *prim), index.clone(), None),
        })
        .collect();
    let to = case.result().expect("an operator that exists");
    let result = b.bind("result", case.exp(args));
    let (ptr, value) = (at(params[3], to), Exp::from(result));
    match case.lanes {
        1 => b.store(Elem::Prim(to), ptr, index, value),
        _ => b.push(Stmt::StoreLanes { prim: to, ptr, index, value, mask: None }),
    }
    let body = b.close();
    let count = Exp::from(n).quot(case.lanes as i64);
    b.for_(i, 0, count, LoopForm::Plain, body);
    let mut all = params;
    all.push(n);
    b.finish_fun(format!("case_{number}"), all, Vec::new(), false, Span::new(FileId(0), 0, 0))
}

/// Emits, compiles and runs all cases, and compares.
fn check(cases: &[Case], machine: &str, optimise: &str) {
    if !driver::has_compiler() || !driver::runs(machine) {
        return;
    }
    let mut prog = Prog::default();
    let (mut jobs, mut expected) = (Vec::new(), Vec::new());
    for (i, case) in cases.iter().enumerate() {
        prog.funs.push(function(i, case));
        let rows = inputs(case);
        let to = case.result().expect("an operator that exists");
        let mut columns = [const { Vec::new() }; 3];
        for (column, prim) in case.operands().iter().enumerate() {
            columns[column] = bytes(rows.iter().map(|row| row[column]), *prim);
        }
        jobs.push(Job { columns, out: rows.len() * to.size(), count: rows.len() });
        expected.push((to, rows));
    }
    let outputs = driver::run_functions(&prog, &jobs, machine, optimise);

    let mut wrong = Vec::new();
    for ((case, (to, rows)), found) in cases.iter().zip(expected).zip(outputs) {
        for (row, found) in rows.iter().zip(found.chunks(to.size())) {
            wrong.extend(complaint(case, row, found));
        }
    }
    let count = wrong.len();
    wrong.truncate(40);
    assert!(wrong.is_empty(), "for {machine}, {count} are wrong:\n{}", wrong.join("\n"));
}

/// How the compiler optimises: like this, or as for users if everything is tested (`NORN_TEST_ALL`).
fn optimised(otherwise: &str) -> &str {
    if std::env::var_os("NORN_TEST_ALL").is_some() { "-O2" } else { otherwise }
}

#[test]
fn scalars_compute_what_eval_says() {
    check(&cases(1, &Prim::ALL), "native", optimised("-O1"));
}

#[test]
fn vectors_of_numbers_compute_what_eval_says() {
    for machine in driver::MACHINES {
        let optimise = if *machine == "native" { "-O1" } else { optimised("-O0") };
        check(&cases(16, &[Prim::I32, Prim::I64, Prim::F32, Prim::F64]), machine, optimise);
    }
}

/// Types and lengths are about which primitive is called, for which a compiler need not optimise.
#[test]
fn vectors_of_all_types_compute_what_eval_says() {
    check(&cases(4, &Prim::ALL), "native", "-O0");
}

#[test]
fn vectors_of_all_lengths_compute_what_eval_says() {
    let ops = |case: &Case| match case.op {
        Op::Un(op) => {
            matches!(op, UnOp::Neg | UnOp::Sqrt | UnOp::Exp | UnOp::Log | UnOp::Sin | UnOp::Not | UnOp::IsNan)
        }
        Op::Bin(op) => {
            matches!(op, BinOp::Add | BinOp::Lt | BinOp::Shl | BinOp::Div | BinOp::Pow | BinOp::And)
        }
        Op::Tri(op) => op == TriOp::Fma,
        Op::Convert(to) => matches!(to, Prim::U8 | Prim::I64 | Prim::F32 | Prim::Bool),
    };
    for machine in driver::MACHINES {
        let lengths: &[u16] = if *machine == "native" { &[2, 8, 64] } else { &[32] };
        let mut all = cases(1, &Prim::ALL);
        all.retain(ops);
        give_turns(&mut all, lengths);
        check(&all, machine, "-O0");
    }
}

/// Gives each case one of the lengths, so that every operator and every type has each of them: the cases of an operator follow each
/// other, in the order of types. Every operator at every type is in the other tests.
fn give_turns(cases: &mut [Case], lengths: &[u16]) {
    let (mut op, mut before) = (0, 0);
    for case in cases {
        let prim = Prim::ALL.iter().position(|prim| *prim == case.prim).expect("one of all types");
        op += usize::from(prim <= before);
        before = prim;
        case.lanes = lengths[(op + prim) % lengths.len()];
    }
}
