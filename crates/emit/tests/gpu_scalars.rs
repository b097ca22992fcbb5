//! Every scalar operator and conversion at every type, on devices, against what crates/ir/src/scalar/eval says.
//!
//! A device's compiler takes longer for many small kernels than for a few large ones. So one kernel has all
//! operators whose operands have the same types, and writes what each gives, 8 bytes apart, one operator after the other.

use crate::cases::{Case, cases, complaint, inputs};
use crate::driver::bytes;
use crate::gpu::{self, Arg};
use norn_base::{FileId, Span};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{Elem, Exp, GroupExp, GroupKernel, Prim, Prog, Type, Var};

/// The cases whose operands have the same types.
fn groups() -> Vec<Vec<Case>> {
    let mut groups: Vec<Vec<Case>> = Vec::new();
    for case in cases(1, &Prim::ALL) {
        let same = |group: &&mut Vec<Case>| {
            let operands = group[0].operands();
            operands == case.operands() && (group.len() < 24)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(case),
            None => groups.push(vec![case]),
        }
    }
    groups
}

fn kernel(number: usize, group: &[Case]) -> GroupKernel {
    let mut b = CodeBuilder::new();
    let operands = group[0].operands();
    let given: Vec<Var> =
        operands.iter().enumerate().map(|(i, prim)| b.new_var(format!("x{i}"), Type::ptr(*prim))).collect();
    let out = b.new_var("out", Type::ptr(Prim::U8));
    let n = b.new_i64("n");
    let i = b.bind("i", Exp::Group(GroupExp::Group).mul(256).add(Exp::Group(GroupExp::Thread)));
    b.open();
    let values: Vec<Var> = operands
        .iter()
        .zip(&given)
        .map(|(prim, ptr)| b.bind("x", Exp::load(Elem::Prim(*prim), *ptr, i)))
        .collect();
    for (k, case) in group.iter().enumerate() {
        let to = case.result().expect("an operator that exists");
        let result = b.bind("result", case.exp(values.iter().map(|value| Exp::from(*value)).collect()));
        let place = Exp::offset(Elem::Prim(Prim::U8), out, Exp::from(n).mul(k as i64).add(i).mul(8));
        b.store(Elem::Prim(to), Exp::cast(Elem::Prim(to), place), 0, result);
    }
    let body = b.close();
    b.when(Exp::from(i).lt(n), body);
    let mut params = given;
    params.extend([out, n]);
    let (vars, body) = b.finish();
    let (name, span) = (format!("group_{number}"), Span::new(FileId(0), 0, 0));
    GroupKernel { name, size: 256, params, arrays: Vec::new(), vars, body, span }
}

fn program(groups: &[Vec<Case>]) -> Prog {
    let group_kernels = groups.iter().enumerate().map(|(i, group)| kernel(i, group)).collect();
    let prog = Prog { group_kernels, ..Prog::default() };
    let violations: Vec<String> = norn_ir::imp::verify::verify(&prog).iter().map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    prog
}

#[test]
fn scalars_compile_for_cuda() {
    gpu::compiles_for_cuda("scalars", &program(&groups()));
}

#[test]
fn scalars_compute_on_devices_what_eval_says() {
    let groups = groups();
    for device in gpu::devices().iter() {
        let loaded = gpu::load(device, &program(&groups));
        let mut wrong = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let rows = inputs(&group[0]);
            let mut args = Vec::new();
            for (column, prim) in group[0].operands().iter().enumerate() {
                args.push(Arg::Array(bytes(rows.iter().map(|row| row[column]), *prim)));
            }
            args.push(Arg::Array(vec![0; 8 * rows.len() * group.len()]));
            args.push(Arg::Scalar(rows.len() as u64));
            let found = gpu::launch(&loaded, number, &args, rows.len().div_ceil(256) as u64);
            let found = found.expect("no failure").pop().expect("what was written");
            for (case, found) in group.iter().zip(found.chunks(8 * rows.len())) {
                for (row, found) in rows.iter().zip(found.chunks(8)) {
                    wrong.extend(complaint(case, row, found));
                }
            }
        }
        let count = wrong.len();
        wrong.truncate(60);
        assert!(wrong.is_empty(), "on {}, {count} are wrong:\n{}", device.describe(), wrong.join("\n"));
    }
}
