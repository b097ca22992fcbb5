//! Kernels and the other expressions as text.

use crate::flat::{Extent, How, Into, Kernel, Operator, Order, Out, SpaceDim};
use crate::skeleton::Atom;
use crate::skeleton::print::Printer;

pub fn print(op: &Operator, printer: &mut Printer) {
    match op {
        Operator::Kernel(kernel) => print_kernel(kernel, printer),
        Operator::Describe { lengths } => printer.push(&format!("describe {}", printer.var(*lengths))),
        Operator::Rows { array, starts, descriptor } => {
            let (array, starts) = (printer.var(*array), printer.var(*starts));
            printer.push(&format!("rows {array} at {starts} by {}", printer.var(*descriptor)));
        }
        Operator::Read(scalars) => printer.push(&format!("read {}", printer.atoms(scalars))),
        Operator::CopyTo { array, side } => {
            printer.push(&format!("copy {} to {}", printer.var(*array), side.name()));
        }
        Operator::Choose { cases, otherwise } => {
            printer.push("choose { ");
            for (cond, body) in cases {
                printer.push(&format!("{} -> ", printer.atom(*cond)));
                printer.body(body);
                printer.push(", ");
            }
            printer.push("else ");
            printer.body(otherwise);
            printer.push(" }");
        }
        Operator::Fact { fact, descriptor } => {
            printer.push(&format!("{} {}", fact.name(), printer.var(*descriptor)));
        }
        Operator::Owner { descriptor, element } => {
            printer.push(&format!("owner {} {}", printer.var(*descriptor), printer.atom(*element)));
        }
        Operator::Offset { descriptor, row } => {
            printer.push(&format!("offset {} {}", printer.var(*descriptor), printer.atom(*row)));
        }
    }
}

fn print_kernel(kernel: &Kernel, printer: &mut Printer) {
    let dims = |dims: &[SpaceDim]| {
        let dims: Vec<String> = dims.iter().map(|dim| space_dim(dim, printer)).collect();
        dims.join(", ")
    };
    let space = format!("{} | {}", dims(&kernel.points), dims(&kernel.through));
    printer.push(&format!("{} ({}) ", kernel.level.name(), space.trim()));
    if let Some(when) = kernel.when {
        printer.push(&format!("when {} ", printer.atom(when)));
    }
    printer.body(&kernel.body);
    let mut results = &kernel.body.result[..];
    for out in &kernel.outs {
        // A broken kernel has too few results, and is printed nevertheless.
        let (taken, rest) = results.split_at(out.takes().min(results.len()));
        results = rest;
        print_out(out, taken, printer);
    }
    if let Some(How { line, args }) = &kernel.how {
        let args: Vec<String> =
            args.iter().map(|(tunable, value)| format!("{}: {value}", tunable.name())).collect();
        printer.push(&format!(" how {}({})", line.name(), args.join(", ")));
    }
}

fn space_dim(dim: &SpaceDim, printer: &Printer) -> String {
    match dim.extent {
        Extent::Size(size) => format!("{} < {}", printer.var(dim.var), printer.atom(size)),
        Extent::Row(descriptor) => format!("{} in {}", printer.var(dim.var), printer.var(descriptor)),
    }
}

fn print_out(out: &Out, taken: &[Atom], printer: &mut Printer) {
    let split = |at: usize| taken.split_at(at.min(taken.len()));
    match out {
        Out::Map { values: _, into } => {
            printer.push(&format!(" map {}", printer.atoms(taken)));
            if !into.is_empty() {
                print_into(into, printer);
            }
        }
        Out::Reduce { op, after } => {
            printer.push(" reduce");
            printer.reduction(op);
            printer.push(&format!(" {}", printer.atoms(taken)));
            if let Some(after) = after {
                printer.push(" after ");
                printer.lambda(after);
            }
        }
        Out::Scan { op, after } => {
            let (scanned, further) = split(op.neutral.len());
            printer.push(" scan");
            printer.reduction(op);
            printer.push(&format!(" {}", printer.atoms(scanned)));
            if let Some(after) = after {
                printer.push(&format!(" after {} ", printer.atoms(further)));
                printer.lambda(&after.lambda);
            }
        }
        Out::Filter { values: _ } | Out::Partition { values: _ } => {
            let name = if matches!(out, Out::Filter { .. }) { "filter" } else { "partition" };
            let (cond, values) = split(1);
            let cond: String = cond.iter().map(|cond| printer.atom(*cond)).collect();
            printer.push(&format!(" {name} {cond} {}", printer.atoms(values)));
        }
        Out::Sort { order, values: _ } => {
            match order {
                Order::Key => printer.push(" sort key"),
                Order::By(lambda) => {
                    printer.push(" sort by ");
                    printer.lambda(lambda);
                }
            }
            printer.push(&format!(" {}", printer.atoms(taken)));
        }
        Out::Scatter { indices, into } => {
            let (indices, values) = split(*indices);
            printer.push(&format!(" scatter {} {}", printer.atoms(indices), printer.atoms(values)));
            print_into(into, printer);
        }
        Out::Hist { op, indices, into } => {
            let (indices, values) = split(*indices);
            printer.push(" hist");
            printer.reduction(op);
            printer.push(&format!(" {} {}", printer.atoms(indices), printer.atoms(values)));
            print_into(into, printer);
        }
        Out::Acc { var, op, into } => {
            printer.push(&format!(" acc {}", printer.binder(*var)));
            if let Some(op) = op {
                printer.reduction(op);
            }
            printer.push(&format!(" {} into {}", printer.atoms(taken), printer.var_list(into)));
        }
    }
}

fn print_into(into: &[Into], printer: &mut Printer) {
    let destination = |into: &Into| {
        let part =
            if into.part.is_empty() { String::new() } else { format!(" {}", printer.slice(&into.part)) };
        printer.var(into.array) + &part
    };
    let into: Vec<String> = into.iter().map(destination).collect();
    printer.push(&format!(" into ({})", into.join(", ")));
}
