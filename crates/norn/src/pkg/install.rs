//! The files of packages in `lib`.
//!
//! `lib/.packages` lists what we have written there: a line for each package with its version, its commit and the checksum of its files. A package whose line and files are
//! as they should be is left as it is. Files that are not of a listed package are not ours, and are never overwritten.

use super::git::{PackageFile, Repositories};
use super::{Chosen, Outcome};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

const LIST: &str = "lib/.packages";

/// What was done.
#[derive(Debug, Default)]
pub struct Installed {
    pub written: Vec<Chosen>,
    pub unchanged: usize,
    pub removed: Vec<String>,
}

/// Have exactly these packages in `lib`.
pub fn install(folder: &Path, packages: &[Chosen], repositories: &Repositories) -> Outcome<Installed> {
    let listed = read_list(folder);
    let mut installed = Installed::default();
    let mut list = String::new();
    for package in packages {
        let place = folder.join("lib").join(&package.path);
        let ours = listed.iter().find(|line| line.path == package.path);
        let is_there = ours.is_some_and(|line| {
            line.commit == package.commit
                && read_files(&place).is_ok_and(|files| checksum(&files) == line.checksum)
        });
        let sum = if let (true, Some(line)) = (is_there, ours) {
            installed.unchanged += 1;
            line.checksum.clone()
        } else {
            if ours.is_none() && place.exists() {
                return Err(format!("`lib/{}` is there, but not from a package: move it away", package.path));
            }
            let files = repositories.files(&package.path, &package.commit)?;
            write_files(&place, &files)
                .map_err(|e| format!("`lib/{}` cannot be written: {e}", package.path))?;
            installed.written.push(package.clone());
            checksum(&files)
        };
        list.push_str(&format!("{} {} {} {sum}\n", package.path, package.version, package.commit));
    }
    for line in listed.iter().filter(|line| packages.iter().all(|p| p.path != line.path)) {
        let _ = fs::remove_dir_all(folder.join("lib").join(&line.path));
        remove_empty(folder, &line.path);
        installed.removed.push(line.path.clone());
    }
    let list_path = folder.join(LIST);
    let cannot = |e| format!("`{LIST}` cannot be written: {e}");
    if list.is_empty() {
        let _ = fs::remove_file(list_path);
        // Only if nothing else is in it.
        let _ = fs::remove_dir(folder.join("lib"));
    } else {
        fs::create_dir_all(folder.join("lib")).map_err(cannot)?;
        fs::write(list_path, list).map_err(cannot)?;
    }
    Ok(installed)
}

struct Line {
    path: String,
    commit: String,
    checksum: String,
}

fn read_list(folder: &Path) -> Vec<Line> {
    let text = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let line = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        [path, _, commit, checksum] if super::check_path(path).is_ok() => {
            Some(Line { path: path.into(), commit: commit.into(), checksum: checksum.into() })
        }
        _ => None,
    };
    text.lines().filter_map(line).collect()
}

/// All or nothing: the files are written beside, and then take the place.
fn write_files(place: &Path, files: &[PackageFile]) -> std::io::Result<()> {
    let mut name = place.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let beside = place.with_file_name(name);
    let _ = fs::remove_dir_all(&beside);
    for file in files {
        let path = beside.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(&beside))?;
        fs::write(path, &file.bytes)?;
    }
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    fs::rename(beside, place)
}

fn read_files(place: &Path) -> std::io::Result<Vec<PackageFile>> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = vec![place.into()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(place).map_err(std::io::Error::other)?;
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
                files.push(PackageFile { path: parts.join("/"), bytes: fs::read(&path)? });
            }
        }
    }
    Ok(files)
}

fn checksum(files: &[PackageFile]) -> String {
    let mut files: Vec<&PackageFile> = files.iter().collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut hash = Sha256::new();
    for file in files {
        hash.update((file.path.len() as u64).to_le_bytes());
        hash.update(&file.path);
        hash.update((file.bytes.len() as u64).to_le_bytes());
        hash.update(&file.bytes);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folders around a package that is gone, if nothing else is in them.
fn remove_empty(folder: &Path, path: &str) {
    let mut place = folder.join("lib").join(path);
    for _ in path.split('/') {
        place.pop();
        if fs::remove_dir(&place).is_err() {
            break;
        }
    }
}
