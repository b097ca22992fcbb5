//! The processor as a device: C text, compiled and loaded, run by a pool of threads.
//!
//! - [`compiler`](self) finds a C compiler and what it can do.
//! - `library` is a compiled program in memory, [`Instance`] its state: constants and memory. A [`Session`] calls it, and a [`Stop`]
//!   says why it did not come to its end.
//! - `pool` has the threads, `pools` one pool for each call at the same time, `worker` what each has of a program, `launch` spreads the chunks of kernels over them.
//! - `memory` knows how much may be used, `blocks` and `regions` make pieces of it for programs.
//! - `show` is how compiled code shows values while it runs.
//! - `device` is how compiled code reaches a GPU ([`crate::gpu`]), if the program has a part there.
//! - `abi` is the mirror of rts/cpu/abi.h.

pub mod abi;
mod blocks;
mod compiler;
mod device;
mod instance;
mod launch;
mod library;
mod machine;
mod memory;
mod pool;
mod pools;
mod profile;
mod regions;
mod remote_regions;
mod session;
mod show;
mod stop;
mod visit;
mod worker;

pub use crate::profile::Cost;
pub use blocks::{Detached, OwnedBlock};
pub use instance::{
    Block, Instance, Origin, Region, Settings, Stopper, block_address, block_bytes, block_data,
};
pub use library::Library;
pub use memory::Memory;
pub use pool::most_threads;
pub use session::Session;
pub use show::Observer;
pub use stop::{Stop, Why};

use crate::cache::{Cache, hash};
use crate::{RuntimeError, show_bytes};
use compiler::Compiler;
use pool::thread_count;
use pools::Pools;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How the processor is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CpuOptions {
    /// As many as the machine can run at the same time, if not given; [`most_threads`] if more.
    pub threads: Option<NonZero<usize>>,
    /// In bytes. What the machine can do without, if not given.
    pub memory_limit: Option<u64>,
    /// The C compiler takes less time and the program more: for what runs once, such as a test.
    pub quick: bool,
}

pub struct Cpu {
    compiler: Compiler,
    /// The one for long texts, if another is quicker with them.
    for_long_texts: Option<Compiler>,
    cache: Cache,
    pools: Arc<Pools>,
    memory: Arc<Memory>,
}

/// From so many bytes on, clang without optimising is done before gcc, though it starts later.
const LONG_TEXT: usize = 48 << 10;

fn kept_name(key: &[&[u8]]) -> String {
    format!("{}.kept", &hash(key)[..40])
}

/// What came of some text.
pub struct Compiled {
    pub library: Library,
    /// How long the C compiler took, unless it had compiled the same text before.
    pub compile_time: Option<Duration>,
    /// The name by which it is found again.
    pub name: String,
}

impl Cpu {
    pub fn new(options: CpuOptions) -> Result<Cpu, RuntimeError> {
        Cpu::with_cache(options, None)
    }

    /// With compiled programs in this folder, if one is given, and not where those of the user are.
    pub fn with_cache(options: CpuOptions, cache: Option<&Path>) -> Result<Cpu, RuntimeError> {
        let cache = Cache::open(cache);
        let mut compiler = Compiler::find(&cache)?;
        let mut for_long_texts = None;
        if options.quick {
            compiler.hurry();
            for_long_texts = compiler.quicker(&cache);
        }
        let memory = Arc::new(Memory::new(options.memory_limit));
        let pools = Arc::new(Pools::new(thread_count(options.threads)));
        Ok(Cpu { compiler, for_long_texts, cache, pools, memory })
    }

    /// Who compiles a text.
    fn compiler_of(&self, text: &str) -> &Compiler {
        self.for_long_texts.as_ref().filter(|_| text.len() >= LONG_TEXT).unwrap_or(&self.compiler)
    }

    /// What it is, in a line.
    pub fn describe(&self) -> String {
        let threads = self.threads();
        let s = if threads == 1 { "" } else { "s" };
        let limit = show_bytes(self.memory.limit());
        format!("{threads} thread{s}, at most {limit} of memory, {}", self.compiler.version)
    }

