//! What a run of a program yields, and when two runs yield the same.

use super::panics::caught;
use crate::run::context;
use norn::engine::{Backend, Engine, Options};
use norn::tune::TuneFile;
use norn::{TOLERANCE, compare_all};
use norn_interp::{Cuts, Interp, Value};
use norn_ir::nest::{Prog, Scalar};
use norn_passes::tuning::Tuning;
use std::sync::Arc;

#[derive(Debug)]
pub enum Outcome {
    Values(Vec<Value>),
    /// A check failed.
    Failed(String),
    /// The program is wrong, and the interpreter noticed.
    Broken(String),
}

/// Runs an entry point on each of these inputs.
pub fn outcomes(prog: &Prog, entry: usize, inputs: &[Vec<Value>]) -> Vec<Outcome> {
    outcomes_cut(prog, entry, inputs, Cuts::Whole)
}

/// The same with tasks cut in this way.
pub fn outcomes_cut(prog: &Prog, entry: usize, inputs: &[Vec<Value>], cuts: Cuts) -> Vec<Outcome> {
    let made = caught(|| {
        let mut interp = Interp::new(prog.clone());
        if !cfg!(debug_assertions) {
            interp.check_types(true);
        }
        interp.cut(cuts);
        interp
    });
    let mut interp = match made {
        Ok(interp) => interp,
        Err(said) => return vec![Outcome::Broken(said)],
    };
    let call = |columns: &Vec<Value>| match caught(|| interp.call(entry, columns.clone())) {
        Ok(Ok(values)) => Outcome::Values(values),
        Ok(Err(failure)) if failure.message.contains("nest type violated") => {
            Outcome::Broken(failure.message)
        }
        Ok(Err(failure)) => Outcome::Failed(failure.message),
        Err(said) => Outcome::Broken(said),
    };
    inputs.iter().map(call).collect()
}

/// The same as compiled code, which the C compiler makes better if it is `thorough`, with these tunables on a GPU. The error is what the
/// compiler says that cannot compile the program.
pub fn compiled_outcomes(
    prog: &Prog,
    entry: usize,
    inputs: &[Vec<Value>],
    backend: Backend,
    thorough: bool,
    tuning: Option<Tuning>,
) -> Result<Vec<Outcome>, String> {
    let tune = tuning.map(|tuning| Arc::new(TuneFile::new("tunables", tuning)));
    let options = Options { context: context(), quick: !thorough, tune, ..Options::from(backend) };
    let made = caught(|| Engine::from_nest(prog.clone(), options));
    let engine = made?.map_err(|e| e.to_string())?;
    let call = |columns: &Vec<Value>| match caught(|| engine.call_columns(entry, columns.clone())) {
        Ok(Ok(values)) => Outcome::Values(values),
        Ok(Err(message)) => Outcome::Failed(message),
        Err(said) => Outcome::Broken(said),
    };
    Ok(inputs.iter().map(call).collect())
}

/// Where two lists of outcomes differ, in words. Of several failures any may be reported.
pub fn difference(before: &[Outcome], after: &[Outcome]) -> Option<String> {
    difference_by(before, after, same)
}

/// As `difference`, for programs that may add floats in another order.
pub fn far_difference(before: &[Outcome], after: &[Outcome]) -> Option<String> {
    difference_by(before, after, close)
}

fn difference_by(before: &[Outcome], after: &[Outcome], same: fn(&Value, &Value) -> bool) -> Option<String> {
    if before.len() != after.len() {
        return Some("the program cannot be run any more".into());
    }
    let differs = |(a, b): &(&Outcome, &Outcome)| match (a, b) {
        (Outcome::Values(a), Outcome::Values(b)) => {
            a.len() != b.len() || !a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Outcome::Failed(_), Outcome::Failed(_)) => false,
        (Outcome::Values(_) | Outcome::Failed(_) | Outcome::Broken(_), _) => true,
    };
    let (a, b) = before.iter().zip(after).find(differs)?;
    Some(format!("before: {a:?}\nafter:  {b:?}"))
}

/// The same integers, and floats that differ by their rounding.
pub fn close(a: &Value, b: &Value) -> bool {
    match (a.to_host(), b.to_host()) {
        (Some(a), Some(b)) => compare_all(&[a], &[b], TOLERANCE).is_ok(),
        (Some(_) | None, _) => {
            let count = a.shape().first().copied().unwrap_or(0);
            let row = |i| match (a.index_outer(i), b.index_outer(i)) {
                (Some(a), Some(b)) => close(&a, &b),
                (Some(_) | None, _) => false,
            };
            same(a, b) || a.shape() == b.shape() && count > 0 && (0..count).all(row)
        }
    }
}

/// The same bits, except that all NaN are one.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => a == b || is_nan(*a) && is_nan(*b) && a.prim() == b.prim(),
        (Value::Array(_), Value::Array(_)) => {
            if a == b {
                return true;
            }
            let count = a.shape().first().copied().unwrap_or(0);
            let row = |i| match (a.index_outer(i), b.index_outer(i)) {
                (Some(a), Some(b)) => same(&a, &b),
                (Some(_) | None, _) => false,
            };
            a.shape() == b.shape() && count > 0 && (0..count).all(row)
        }
        (
            Value::Scalar(_)
            | Value::Array(_)
            | Value::Ref(_)
            | Value::Region(_)
            | Value::Acc(_)
            | Value::Cert,
            _,
        ) => a == b,
    }
}

fn is_nan(scalar: Scalar) -> bool {
    scalar.float().is_some_and(f64::is_nan)
}
