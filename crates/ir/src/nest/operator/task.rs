//! The rules of tasks: N4 and N8 for what their lambdas take and yield, and N13. T1 and T2 are checked with grids.

use crate::nest::Type;
use crate::nest::task::{Join, Task, Window};
use crate::skeleton::verify::{Checker, Rule};

pub fn verify(task: &Task, checker: &mut Checker) -> Option<Vec<Type>> {
    checker.placed("`task`");
    checker.size(task.width);
    let mut given = checker.arrays(&task.inputs)?;
    for window in &task.windows {
        given.extend([Type::i64(), Type::i64()]);
        given.extend(checker.arrays(&window.arrays)?);
        need(checker, window);
    }
    let range = [Type::i64(), Type::i64()];
    let mut carried = Vec::new();
    for carry in &task.carries {
        let found = checker.lambda(&carry.total, &[&range, &given[..]].concat(), "the lambda of a carry");
        checker.reduction(&carry.op, &found);
        carried.extend(found);
    }
    let given = [&range, &carried[..], &given].concat();
    let found = checker.lambda(&task.lambda, &given, "the lambda of `task`");
    let joined: usize = task.joins.iter().map(Join::results).sum();
    if joined != found.len() {
        let yields = found.len();
        checker
            .fail(Rule::N8, format!("The lambda of `task` yields {yields} values, but {joined} are joined."));
        return None;
    }
    let mut rest = &found[..];
    for join in &task.joins {
        let (results, after) = rest.split_at(join.results());
        match join {
            Join::Rows => are_arrays(checker, results),
            Join::Kept(_) => {
                checker.yields(&results[..1], &[Type::i64()], "The lambda of `task`");
                are_arrays(checker, &results[1..]);
            }
            Join::Partial(op) => checker.reduction(op, results),
        }
        rest = after;
    }
    Some(found)
}

fn need(checker: &mut Checker, window: &Window) {
    let range = [Type::i64(), Type::i64()];
    let found = checker.lambda(&window.need, &range, "the lambda of a window");
    checker.yields(&found, &range, "The lambda of a window");
}

fn are_arrays(checker: &mut Checker, results: &[Type]) {
    for ty in results.iter().filter(|ty| !ty.is_array()) {
        let ty = checker.show_ty(ty);
        checker.fail(Rule::N8, format!("The lambda of `task` yields {ty} where rows are expected."));
    }
}
