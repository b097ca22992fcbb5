//! The parameters that no call within a component changes: all of them hand on what they were given.
//!
//! ```text
//! fun search (n, xs, x, lo, hi)  calls  search(n, xs, x, m + 1, hi)  and  search(n, xs, x, lo, m)      n, xs and x are fixed
//! fun add (x, i)  calls  sub(i, x);   fun sub (i, x)  calls  add(x, i - 1)                             x is fixed, and one variable for both
//! ```
//!
//! Parameters that are handed to each other are a class. A class varies if something else is handed to one of them, or if a function has two of them.

use crate::classes::Classes;
use norn_ir::imp::walk::{assigned, for_each_stmt};
use norn_ir::imp::{Exp, Fun, FunId, Stmt, Var};

/// For each member of the component and each of its parameters: the number of its class, if that is fixed.
pub fn fixed(funs: &[&Fun], member: &dyn Fn(FunId) -> Option<usize>) -> Vec<Vec<Option<usize>>> {
    let mut first = Vec::with_capacity(funs.len());
    let mut count = 0;
    for fun in funs {
        first.push(count);
        count += fun.params.len();
    }
    let mut classes = Classes::new(count);
    let mut varies = vec![false; count];
    for (caller, fun) in funs.iter().enumerate() {
        let changed = assigned(&fun.body);
        let param_at = |var: &Var| fun.params.iter().position(|param| param == var && !changed.contains(var));
        for_each_stmt(&fun.body, &mut |stmt| {
            let Stmt::Call { fun: callee, args, .. } = stmt else { return };
            let Some(callee) = member(*callee) else { return };
            for (i, arg) in args.iter().enumerate() {
                match arg {
                    Exp::Var(var) if param_at(var).is_some() => {
                        let from = param_at(var).map_or(0, |at| first[caller] + at);
                        classes.join(from as u32, (first[callee] + i) as u32);
                    }
                    _ => varies[first[callee] + i] = true,
                }
            }
        });
    }
    let class = |node: usize| classes.of(node as u32) as usize;
    let mut is_fixed = vec![true; count];
    for node in (0..count).filter(|node| varies[*node]) {
        is_fixed[class(node)] = false;
    }
    for (fun, first) in funs.iter().zip(&first) {
        let mut roots: Vec<usize> = (0..fun.params.len()).map(|i| class(first + i)).collect();
        roots.sort_unstable();
        for pair in roots.windows(2).filter(|pair| pair[0] == pair[1]) {
            is_fixed[pair[0]] = false;
        }
    }
    let fixed_class = |node: usize| Some(class(node)).filter(|root| is_fixed[*root]);
    let of_fun =
        |(fun, first): (&&Fun, &usize)| (0..fun.params.len()).map(|i| fixed_class(first + i)).collect();
    funs.iter().zip(&first).map(of_fun).collect()
}
