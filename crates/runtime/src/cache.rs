//! What was compiled before, on disk.
//!
//! An entry is a file with what was compiled, and beside it a file with its hash. Files are written under another name
//! and renamed, so that several processes can use the folder at the same time: whatever they find under a name is whole, or
//! does not match its hash and is made anew. The folder has a bound; what was not used for the longest
//! time goes first.

use crate::RuntimeError;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The folder is kept below this.
const MOST_BYTES: u64 = 512 << 20;
/// That an entry was used is noted only if the last note is as old as this.
const NOTE_AFTER: Duration = Duration::from_secs(3600);
/// Folders of compilations that were never finished are removed when they are as old as this.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

pub struct Cache {
    /// None if there is no place for it: then every program is compiled.
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder `NORN_CACHE`, or the one for caches of the user.
    pub fn open() -> Cache {
        Cache { folder: default_folder().filter(|folder| fs::create_dir_all(folder).is_ok()) }
    }

    #[cfg(test)]
    pub fn at(folder: &Path) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where the file with this name is, if it is there and whole.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.read(name).map(|(path, _)| path)
    }

    /// The file with this name, if it is there and whole.
    pub fn read(&self, name: &str) -> Option<(PathBuf, Vec<u8>)> {
        let path = self.folder.as_ref()?.join(name);
        let bytes = fs::read(&path).ok()?;
        let sum = fs::read_to_string(sum_path(&path)).ok()?;
        if sum.trim() != hash(&[&bytes]) {
            return None;
        }
        self.note_use(&path);
        Some((path, bytes))
    }

    /// A folder to work in, which is removed when it is dropped.
    pub fn workshop(&self) -> Result<TempDir, RuntimeError> {
        let inside =
            self.folder.as_ref().map(|folder| tempfile::Builder::new().prefix(WORKSHOP).tempdir_in(folder));
        let made = match inside {
            Some(Ok(made)) => Ok(made),
            Some(Err(_)) | None => tempfile::Builder::new().prefix(WORKSHOP).tempdir(),
        };
        made.map_err(|error| RuntimeError::Io { what: "make a folder in", path: std::env::temp_dir(), error })
    }

    /// Moves a file from a workshop to its place, and says where it is now. Where that cannot be, it stays.
    pub fn keep(&self, file: &Path, name: &str) -> PathBuf {
        let kept = self.try_keep(file, name).ok().flatten();
        kept.unwrap_or_else(|| file.into())
    }

    /// Keeps something under a name, for a while. Where that cannot be, nothing is lost but time.
    pub fn keep_bytes(&self, bytes: &[u8], name: &str) {
        if let Ok(workshop) = self.workshop() {
            let file = workshop.path().join("kept");
            if fs::write(&file, bytes).is_ok() {
                self.keep(&file, name);
            }
        }
    }

    fn try_keep(&self, file: &Path, name: &str) -> io::Result<Option<PathBuf>> {
        let Some(folder) = &self.folder else { return Ok(None) };
        self.shrink(MOST_BYTES);
        let path = folder.join(name);
        let sum = hash(&[&fs::read(file)?]);
        let written = file.with_extension("sum");
        fs::write(&written, sum)?;
        fs::rename(&written, sum_path(&path))?;
        fs::rename(file, &path)?;
        Ok(Some(path))
    }

    /// Notes that an entry was used; the folder may be one that cannot be written to.
    fn note_use(&self, path: &Path) {
        let is_recent = |time: SystemTime| time.elapsed().is_ok_and(|age| age < NOTE_AFTER);
        let noted = fs::metadata(path).and_then(|data| data.modified());
        if noted.is_ok_and(is_recent) {
            return;
        }
        if let Ok(file) = File::options().append(true).open(path) {
            // Not to know when it was used only means that it may go earlier.
            let _ = file.set_modified(SystemTime::now());
        }
    }

    /// Removes what was not used for the longest time until no more bytes are there than this, and what was abandoned.
    fn shrink(&self, most: u64) {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok()) else { return };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in entries.flatten() {
            let Ok(data) = entry.metadata() else { continue };
            let time = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if data.is_file() {
                files.push((time, data.len(), entry.path()));
            } else if entry.file_name().to_string_lossy().starts_with(WORKSHOP)
                && time.elapsed().is_ok_and(|age| age > ABANDONED_AFTER)
            {
                // Another process may do the same.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        if total <= most {
            return;
        }
        files.sort();
        for (_, bytes, path) in files {
            if total <= most / 4 * 3 {
                break;
            }
            // One that cannot be removed is in use.
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
}

const WORKSHOP: &str = "making-";

/// The hash of these parts, in hexadecimal. Where one part ends and the next begins matters.
pub fn hash(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sum_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sum");
    name.into()
}

fn default_folder() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = var("NORN_CACHE") {
        return Some(folder);
    }
    let user = if cfg!(windows) {
        var("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|home| home.join("Library/Caches"))
    } else {
        var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|home| home.join(".cache")))
    };
    user.map(|folder| folder.join("norn"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache, name: &str, bytes: &[u8]) -> PathBuf {
        let workshop = cache.workshop().unwrap();
        let file = workshop.path().join(name);
        fs::write(&file, bytes).unwrap();
        cache.keep(&file, name)
    }

    #[test]
    fn what_is_kept_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        assert_eq!(cache.find("a.so"), None);
        let path = put(&cache, "a.so", b"code");
        assert_eq!(cache.find("a.so"), Some(path.clone()));
        assert_eq!(fs::read(path).unwrap(), b"code");
    }

    #[test]
    fn what_is_damaged_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let path = put(&cache, "a.so", b"code");
        fs::write(&path, b"cod").unwrap();
        assert_eq!(cache.find("a.so"), None);
        put(&cache, "a.so", b"code");
        assert_eq!(cache.find("a.so"), Some(path.clone()));
        fs::remove_file(sum_path(&path)).unwrap();
        assert_eq!(cache.find("a.so"), None);
    }

    #[test]
    fn the_oldest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        for (name, age) in [("a.so", 30), ("b.so", 10), ("c.so", 20)] {
            let path = put(&cache, name, &[0; 1000]);
            let time = SystemTime::now() - Duration::from_secs(age);
            for path in [sum_path(&path), path] {
                File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
            }
        }
        cache.shrink(3000);
        let found = |name| cache.find(name).is_some();
        assert_eq!([found("a.so"), found("b.so"), found("c.so")], [false, true, true]);
    }

    #[test]
    fn parts_of_a_hash_have_borders() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }
}
