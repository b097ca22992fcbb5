//! `norn lsp`: the language server, on the standard streams.

use crate::console::Exit;
use crate::programs::programs_at;
use lsp_server::Connection;
use norn::FsLoader;
use norn_check::{LoadError, Loader};
use norn_lsp::Files;
use norn_runtime::process::TempFolder;
use std::io::{Error, Result};
use std::path::Path;

pub fn run() -> Result<Exit> {
    let (connection, threads) = Connection::stdio();
    let served = norn_lsp::serve(&connection, Box::new(Disk { prelude: None }));
    // The threads end when nobody can send them anything more.
    drop(connection);
    threads.join()?;
    served.map(|()| Exit::Ok).map_err(Error::other)
}

/// The files of this machine.
struct Disk {
    /// Where the prelude is written to, if somebody wants to read it.
    prelude: Option<TempFolder>,
}

impl Loader for Disk {
    fn load(&mut self, path: &str) -> std::result::Result<String, LoadError> {
        FsLoader.load(path)
    }
}

impl Files for Disk {
    fn programs_in(&mut self, folder: &str) -> Vec<String> {
        let mut files = Vec::new();
        // What cannot be read of a folder has no programs that the user can see.
        let _ = programs_at(Path::new(folder), &mut files);
        files.into_iter().filter_map(|path| path.into_os_string().into_string().ok()).collect()
    }

    fn shown_prelude(&mut self, path: &str, text: &str) -> Option<String> {
        if self.prelude.is_none() {
            self.prelude = TempFolder::new("norn-prelude-").ok();
        }
        let file = self.prelude.as_ref()?.path().join(Path::new(path).file_name()?);
        if !file.exists() {
            std::fs::write(&file, text).ok()?;
            let mut permissions = std::fs::metadata(&file).ok()?.permissions();
            permissions.set_readonly(true);
            std::fs::set_permissions(&file, permissions).ok()?;
        }
        file.into_os_string().into_string().ok()
    }
}
