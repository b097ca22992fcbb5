//! Which GPU is meant, and which there are.
//!
//! ```text
//! cuda           the first GPU of NVIDIA
//! cuda:1         the second
//! opencl         the first GPU that OpenCL reaches, or the first device if there is none
//! opencl:2       the third of all its devices, platform by platform
//! opencl:0.1/2   the second half of the first
//! opencl:0.1/1+3 its second part, if the first has one core and the second three
//! cpu            the processor, beside one of these
//! quadro         the OpenCL device with this in its name or that of its platform
//! ```
//!
//! So two devices with one name can be distinguished, and parts of one device be used like several.

use super::device::{Api, Device, Facts};
use super::{cuda, opencl, processor};
use crate::RuntimeError;
use std::fmt;
use std::str::FromStr;

/// A GPU by its name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Which {
    pub api: Api,
    pub device: Choice,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// The best there is.
    Usual,
    Number(usize),
    /// A part of the one with this number.
    Part {
        number: usize,
        part: usize,
        cut: Cut,
    },
    /// One with these letters in its name.
    Named(String),
}

/// How a device is cut into parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    /// Into so many, with equally many cores.
    Equally(usize),
    /// With so many cores each.
    ByCores(Vec<u32>),
}

/// A device that is there.
pub struct Found {
    pub which: Which,
    pub facts: Facts,
}

impl Which {
    pub fn usual(api: Api) -> Which {
        Which { api, device: Choice::Usual }
    }
}

/// There are so many devices, but not one with this number.
pub(super) fn no_number(api: Api, number: usize, count: usize) -> RuntimeError {
    let name = api.name();
    RuntimeError::NoSuchDevice(match count {
        1 => format!("{name} has no device {number}, only number 0"),
        _ => format!("{name} has no device {number}, only numbers 0 to {}", count - 1),
    })
}

/// Devices with these names are there, but none is called so.
pub(super) fn no_name(api: Api, name: &str, there: &[String]) -> RuntimeError {
    let there = there.join(", ");
    RuntimeError::NoSuchDevice(format!("no {} device is called `{name}`; there are {there}", api.name()))
}

/// All devices that are reached in this way; or why there are none.
pub fn devices(api: Api) -> Result<Vec<Found>, RuntimeError> {
    let all = match api {
        Api::Cuda => cuda::all()?,
        Api::OpenCl => opencl::all()?,
        Api::Processor => vec![processor::Processor::new().facts().clone()],
    };
    let found = |(number, facts)| Found { which: Which { api, device: Choice::Number(number) }, facts };
    Ok(all.into_iter().enumerate().map(found).collect())
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let api = match name {
            "cuda" => Api::Cuda,
            "opencl" => Api::OpenCl,
            "cpu" if rest.is_none() => return Ok(Which::usual(Api::Processor)),
            _ => return Ok(Which { api: Api::OpenCl, device: Choice::Named(text.into()) }),
        };
        let Some(rest) = rest else { return Ok(Which::usual(api)) };
        let device = parse_number(rest).ok_or_else(|| {
            format!(
                "`{text}` is not the name of a device: `{name}:` needs a number behind it, as in `{name}:0`"
            )
        })?;
        match (&device, api) {
            (Choice::Part { .. }, Api::Cuda) => {
                Err(format!("`{text}` is a part of a GPU, but CUDA uses them whole"))
            }
            _ => Ok(Which { api, device }),
        }
    }
}

/// `0`, `0.1/2` or `0.1/1+3`
fn parse_number(text: &str) -> Option<Choice> {
    let Some((number, rest)) = text.split_once('.') else {
        return Some(Choice::Number(text.parse().ok()?));
    };
    let (part, cut) = rest.split_once('/')?;
    let (number, part) = (number.parse().ok()?, part.parse().ok()?);
    let cores: Vec<u32> = cut.split('+').map(|cores| cores.parse().ok()).collect::<Option<_>>()?;
    let (cut, parts) = match cores[..] {
        [count] => (Cut::Equally(count as usize), count as usize),
        _ => (Cut::ByCores(cores.clone()), cores.len()),
    };
    (part < parts && !cores.contains(&0)).then_some(Choice::Part { number, part, cut })
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let api = match self.api {
            Api::Cuda => "cuda",
            Api::OpenCl => "opencl",
            Api::Processor => "cpu",
        };
        match &self.device {
            Choice::Usual => f.write_str(api),
            Choice::Number(number) => write!(f, "{api}:{number}"),
            Choice::Part { number, part, cut: Cut::Equally(count) } => {
                write!(f, "{api}:{number}.{part}/{count}")
            }
            Choice::Part { number, part, cut: Cut::ByCores(cores) } => {
                let cores: Vec<String> = cores.iter().map(u32::to_string).collect();
                write!(f, "{api}:{number}.{part}/{}", cores.join("+"))
            }
            Choice::Named(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        for text in
            ["cuda", "cuda:1", "opencl", "opencl:2", "opencl:0.1/2", "opencl:0.1/1+3", "cpu", "quadro"]
        {
            let which: Which = text.parse().unwrap();
            assert_eq!(which.to_string(), text);
        }
        let part = Choice::Part { number: 0, part: 1, cut: Cut::ByCores(vec![1, 3]) };
        assert_eq!("opencl:0.1/1+3".parse(), Ok(Which { api: Api::OpenCl, device: part }));
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["cuda:", "cuda:x", "cuda:-1", "opencl:0.2/2", "opencl:0.0/0", "opencl:0.1", "cuda:0.0/2"]
        {
            assert!(text.parse::<Which>().is_err(), "{text}");
        }
    }
}
