//! `norn lsp`: the language server, on the standard streams.

use crate::console::Exit;
use lsp_server::Connection;
use norn::FsLoader;
use norn_check::{LoadError, Loader};
use norn_lsp::Files;
use norn_runtime::process::TempFolder;
use std::collections::VecDeque;
use std::io::{Error, Result};
use std::path::PathBuf;

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
    /// The nearest come first, so that a folder with very much in it still gives those that matter.
    fn programs_in(&mut self, folder: &str) -> Vec<String> {
        const MOST_ENTRIES: usize = 20_000;
        let mut files = Vec::new();
        let mut folders = VecDeque::from([PathBuf::from(folder)]);
        let mut entries = 0;
        while let Some(folder) = folders.pop_front() {
            // What cannot be read has no programs that the user can see.
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                entries += 1;
                if entries > MOST_ENTRIES {
                    return files;
                }
                let hidden = entry.file_name().to_string_lossy().starts_with('.');
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && !hidden => folders.push_back(entry.path()),
                    Ok(kind) if kind.is_file() && entry.path().extension().is_some_and(|e| e == "fut") => {
                        files.extend(entry.path().into_os_string().into_string());
                    }
                    _ => {}
                }
            }
        }
        files
    }

    fn shown_prelude(&mut self, path: &str, text: &str) -> Option<String> {
        if self.prelude.is_none() {
            self.prelude = TempFolder::new("norn-prelude-").ok();
        }
        // The prelude and the library have folders of their own.
        let file = self.prelude.as_ref()?.path().join(path.trim_start_matches('/'));
        if !file.exists() {
            std::fs::create_dir_all(file.parent()?).ok()?;
            std::fs::write(&file, text).ok()?;
            let mut permissions = std::fs::metadata(&file).ok()?.permissions();
            permissions.set_readonly(true);
            std::fs::set_permissions(&file, permissions).ok()?;
        }
        file.into_os_string().into_string().ok()
    }
}
