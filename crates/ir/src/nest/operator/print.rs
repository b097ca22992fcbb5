//! Operators as text.

use crate::nest::task::Join;
use crate::nest::{Atom, Lambda, Operator, StreamForm, Task, Var};
use crate::skeleton::print::Printer;

pub fn print(op: &Operator, printer: &mut Printer) {
    match op {
        Operator::Map { width, inputs, lambda } => operator(printer, "map", *width, inputs, lambda),
        Operator::Filter { width, inputs, lambda } => operator(printer, "filter", *width, inputs, lambda),
        Operator::Partition { width, inputs, lambda } => {
            operator(printer, "partition", *width, inputs, lambda)
        }
        Operator::Sort { width, keys, yields } => {
            let (width, keys) = (printer.atom(*width), printer.var(*keys));
            printer.push(&format!("sort {width} {keys} {}", yields.name()));
        }
        Operator::Reduce { width, inputs, op } => {
            printer.over("reduce", *width, inputs);
            printer.reduction(op);
        }
        Operator::Scan { width, inputs, op } => {
            printer.over("scan", *width, inputs);
            printer.reduction(op);
        }
        Operator::Fused { width, inputs, lambda, scans, reductions } => {
            operator(printer, "fused", *width, inputs, lambda);
            for op in scans {
                printer.push(" scan");
                printer.reduction(op);
            }
            for op in reductions {
                printer.push(" reduce");
                printer.reduction(op);
            }
        }
        Operator::Scatter { width, dests, inputs, lambda } => {
            printer.over("scatter", *width, dests);
            printer.push(&format!(" from {} ", printer.var_list(inputs)));
            printer.lambda(lambda);
        }
        Operator::Hist { width, dests, inputs, lambda, op } => {
            printer.over("hist", *width, dests);
            printer.push(&format!(" from {} ", printer.var_list(inputs)));
            printer.lambda(lambda);
            printer.push(" reduce");
            printer.reduction(op);
        }
        Operator::Stream { width, inputs, form, lambda } => {
            printer.over("stream", *width, inputs);
            stream_form(printer, form);
            printer.push(" ");
            printer.lambda(lambda);
        }
        Operator::AccStream { width, dests, inputs, op, lambda } => {
            printer.over("acc_stream", *width, dests);
            printer.push(&format!(" from {}", printer.var_list(inputs)));
            if let Some(op) = op {
                printer.reduction(op);
            }
            printer.push(" do ");
            printer.lambda(lambda);
        }
        Operator::Task(given) => task(printer, given),
    }
}

fn task(printer: &mut Printer, task: &Task) {
    printer.over("task", task.width, &task.inputs);
    for window in &task.windows {
        printer.push(&format!(" window {} ", printer.var_list(&window.arrays)));
        printer.lambda(&window.need);
    }
    for carry in &task.carries {
        printer.push(" carry ");
        printer.lambda(&carry.total);
        printer.reduction(&carry.op);
    }
    printer.push(" do ");
    printer.lambda(&task.lambda);
    for join in &task.joins {
        match join {
            Join::Rows => printer.push(" rows"),
            Join::Kept(arrays) => printer.push(&format!(" kept {arrays}")),
            Join::Partial(op) => {
                printer.push(" partial");
                printer.reduction(op);
            }
        }
    }
}

fn operator(printer: &mut Printer, name: &str, width: Atom, inputs: &[Var], lambda: &Lambda) {
    printer.over(name, width, inputs);
    printer.push(" ");
    printer.lambda(lambda);
}

fn stream_form(printer: &mut Printer, form: &StreamForm) {
    let any = |any_order: &bool| if *any_order { " any_order" } else { "" };
    match form {
        StreamForm::Map { any_order } => printer.push(&format!(" map{}", any(any_order))),
        StreamForm::Reduce { any_order, op } => {
            printer.push(&format!(" reduce{} ", any(any_order)));
            printer.lambda(op);
            printer.push(" do");
        }
        StreamForm::Seq { init } => printer.push(&format!(" seq {}", printer.atoms(init))),
    }
}
