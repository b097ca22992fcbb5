//! Small steps towards a simpler value.

use super::generate::Made;
use norn_values::{Data, Value, f16};

/// A step, described before it is taken: there may be many, and few are taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Leave out rows of all arrays of this length that are not inside arrays. Together, since
    /// arrays of one length often have to be.
    Remove { length: usize, start: usize, end: usize },
    /// Replace the scalar with this number, counted through the whole value.
    Scalar { number: usize, by: Simpler },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Simpler {
    Zero,
    Half,
    /// One closer to zero.
    Closer,
}

/// The steps that can be taken from a value, those first that save most.
pub(super) fn steps(made: &Made) -> Vec<Step> {
    let mut lengths = Vec::new();
    collect_lengths(made, &mut lengths);
    lengths.sort_unstable();
    lengths.dedup();
    let mut steps = Vec::new();
    for length in lengths.into_iter().rev() {
        let mut chunk = length;
        while chunk > 0 {
            for start in (0..length).step_by(chunk) {
                steps.push(Step::Remove { length, start, end: (start + chunk).min(length) });
            }
            chunk /= 2;
        }
    }
    for by in [Simpler::Zero, Simpler::Half, Simpler::Closer] {
        steps.extend((0..count_scalars(made)).map(|number| Step::Scalar { number, by }));
    }
    steps
}

/// The value after a step, if that changes it.
pub(super) fn take_step(made: &Made, step: Step) -> Option<Made> {
    let mut made = made.clone();
    let changed = match step {
        Step::Remove { length, start, end } => remove_rows(&mut made, length, start, end),
        Step::Scalar { mut number, by } => simplify_scalar(&mut made, &mut number, by)?,
    };
    changed.then_some(made)
}

fn collect_lengths(made: &Made, lengths: &mut Vec<usize>) {
    match made {
        Made::Plain(value) => lengths.extend(value.shape().first()),
        Made::Array(dims, _) => lengths.extend(dims.first()),
        Made::Record(parts) | Made::Sum(_, parts) => {
            parts.iter().for_each(|part| collect_lengths(part, lengths));
        }
        Made::Item(_) => {}
    }
}

/// Whether any array has this length, and so lost rows.
fn remove_rows(made: &mut Made, length: usize, start: usize, end: usize) -> bool {
    match made {
        Made::Plain(value) if value.shape().first() == Some(&length) => {
            let Some(shorter) = value.without_rows(start, end) else { return false };
            *value = shorter;
            true
        }
        Made::Array(dims, elements) if dims.first() == Some(&length) => {
            let row: usize = dims[1..].iter().product();
            elements.drain(start * row..end * row);
            dims[0] -= end - start;
            true
        }
        Made::Record(parts) | Made::Sum(_, parts) => {
            // All of them, so no short cut.
            parts.iter_mut().fold(false, |any, part| remove_rows(part, length, start, end) | any)
        }
        Made::Plain(_) | Made::Array(..) | Made::Item(_) => false,
    }
}

fn count_scalars(made: &Made) -> usize {
    match made {
        Made::Plain(value) => value.len(),
        Made::Record(parts) | Made::Sum(_, parts) | Made::Array(_, parts) => {
            parts.iter().map(count_scalars).sum()
        }
        Made::Item(_) => 0,
    }
}

/// Simplifies the scalar `number`, which counts down to it. `None`: it is not in here.
fn simplify_scalar(made: &mut Made, number: &mut usize, by: Simpler) -> Option<bool> {
    match made {
        Made::Plain(value) => {
            if *number >= value.len() {
                *number -= value.len();
                return None;
            }
            Some(match simplify_element(value, *number, by) {
                Some(simpler) => {
                    *value = simpler;
                    true
                }
                None => false,
            })
        }
        Made::Record(parts) | Made::Sum(_, parts) | Made::Array(_, parts) => {
            parts.iter_mut().find_map(|part| simplify_scalar(part, number, by))
        }
        Made::Item(_) => None,
    }
}

/// The value with one element simplified, if it can be.
fn simplify_element(value: &Value, at: usize, by: Simpler) -> Option<Value> {
    let (shape, mut data) = value.clone().into_parts();
    macro_rules! simplify {
        ($elements:expr, $simpler:expr) => {{
            let element = &mut $elements[at];
            let simpler = $simpler(*element, by);
            if simpler == *element {
                return None;
            }
            *element = simpler;
        }};
    }
    macro_rules! integer {
        ($ty:ty) => {
            |x: $ty, by| match by {
                Simpler::Zero => 0,
                Simpler::Half => x / 2,
                Simpler::Closer if x > 0 => x - 1,
                Simpler::Closer => x + <$ty>::from(x != 0),
            }
        };
    }
    match &mut data {
        Data::I8(elements) => simplify!(elements, integer!(i8)),
        Data::I16(elements) => simplify!(elements, integer!(i16)),
        Data::I32(elements) => simplify!(elements, integer!(i32)),
        Data::I64(elements) => simplify!(elements, integer!(i64)),
        Data::U8(elements) => simplify!(elements, integer!(u8)),
        Data::U16(elements) => simplify!(elements, integer!(u16)),
        Data::U32(elements) => simplify!(elements, integer!(u32)),
        Data::U64(elements) => simplify!(elements, integer!(u64)),
        Data::F16(elements) => {
            simplify!(elements, |x: f16, by| norn_base::prim::f16_from_f64(simpler_float(x.to_f64(), by)))
        }
        Data::F32(elements) => simplify!(elements, |x: f32, by| simpler_float(f64::from(x), by) as f32),
        Data::F64(elements) => simplify!(elements, simpler_float),
        Data::Bool(elements) => simplify!(elements, |_, _| false),
    }
    Value::new(shape, data).ok()
}

/// For floats fewer digits are simpler than a smaller number.
fn simpler_float(x: f64, by: Simpler) -> f64 {
    match by {
        Simpler::Zero => 0.0,
        Simpler::Half => x.round(),
        Simpler::Closer => (x * 8.0).trunc() / 8.0,
    }
}
