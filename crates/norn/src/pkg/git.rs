//! Repositories of packages, kept as bare clones in the cache.
//!
//! All that is asked of a repository is asked of the clone. The network is used only if a version is not there, or if the newest is
//! wanted. `git` does the work, so its configuration counts: proxies, passwords, other addresses.

use super::{FILE, Manifest, Outcome, Version, check_path};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub struct Repositories {
    folder: PathBuf,
    offline: bool,
}

/// A file of a package, by its path in the folder of the package.
pub struct PackageFile {
    pub path: String,
    pub bytes: Vec<u8>,
}

impl Repositories {
    pub fn new(folder: PathBuf, offline: bool) -> Repositories {
        Repositories { folder, offline }
    }

    /// The versions that have tags, the oldest first. Each major version from 2 is a package of its own.
    pub fn versions(&self, path: &str) -> Outcome<Vec<Version>> {
        let clone = self.clone_of(path)?;
        if !self.offline {
            self.fetch(path)?;
        }
        let tags = git(&clone, &["tag", "--list", "v*"])?;
        let major = major(path);
        let fits = |v: &Version| major.map_or(v.major() <= 1, |m| v.major() == m);
        let tags = String::from_utf8_lossy(&tags).into_owned();
        let mut versions: Vec<Version> =
            tags.lines().filter_map(|tag| tag.strip_prefix('v')?.parse().ok()).filter(fits).collect();
        versions.sort();
        Ok(versions)
    }

    /// The commit that a version is.
    pub fn commit(&self, path: &str, version: &Version) -> Outcome<String> {
        let clone = self.clone_of(path)?;
        let name = format!("{}^{{commit}}", version.revision());
        let find = || git(&clone, &["rev-parse", "--verify", "--quiet", &name]);
        let found = find().or_else(|why| match self.offline {
            true => Err(why),
            false => self.fetch(path).and_then(|()| find()),
        });
        let hash = found.map_err(|_| {
            let place = if self.offline { " in the cache" } else { "" };
            format!("`{path}` has no version {version}{place}")
        })?;
        Ok(String::from_utf8_lossy(&hash).trim().to_string())
    }

    /// What a commit of a package requires.
    pub fn manifest(&self, path: &str, commit: &str) -> Outcome<Manifest> {
        let text = git(&self.clone_of(path)?, &["show", &format!("{commit}:{FILE}")])
            .map_err(|_| format!("`{path}` is no package: it has no `{FILE}`"))?;
        let manifest = Manifest::parse(&String::from_utf8_lossy(&text));
        let manifest = manifest.map_err(|why| format!("{FILE} of `{path}`: {why}"))?;
        match &manifest.package {
            Some(own) if own != path => Err(format!("`{path}` calls itself `{own}`: that is its name")),
            _ => Ok(manifest),
        }
    }

    /// The files of a package at a commit.
    pub fn files(&self, path: &str, commit: &str) -> Outcome<Vec<PackageFile>> {
        let clone = self.clone_of(path)?;
        let folder = format!("lib/{path}/");
        let list = git(&clone, &["ls-tree", "-r", "-z", commit, "--", &folder])?;
        let mut files = Vec::new();
        for entry in list.split(|b| *b == 0).filter(|entry| !entry.is_empty()) {
            let entry = String::from_utf8_lossy(entry).into_owned();
            let (about, name) = entry.split_once('\t').ok_or("git lists files in a way that is not known")?;
            let about: Vec<&str> = about.split(' ').collect();
            // Links could lead anywhere.
            let is_file = about.first().is_some_and(|mode| mode.starts_with("100"));
            let inner = name
                .strip_prefix(&folder)
                .filter(|n| n.split('/').all(|part| !part.is_empty() && part != ".."));
            let (Some(inner), Some(object), true) = (inner, about.get(2), is_file) else {
                return Err(format!("`{path}` has something that is no file: {name}"));
            };
            files
                .push(PackageFile { path: inner.into(), bytes: git(&clone, &["cat-file", "blob", object])? });
        }
        match files.is_empty() {
            true => Err(format!("`{path}` is no package: it has no files in `{folder}`")),
            false => Ok(files),
        }
    }

    /// The clone of a repository, made if it is not there.
    fn clone_of(&self, path: &str) -> Outcome<PathBuf> {
        check_path(path)?;
        let repository = path.split('@').next().unwrap_or(path);
        let clone = self.folder.join(format!("{repository}.git"));
        if clone.join("HEAD").exists() {
            return Ok(clone);
        }
        if self.offline {
            return Err(format!("`{path}` is not in the cache"));
        }
        let cannot = |e: std::io::Error| format!("`{}` cannot be made: {e}", clone.display());
        let parent = clone.parent().ok_or("there is no place for packages")?;
        fs::create_dir_all(parent).map_err(cannot)?;
        // Under another name first: a clone that was interrupted is none.
        let unfinished = clone.with_extension(format!("git.{}", std::process::id()));
        let address = format!("https://{repository}");
        let unfinished_name = unfinished.to_string_lossy().into_owned();
        let made = run(&["clone", "--bare", "--quiet", "--", &address, &unfinished_name]);
        let made = made.map_err(|why| format!("`{path}` cannot be fetched: {why}"));
        let kept = made.and_then(|_| match fs::rename(&unfinished, &clone) {
            // Somebody else was faster.
            Err(_) if clone.join("HEAD").exists() => Ok(()),
            renamed => renamed.map_err(cannot),
        });
        let _ = fs::remove_dir_all(&unfinished);
        kept.map(|()| clone)
    }

    fn fetch(&self, path: &str) -> Outcome<()> {
        let clone = self.clone_of(path)?;
        // Without force: a tag that has moved is what the hashes are there for.
        git(&clone, &["fetch", "--quiet", "origin", "+refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"])
            .map(|_| ())
            .map_err(|why| format!("`{path}` cannot be fetched: {why}"))
    }
}

/// The major version that is part of the name of a package.
fn major(path: &str) -> Option<u64> {
    path.rsplit_once('@')?.1.parse().ok()
}

fn git(clone: &std::path::Path, args: &[&str]) -> Outcome<Vec<u8>> {
    let folder = format!("--git-dir={}", clone.display());
    run(&[&[folder.as_str()], args].concat())
}

/// What git prints. It asks nobody for passwords.
fn run(args: &[&str]) -> Outcome<Vec<u8>> {
    let output = Command::new("git")
        .args(args)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| match e.kind() {
            ErrorKind::NotFound => "git is not installed".to_string(),
            _ => format!("git cannot be run: {e}"),
        })?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let line = said.lines().map(|l| l.trim_start_matches("fatal: ")).find(|l| !l.trim().is_empty());
            Err(line.unwrap_or("git failed").to_string())
        }
    }
}
