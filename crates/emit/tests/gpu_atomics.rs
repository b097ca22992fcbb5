//! Elements of all types, changed at once by all operators that there are, in memory and in arrays of the group: what comes out
//! is what crates/ir/src/scalar/eval says. One thread does it all; that many threads do not disturb each other is shown by
//! tests/emit/gpu/atomics.imp.

use crate::cases::{Case, Op, complaint};
use crate::driver::bytes;
use crate::gpu::{self, Arg};
use norn_base::{FileId, Span};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{
    BinOp, Elem, Exp, GroupArray, GroupKernel, GroupStmt, Prim, Prog, Scalar, Stmt, Type, Var,
};

fn changes(prim: Prim) -> Vec<BinOp> {
    let fits = |op: &BinOp| op.result(prim) == Some(prim) && op.second(prim) == prim;
    BinOp::ALL.into_iter().filter(fits).collect()
}

/// The element, and what it is combined with.
fn operands(prim: Prim) -> [Scalar; 2] {
    [13, 5].map(|x| Scalar::from_int(prim, x))
}

/// For each operator, at first in memory and then in an array: what the element becomes, and what it was. Then the same for a swap of equal
/// elements, for one of different elements, and for a publication, whose first result is what is acquired.
fn kernel(prim: Prim) -> GroupKernel {
    let mut b = CodeBuilder::new();
    let elem = Elem::Prim(prim);
    let xs = b.new_var("xs", Type::Ptr(elem));
    let out = b.new_var("out", Type::Ptr(elem));
    // An element that is not at the start of a word.
    let here = b.new_var("here", Type::Local(elem));
    let [x, y] = operands(prim);
    let mut next = 0;
    for ptr in [xs, here] {
        let (ptr, index) = (Exp::from(ptr), Exp::from(1));
        let mut one = |b: &mut CodeBuilder, stmt: &dyn Fn(Exp, Exp, Var) -> GroupStmt| {
            let old = b.new_var("old", Type::Scalar(prim));
            b.store(elem, ptr.clone(), index.clone(), x);
            b.push(Stmt::Group(stmt(ptr.clone(), index.clone(), old)));
            b.store(elem, out, next, Exp::load(elem, ptr.clone(), index.clone()));
            b.store(elem, out, next + 1, old);
            next += 2;
        };
        for op in changes(prim) {
            one(&mut b, &|ptr, index, old| {
                let value = y.into();
                GroupStmt::Atomic { op, prim, ptr, index, value, old: Some(old) }
            });
        }
        for expected in [x, y] {
            one(&mut b, &|ptr, index, old| {
                let (expected, value) = (expected.into(), y.into());
                GroupStmt::CompareAndSwap { prim, ptr, index, expected, value, old }
            });
        }
        let value = y.into();
        b.push(Stmt::Group(GroupStmt::Publish { prim, ptr: ptr.clone(), index: index.clone(), value }));
        let seen = b.new_var("seen", Type::Scalar(prim));
        b.push(Stmt::Group(GroupStmt::Peek { var: seen, prim, ptr: ptr.clone(), index: index.clone() }));
        let var = b.new_var("acquired", Type::Scalar(prim));
        b.push(Stmt::Group(GroupStmt::Acquire { var, prim, ptr: ptr.clone(), index: index.clone() }));
        b.store(elem, out, next, var);
        b.store(elem, out, next + 1, seen);
        next += 2;
    }
    let (vars, body) = b.finish();
    let arrays = vec![GroupArray { var: here, count: 3, shared: true }];
    let span = Span::new(FileId(0), 0, 0);
    GroupKernel { name: prim.to_string(), size: 1, params: vec![xs, out], arrays, vars, body, span }
}

fn program() -> Prog {
    let prog =
        Prog { group_kernels: Prim::ALL.iter().map(|prim| kernel(*prim)).collect(), ..Prog::default() };
    let violations: Vec<String> = norn_ir::imp::verify::verify(&prog).iter().map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    prog
}

#[test]
fn atomic_operations_compile_for_cuda() {
    gpu::compiles_for_cuda("atomic operations", &program());
}

#[test]
fn atomic_operations_give_what_eval_says() {
    for device in gpu::devices().iter() {
        let loaded = gpu::load(device, &program());
        let mut wrong = Vec::new();
        for (number, prim) in Prim::ALL.into_iter().enumerate() {
            let ops = changes(prim);
            let count = 2 * 2 * (ops.len() + 3);
            let args = [4, count].map(|count| Arg::Array(vec![0; count * prim.size()]));
            let found = gpu::launch(&loaded, number, &args, 1).expect("no failure").pop();
            let found = found.expect("what was written");
            let found: Vec<&[u8]> = found.chunks(prim.size()).collect();
            let [x, y] = operands(prim).map(|scalar| bytes([scalar.bits()].into_iter(), prim));
            for (space, found) in ["memory", "an array"].into_iter().zip(found.chunks(count / 2)) {
                for (i, op) in ops.iter().enumerate() {
                    let case = Case { op: Op::Bin(*op), prim, lanes: 1 };
                    let row = operands(prim).map(Scalar::bits);
                    wrong.extend(complaint(&case, &row, found[2 * i]).map(|text| format!("{space}: {text}")));
                    if found[2 * i + 1] != x {
                        wrong.push(format!("{space}: {op:?} of {prim} was {:x?}", found[2 * i + 1]));
                    }
                }
                let expected = [[&y, &x], [&x, &x], [&y, &y]].concat();
                if found[2 * ops.len()..] != expected {
                    wrong.push(format!("{space}: swaps of {prim} give {:x?}", &found[2 * ops.len()..]));
                }
            }
        }
        assert!(wrong.is_empty(), "on {}:\n{}", device.describe(), wrong.join("\n"));
    }
}
