//! What a program was compiled to, by the names under which devices find it again.
//!
//! Of kernels it has to be known how they are launched. That is written as a line for each:
//!
//! ```text
//! k_map 256 element=4 r w 8 4 name, size of a group, bytes of the smallest element, and parameters: a pointer through which it reads and writes (`p`, `r`, `w`, `rw`), or so many bytes
//! k_rows 256 element=8 heap rw 8    its threads allocate
//! ```

use norn_runtime::gpu::{Access, Kernel, Param};
use std::fmt::Write;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// What the C compiler made of the host's part.
    pub library: String,
    /// The part on a GPU, if there is one.
    pub kernels: Option<KernelCode>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCode {
    pub binary: String,
    pub kernels: Vec<Kernel>,
}

pub fn print_kernels(kernels: &[Kernel]) -> String {
    let mut text = String::new();
    for Kernel { name, group_size, params, uses_heap, pool, smallest_element, may_fail } in kernels {
        let heap = if *uses_heap { " heap" } else { "" };
        let fails = if *may_fail { " fails" } else { "" };
        let pool = pool.map(|param| format!(" pool={param}")).unwrap_or_default();
        let _ = write!(text, "{name} {group_size} element={smallest_element}{heap}{pool}{fails}");
        for param in params {
            let _ = match param {
                Param::Pointer(access) => write!(text, " {}", access_name(*access)),
                Param::Region(access) => write!(text, " region:{}", access_name(*access)),
                Param::Scalar(bytes) => write!(text, " {bytes}"),
            };
        }
        text.push('\n');
    }
    text
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access { reads: false, writes: false } => "p",
        Access { reads: true, writes: false } => "r",
        Access { reads: false, writes: true } => "w",
        Access { reads: true, writes: true } => "rw",
    }
}

/// None if the text was not printed by `print_kernels`.
pub fn parse_kernels(text: &str) -> Option<Vec<Kernel>> {
    let kernel = |line: &str| {
        let mut words = line.split(' ').peekable();
        let (name, group_size) = (words.next()?.to_string(), words.next()?.parse().ok()?);
        let smallest_element = words.next()?.strip_prefix("element=")?.parse().ok()?;
        let uses_heap = words.next_if_eq(&"heap").is_some();
        let pool = match words.next_if(|word| word.starts_with("pool=")) {
            Some(word) => Some(word["pool=".len()..].parse().ok()?),
            None => None,
        };
        let may_fail = words.next_if_eq(&"fails").is_some();
        let access = |word: &str| match word {
            "p" | "r" | "w" | "rw" => Some(Access { reads: word.contains('r'), writes: word.contains('w') }),
            _ => None,
        };
        let param = |word: &str| match word.strip_prefix("region:") {
            Some(word) => access(word).map(Param::Region),
            None => access(word).map(Param::Pointer).or_else(|| word.parse().ok().map(Param::Scalar)),
        };
        let params = words.map(param).collect::<Option<Vec<_>>>()?;
        // Whoever launches it looks there.
        let is_there = pool.is_none_or(|pool| matches!(params.get(pool), Some(Param::Scalar(8))));
        is_there.then_some(Kernel { name, group_size, params, uses_heap, pool, smallest_element, may_fail })
    };
    text.lines().map(kernel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_read_back() {
        let kernel = |name: &str, params: &[Param], uses_heap, pool, may_fail| Kernel {
            name: name.to_string(),
            group_size: 256,
            params: params.to_vec(),
            uses_heap,
            pool,
            smallest_element: 4,
            may_fail,
        };
        let pointer = |reads, writes| Param::Pointer(Access { reads, writes });
        let kernels = [
            kernel(
                "k_map",
                &[pointer(true, false), Param::Scalar(8), Param::Scalar(1)],
                false,
                Some(1),
                true,
            ),
            kernel(
                "k_rows",
                &[pointer(false, true), pointer(true, true), pointer(false, false)],
                true,
                None,
                true,
            ),
            kernel("k_none", &[], false, None, false),
        ];
        assert_eq!(parse_kernels(&print_kernels(&kernels)).as_deref(), Some(&kernels[..]));
        assert_eq!(parse_kernels(""), Some(Vec::new()));
        for wrong in [
            "k_map",
            "k_map many",
            "k_map 256 8",
            "k_map 256 element=4 q",
            "k_map 256 element=4 pool=1 8",
            "k_map 256 element=4 pool=0 4",
        ] {
            assert_eq!(parse_kernels(wrong), None, "{wrong}");
        }
    }
}