    pub fn threads(&self) -> usize {
        self.pools.threads()
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Compiles C text, unless that was done before, and loads it. It must have so many entry points, by the rules of rts/cpu/abi.h.
    ///
    /// # Safety
    /// The text is trusted: it runs in this process.
    pub unsafe fn load(&self, text: &str, entries: usize) -> Result<Compiled, RuntimeError> {
        let compiler = self.compiler_of(text);
        let key = hash(&[text.as_bytes(), compiler.identity().as_bytes()]);
        let name = format!("{}.{}", &key[..40], std::env::consts::DLL_EXTENSION);
        // SAFETY: the name is the hash of a text that the caller trusts, and of the compiler.
        if let Some(library) = unsafe { self.find(&name, entries) } {
            return Ok(Compiled { library, compile_time: None, name });
        }
        if let Some(error) = compiler.missing() {
            return Err(error);
        }
        self.cache.in_workshop(|folder| {
            let begin = Instant::now();
            let made = compiler.compile(text, folder)?;
            let compile_time = Some(begin.elapsed());
            // Loaded before it is moved: what others may remove is not needed any more.
            // SAFETY: the compiler has just made it of a text that the caller trusts, in a folder that only the user can write to.
            let library = unsafe { Library::load(&made, entries) }?;
            self.cache.keep(&made, &name);
            self.compiler.remember(&self.cache);
            Ok(Compiled { library, compile_time, name: name.clone() })
        })
    }

    /// Compiles C text to an executable, which becomes this file.
    pub fn build_executable(&self, text: &str, file: &Path) -> Result<(), RuntimeError> {
        self.build(file, |folder| self.compiler_of(text).build(text, folder))
    }

    /// The same to a shared library.
    pub fn build_library(&self, text: &str, file: &Path) -> Result<(), RuntimeError> {
        self.build(file, |folder| self.compiler_of(text).compile(text, folder))
    }

    /// The same to a static library.
    pub fn build_static_library(&self, text: &str, file: &Path) -> Result<(), RuntimeError> {
        self.build(file, |folder| self.compiler_of(text).archive(text, folder))
    }

    fn build(
        &self,
        file: &Path,
        make: impl Fn(&Path) -> Result<PathBuf, RuntimeError>,
    ) -> Result<(), RuntimeError> {
        if let Some(error) = self.compiler.missing() {
            return Err(error);
        }
        self.cache.in_workshop(|folder| {
            let copied = std::fs::copy(make(folder)?, file);
            copied.map(|_| ()).map_err(|error| RuntimeError::Io { what: "write", path: file.into(), error })
        })
    }

    /// What was compiled before under this name, if it is still there. One that is damaged is not.
    ///
    /// # Safety
    /// What has this name is trusted: it runs in this process.
    pub unsafe fn find(&self, name: &str, entries: usize) -> Option<Library> {
        let path = self.cache.find(name)?;
        // SAFETY: the caller trusts what has this name. The cache yields only files that are the user's, that nobody else can write to,
        // and whose content matches their hash.
        unsafe { Library::load(&path, entries) }.ok()
    }

    /// Why nothing can be compiled, if that is so: then programs can be run that were compiled before.
    pub fn missing_compiler(&self) -> Option<RuntimeError> {
        self.compiler.missing()
    }

    /// What compiled programs depend on beside their text.
    pub fn identity(&self) -> String {
        self.compiler.identity()
    }

    /// What was kept for these parts of a key.
    pub fn recall(&self, key: &[&[u8]]) -> Option<Vec<u8>> {
        self.cache.read(&kept_name(key)).map(|(_, bytes)| bytes)
    }

    /// Keeps something for these parts of a key, for a while. Where that cannot be, nothing is lost but time.
    pub fn keep(&self, key: &[&[u8]], bytes: &[u8]) {
        self.cache.keep_bytes(bytes, &kept_name(key));
    }
}
