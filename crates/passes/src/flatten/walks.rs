//! Functions that walk: an analysis that returns a table.
//!
//! A function walks if it calls itself, or others of its component, at several places that do not run together, and hands on no array but as it got it. So
//! does one that goes down a tree, to the one child or the other, and looks at some elements in the leaves. Lifted, each place is a call of its own, for the elements that come
//! there: as many calls as elements take different ways, where a thread for each element takes its own way at once. A function that divides an array and calls itself for the
//! parts does not walk: its calls get shorter arrays, of which there are more and more.

use norn_ir::nest::calls::call_groups;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, ControlExp, Exp, Fun, FunId, Prog};

/// Of each function, whether it walks.
pub fn walks(prog: &Prog) -> Vec<bool> {
    let mut found = vec![false; prog.funs.len()];
    for group in call_groups(prog) {
        let mut places = 0;
        let mut keeps_arrays = true;
        for id in &group {
            let fun = &prog.funs[id.0 as usize];
            own_calls(&fun.body, &group, &mut |args| {
                places += 1;
                keeps_arrays &= args.iter().all(|arg| is_as_it_came(fun, *arg));
            });
        }
        if places > group.len() && keeps_arrays {
            group.iter().for_each(|id| found[id.0 as usize] = true);
        }
    }
    found
}

/// Whether an argument is no array, or one that the function got.
fn is_as_it_came(fun: &Fun, arg: Atom) -> bool {
    let Atom::Var(var) = arg else { return true };
    !fun.vars[var.0 as usize].ty.is_array() || fun.params.iter().any(|param| param.var == var)
}

/// The calls of functions of a component.
fn own_calls(body: &Body, group: &[FunId], visit: &mut dyn FnMut(&[Atom])) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, args }) = &stm.exp
            && group.contains(fun)
        {
            visit(args);
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => own_calls(body, group, visit),
            Part::Lambda(lambda) => own_calls(&lambda.body, group, visit),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}
