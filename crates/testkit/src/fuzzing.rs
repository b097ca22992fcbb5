//! What the programs that search for bugs have in common: how they are configured, and where they keep what they find.
//!
//! All of it comes from the environment, so that one program without `cargo` and without the folder it was built in can search on
//! another machine, in a checkout of the repository:
//!
//! | variable | meaning |
//! |---|---|
//! | `NORN_ROOT` | where the checkout is, if not where the program was built |
//! | `NORN_FUZZ_SECONDS`, `NORN_FUZZ_SEED` | how long to go on, and where to begin |
//! | `NORN_FUZZ_WORKERS` | how many processes search; as many as there are processors if not set |
//! | `NORN_FUZZ_KEEP` | the folder for bugs; one of `target` if not set. Two searches at a time need two folders |
//! | `NORN_FUZZ_GPU` | `cuda`, `opencl` or `none`: where kernels run. If not set, with OpenCL where there is one |
//! | `NORN_FUZZ_ALL` | go on after a bug |

use crate::root;
use crate::run::has_gpu;
use norn::engine::Backend;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::{env, thread};

/// A number in the environment.
pub fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().and_then(|value| value.parse().ok())
}

/// Where the search begins.
pub fn seed() -> u64 {
    number("NORN_FUZZ_SEED").unwrap_or(1)
}

/// How many processes search at a time.
pub fn workers() -> u64 {
    let processors = || thread::available_parallelism().map_or(2, |n| n.get() as u64);
    number("NORN_FUZZ_WORKERS").unwrap_or_else(processors)
}

/// Whether a bug is not the end.
pub fn goes_on() -> bool {
    env::var_os("NORN_FUZZ_ALL").is_some()
}

/// Where the search of this name keeps what it finds.
pub fn folder(name: &str) -> PathBuf {
    let target = || env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    env::var_os("NORN_FUZZ_KEEP").map_or_else(|| target().join(name), PathBuf::from)
}

/// The GPU whose kernels are compared. One that is asked for has to be there.
pub fn gpu() -> Option<Backend> {
    static FOUND: OnceLock<Option<Backend>> = OnceLock::new();
    *FOUND.get_or_init(|| match env::var("NORN_FUZZ_GPU").as_deref() {
        Ok("none") => None,
        Ok(name) => {
            let backend = [Backend::OpenCl, Backend::Cuda].into_iter().find(|backend| backend.name() == name);
            let backend = backend.expect("NORN_FUZZ_GPU is cuda, opencl or none");
            if let Err(why) = has_gpu(backend) {
                panic!("nothing can be compared with {name}: {why}");
            }
            Some(backend)
        }
        Err(_) => has_gpu(Backend::OpenCl).is_ok().then_some(Backend::OpenCl),
    })
}

/// Whether a GPU was asked for, so that it is what the search is about.
pub fn is_about_gpu() -> bool {
    env::var_os("NORN_FUZZ_GPU").is_some() && gpu().is_some()
}
