//! Split loops so that indices are clamped only at the ends.
//!
//! ```text
//! for i = 0 to n independent {          for i = 0 to 1 { as before }
//!   w = max.i64 (i - 1) 0               for i = 1 to n independent { w = i - 1; .. p[w] .. }
//!   .. p[w] ..                          for i = n to n { as before }
//! }
//! ```
//!
//! Needs: imp. Gives: imp. Keeps: the order of iterations, and everything they do. In the middle, which is nearly all of it, neighbours
//! in memory are read by neighbouring iterations, so that stencils become vector code without gathers.
//! Refuses: loops with loops inside (only the innermost are worth three copies), and bounds that change in the loop.
//! Method: index-set splitting. `max(u, i + c)` is `i + c` from `i = u - c` on, `min(u, i + c)` up to `i = u - c`.
//! Cost: linear.

use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::walk::{PartMut, assigned};
use norn_ir::imp::{BinOp, Block, Exp, LoopForm, Prim, Prog, Stmt, Var, VarInfo};
use rustc_hash::{FxHashMap, FxHashSet};

pub fn split(prog: &mut Prog) {
    for fun in &mut prog.funs {
        split_code(&mut fun.vars, &mut fun.body);
    }
    for kernel in &mut prog.kernels {
        split_code(&mut kernel.vars, &mut kernel.body);
    }
}

fn split_code(vars: &mut Vec<VarInfo>, body: &mut Block) {
    let mut code = CodeBuilder::with_vars(std::mem::take(vars));
    split_block(&mut code, body);
    (*vars, _) = code.finish();
}

fn split_block(code: &mut CodeBuilder, block: &mut Block) {
    for stmt in std::mem::take(block) {
        match stmt {
            Stmt::For { var, from, to, form: form @ (LoopForm::Independent | LoopForm::Reduce(_)), body }
                if is_innermost(&body) =>
            {
                match clamps(var, &body) {
                    Some(clamps) => split_loop(code, block, var, (from, to), form, body, &clamps),
                    None => block.push(Stmt::For { var, from, to, form, body }),
                }
            }
            mut stmt => {
                stmt.for_each_part_mut(&mut |part| {
                    if let PartMut::Block(inner) = part {
                        split_block(code, inner);
                    }
                });
                block.push(stmt);
            }
        }
    }
}

fn is_innermost(body: &Block) -> bool {
    body.iter().all(|stmt| matches!(stmt, Stmt::Set(..) | Stmt::Store { .. }))
}

/// Statements of a loop that clamp the counter, by their number.
struct Clamps {
    plain: FxHashMap<usize, Exp>,
    /// From these values of the counter on, and up to those below these, nothing is clamped.
    from: Vec<Exp>,
    to: Vec<Exp>,
}

fn clamps(counter: Var, body: &Block) -> Option<Clamps> {
    let changing: FxHashSet<Var> = assigned(body).into_iter().chain([counter]).collect();
    // What variables are, as the counter plus so much.
    let mut distance: FxHashMap<Var, i64> = FxHashMap::from_iter([(counter, 0)]);
    let mut clamps = Clamps { plain: FxHashMap::default(), from: Vec::new(), to: Vec::new() };
    for (at, stmt) in body.iter().enumerate() {
        let Stmt::Set(var, exp) = stmt else { continue };
        if let Some(far) = distance_of(exp, &distance) {
            distance.insert(*var, far);
            continue;
        }
        let Exp::Bin(op @ (BinOp::Max | BinOp::Min), Prim::I64, x, y) = exp else { continue };
        for (bound, moving) in [(x, y), (y, x)] {
            let Some(far) = distance_of(moving, &distance) else { continue };
            let mut fixed = bound.is_atom();
            bound.for_each_var(&mut |var| fixed &= !changing.contains(&var));
            if !fixed {
                continue;
            }
            let meets = (**bound).clone().sub(far);
            if *op == BinOp::Max { clamps.from.push(meets) } else { clamps.to.push(meets.add(1)) }
            clamps.plain.insert(at, (**moving).clone());
            break;
        }
    }
    (!clamps.plain.is_empty()).then_some(clamps)
}

/// How far the value is ahead of the counter, if that is always the same.
fn distance_of(exp: &Exp, distance: &FxHashMap<Var, i64>) -> Option<i64> {
    match exp {
        Exp::Var(var) => distance.get(var).copied(),
        Exp::Bin(BinOp::Add, Prim::I64, x, y) => match (distance_of(x, distance), y.as_i64()) {
            (Some(far), Some(more)) => Some(far.wrapping_add(more)),
            _ => Some(distance_of(y, distance)?.wrapping_add(x.as_i64()?)),
        },
        Exp::Bin(BinOp::Sub, Prim::I64, x, y) => Some(distance_of(x, distance)?.wrapping_sub(y.as_i64()?)),
        _ => None,
    }
}

fn split_loop(
    code: &mut CodeBuilder,
    block: &mut Block,
    var: Var,
    (from, to): (Exp, Exp),
    form: LoopForm,
    body: Block,
    clamps: &Clamps,
) {
    let mut name = |code: &mut CodeBuilder, hint: &str, exp: Exp| {
        if exp.is_atom() {
            return exp;
        }
        let bound = code.new_i64(hint);
        block.push(Stmt::Set(bound, exp));
        bound.into()
    };
    let from = name(code, "from", from);
    let to = name(code, "to", to);
    // The middle may be empty; the three ranges are always one after the other.
    let first = clamps.from.iter().cloned().fold(from.clone(), Exp::max).min(to.clone());
    let first = name(code, "first", first);
    let last = clamps.to.iter().cloned().fold(to.clone(), Exp::min).max(first.clone());
    let last = name(code, "last", last);
    let mut middle = body.clone();
    for (at, plain) in &clamps.plain {
        if let Stmt::Set(_, exp) = &mut middle[*at] {
            *exp = plain.clone();
        }
    }
    let ends = match &form {
        LoopForm::Reduce(_) => form.clone(),
        LoopForm::Independent | LoopForm::Plain => LoopForm::Plain,
    };
    block.push(Stmt::For { var, from, to: first.clone(), form: ends.clone(), body: body.clone() });
    block.push(Stmt::For { var, from: first, to: last.clone(), form, body: middle });
    block.push(Stmt::For { var, from: last, to, form: ends, body });
}
