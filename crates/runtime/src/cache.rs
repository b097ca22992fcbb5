//! What was compiled before, on disk.
//!
//! An entry is a file with what was compiled, and beside it a file with its hash. Files are written under another name
//! and renamed, so that several processes can use the folder at the same time: whatever they find under a name is whole, or
//! does not match its hash and is made again. The folder has a bound; what was not used for the longest
//! time goes first.
//!
//! What is found here runs in this process, so it must be ours: the folder and its files belong to the user, and nobody else can write to
//! them. A folder for which this does not hold is not used, and a file is not there. Nothing depends on the cache: what cannot be done in
//! its folder, because the disk is full for instance, is done in a temporary one.

use crate::RuntimeError;
use crate::process::TempFolder;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The folder is kept below this.
const MOST_BYTES: u64 = 512 << 20;
/// That an entry was used is noted only if the last note is as old as this.
const NOTE_AFTER: Duration = Duration::from_secs(3600);
/// Folders of compilations that were never finished are removed when they are as old as this.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone)]
pub struct Cache {
    /// None if there is no place for it: then every program is compiled.
    folder: Option<PathBuf>,
}

impl Cache {
    /// This folder, or `NORN_CACHE`, or the one for caches of the user.
    pub fn open(folder: Option<&Path>) -> Cache {
        let folder = match folder.map(Path::to_path_buf).or_else(|| variable("NORN_CACHE")) {
            Some(folder) => prepare(&folder, false).then_some(folder),
            None => user_folder().filter(|folder| prepare(folder, true)),
        };
        Cache { folder }
    }

    #[cfg(test)]
    pub fn at(folder: &Path) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    /// Where the file with this name is, if it is there and whole.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.read(name).map(|(path, _)| path)
    }

    /// The file with this name, if it is there and whole.
    pub fn read(&self, name: &str) -> Option<(PathBuf, Vec<u8>)> {
        let path = self.folder.as_ref()?.join(name);
        let bytes = read_ours(&path)?;
        let sum = read_ours(&sum_path(&path))?;
        if sum.trim_ascii() != hash(&[&bytes]).as_bytes() {
            return None;
        }
        self.note_use(&path);
        Some((path, bytes))
    }

    /// Does some work in a folder that is removed afterwards. It lies in the folder of the cache, where results can be kept by renaming
    /// them. If that does not do, for whatever reason, the work is done again in a folder for temporary files.
    pub fn in_workshop<T, E: From<RuntimeError>>(
        &self,
        work: impl Fn(&Path) -> Result<T, E>,
    ) -> Result<T, E> {
        let inside = self.folder.as_ref().and_then(|folder| TempFolder::within(folder, WORKSHOP).ok());
        if let Some(inside) = inside
            && let Ok(done) = work(inside.path())
        {
            return Ok(done);
        }
        let other = TempFolder::new(WORKSHOP).map_err(|error| RuntimeError::Io {
            what: "make a folder in",
            path: std::env::temp_dir(),
            error,
        })?;
        work(other.path())
    }

    /// Moves a file from a workshop to its place, and returns where it is now. Where that cannot be, it stays.
    pub fn keep(&self, file: &Path, name: &str) -> PathBuf {
        let kept = self.try_keep(file, name).ok().flatten();
        kept.unwrap_or_else(|| file.into())
    }

    /// Keeps something under a name, for a while. Where that cannot be, nothing is lost but time.
    pub fn keep_bytes(&self, bytes: &[u8], name: &str) {
        let Some(workshop) =
            self.folder.as_ref().and_then(|folder| TempFolder::within(folder, WORKSHOP).ok())
        else {
            return;
        };
        let file = workshop.path().join("kept");
        if fs::write(&file, bytes).is_ok() {
            self.keep(&file, name);
        }
    }

    fn try_keep(&self, file: &Path, name: &str) -> io::Result<Option<PathBuf>> {
        let Some(folder) = &self.folder else { return Ok(None) };
        self.shrink(MOST_BYTES);
        let path = folder.join(name);
        let sum = hash(&[&fs::read(file)?]);
        let written = file.with_extension("sum");
        fs::write(&written, sum)?;
        make_private(&written)?;
        make_private(file)?;
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

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder `norn` in the one for caches of the user.
/// Where commands of ours keep what can be had again: `NORN_CACHE`, or a folder of the user.
pub fn cache_folder() -> Option<PathBuf> {
    variable("NORN_CACHE").or_else(user_folder)
}

fn user_folder() -> Option<PathBuf> {
    let user = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Caches"))
    } else {
        variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")))
    };
    user.map(|folder| folder.join("norn"))
}

/// Makes a folder that only the user can look into, if it is not there. Whether it can be trusted. One that is called `ours` is made
/// private if others can write to it; one that the user has named is left as it is.
fn prepare(folder: &Path, ours: bool) -> bool {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if builder.create(folder).is_err() {
        return false;
    }
    let is_ours = || fs::metadata(folder).is_ok_and(|data| is_ours(&data));
    is_ours() || (ours && make_private(folder).is_ok() && is_ours())
}

/// The content of a file, if it can be trusted.
fn read_ours(path: &Path) -> Option<Vec<u8>> {
    // Opening a pipe would wait for somebody who writes to it.
    fs::metadata(path).ok().filter(Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    file.metadata().ok().filter(is_ours)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether something belongs to the user, and nobody else can write to it.
#[cfg(unix)]
fn is_ours(data: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    unsafe extern "C" {
        safe fn geteuid() -> u32;
    }
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    data.uid() == geteuid() && data.mode() & WRITABLE_BY_OTHERS == 0
}

/// Folders for caches are private there.
#[cfg(not(unix))]
fn is_ours(_data: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_private(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache, name: &str, bytes: &[u8]) -> PathBuf {
        let kept: Result<PathBuf, RuntimeError> = cache.in_workshop(|folder| {
            let file = folder.join(name);
            fs::write(&file, bytes).unwrap();
            Ok(cache.keep(&file, name))
        });
        kept.unwrap()
    }

    #[test]
    fn work_that_fails_in_the_folder_is_done_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        // As if the disk were full.
        let done: Result<PathBuf, RuntimeError> = cache.in_workshop(|place| {
            let error = io::ErrorKind::StorageFull.into();
            let full = RuntimeError::Io { what: "write", path: place.into(), error };
            if place.starts_with(folder.path()) { Err(full) } else { Ok(place.into()) }
        });
        assert!(!done.unwrap().exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_can_write_to_is_not_found() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let path = put(&cache, "a.so", b"code");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        assert!(cache.find("a.so").is_some());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o722)).unwrap();
        assert_eq!(cache.find("a.so"), None);

        let shared = folder.path().join("shared");
        assert!(prepare(&shared, false));
        assert_eq!(fs::metadata(&shared).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!prepare(&shared, false), "a folder that others can write to is used");
        assert!(prepare(&shared, true));
        assert_eq!(fs::metadata(&shared).unwrap().mode() & 0o777, 0o700);
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
