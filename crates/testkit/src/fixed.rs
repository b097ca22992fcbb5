//! Which parts of a result the language fixes, so that compiled code has to yield them.
//!
//! The interpreter runs a call again with what the language leaves open decided at random (`Interp::use_freedom`): rounding, the order of
//! combination, the winner among writes to one place. A column that comes out different says nothing about compiled code.
//! So the searches need no list of programs whose rounding errors grow, whose operators are not associative or whose scatters write
//! twice: all that a program computes besides is still compared, integers and shapes exactly. This takes several times as long as
//! the call itself, so it is asked only where compiled code differs.

use norn::TOLERANCE;
use norn_interp::{Interp, Value};
use norn_ir::nest::Prog;

/// How often a call is run again.
const RUNS: u64 = 40;
/// Rounding that gets this far in a few runs may get as far as is allowed in compiled code.
const STEADY: f64 = TOLERANCE / 10.0;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// Not even whether the call fails.
    Nothing,
    /// Whether it fails, and the columns of the result for which this is true.
    Columns(Vec<bool>),
}

impl Fixed {
    /// Of the result of this call, which is `None` if the call fails.
    pub fn of(prog: &Prog, entry: usize, args: &[Value], expected: Option<&[Value]>) -> Fixed {
        let mut columns = vec![true; expected.map_or(0, <[Value]>::len)];
        let mut interp = Interp::new(prog.clone());
        for seed in 0..RUNS {
            interp.use_freedom(seed);
            match (expected, interp.call(entry, args.to_vec()).ok()) {
                (None, None) => {}
                (Some(expected), Some(again)) if expected.len() == again.len() => {
                    for ((fixed, a), b) in columns.iter_mut().zip(expected).zip(&again) {
                        *fixed &= near(a, b, STEADY);
                    }
                }
                (None | Some(_), _) => return Fixed::Nothing,
            }
        }
        Fixed::Columns(columns)
    }

    /// What was found, with the expected columns where any would do. `None` if nothing is fixed.
    pub fn settle(&self, expected: &[Value], found: &[Value]) -> Option<Vec<Value>> {
        let Fixed::Columns(columns) = self else { return None };
        if expected.len() != found.len() {
            return Some(found.to_vec());
        }
        let column = |((fixed, expected), found): ((&bool, &Value), &Value)| {
            if *fixed { found.clone() } else { expected.clone() }
        };
        Some(columns.iter().zip(expected).zip(found).map(column).collect())
    }
}

/// The same shape, integers and booleans, and floats that differ by no more than this part of the largest.
pub fn near(a: &Value, b: &Value, tolerance: f64) -> bool {
    within(a, b, tolerance * largest(a).max(1.0))
}

fn within(a: &Value, b: &Value, most: f64) -> bool {
    if let (Value::Scalar(one), Value::Scalar(other)) = (a, b) {
        return match (one.float(), other.float()) {
            (Some(x), Some(y)) => x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= most,
            (Some(_) | None, _) => one == other,
        };
    }
    let rows = a.shape().first().copied().unwrap_or(0);
    a.shape().first() == b.shape().first()
        && (0..rows).all(|i| match (a.index_outer(i), b.index_outer(i)) {
            (Some(a), Some(b)) => within(&a, &b, most),
            (Some(_) | None, _) => false,
        })
        && (rows > 0 || a == b)
}

/// The size of the largest finite float in a value.
fn largest(value: &Value) -> f64 {
    if let Value::Scalar(scalar) = value {
        return scalar.float().map(f64::abs).filter(|x| x.is_finite()).unwrap_or(0.0);
    }
    let rows = value.shape().first().copied().unwrap_or(0);
    (0..rows).filter_map(|i| value.index_outer(i)).map(|row| largest(&row)).fold(0.0, f64::max)
}
