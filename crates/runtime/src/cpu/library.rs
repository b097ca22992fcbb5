//! A compiled program in the memory of this process.

use super::abi::Entry;
use crate::RuntimeError;
use crate::error::load_error;
use std::path::Path;

pub struct Library {
    entries: Vec<Entry>,
    globals: usize,
    /// The functions above are in it.
    _library: libloading::Library,
}

impl Library {
    /// Loads what was compiled from text of ours with so many entry points.
    ///
    /// # Safety
    /// The file is what the C compiler made of such a text, and nobody else can have changed it: its functions run in this process.
    pub unsafe fn load(path: &Path, entries: usize) -> Result<Library, RuntimeError> {
        let failed = |error: libloading::Error| RuntimeError::Load(load_error(error));
        // SAFETY: the file was compiled from our text, as the caller promises, which has no initialisers: loading runs nothing.
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        let mut found = Vec::with_capacity(entries);
        for number in 0..entries {
            let name = format!("norn_entry_{number}");
            // SAFETY: our text, from which the file was compiled, gives functions of this name that type.
            found.push(*unsafe { library.get::<Entry>(name.as_bytes()) }.map_err(failed)?);
        }
        // SAFETY: our text, from which the file was compiled, has a constant of that name and type.
        let globals = unsafe { **library.get::<*const i64>(b"norn_globals").map_err(failed)? };
        Ok(Library { entries: found, globals: usize::try_from(globals).unwrap_or(0), _library: library })
    }

    pub fn entry(&self, number: usize) -> Entry {
        self.entries[number]
    }

    pub fn globals(&self) -> usize {
        self.globals
    }
}
