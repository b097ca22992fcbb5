//! Packages: programs of others, as Futhark's package manager has them.
//!
//! A package is a git repository, known by its address without `https://`. A file `futhark.pkg` (`manifest`) lists the packages that a program requires, each
//! with the oldest version that will do and the commit that this version is. Versions are tags, `v1.2.3`.
//!
//! Which versions are used is minimal version selection (Cox, "Minimal Version Selection", 2018): of each package the newest that anybody asks for, and no newer one (`solve`). So
//! the same files give the same versions, whatever has been released meanwhile. Repositories are kept in the cache (`git`), and what was fetched once needs no
//! network. The files of packages are written to `lib` (`install`), where imports find them; a list there says which they are, so that nothing else in `lib` is ever touched.

mod git;
mod install;
mod manifest;
mod solve;
mod version;

pub use install::{Installed, install};
pub use manifest::{Manifest, Required};
pub use version::Version;

use git::Repositories;
use std::path::{Path, PathBuf};

/// The name of the file that lists what a program requires.
pub const FILE: &str = "futhark.pkg";

/// A phrase or a sentence about what went wrong.
pub type Outcome<T> = Result<T, String>;

/// A folder with a program that uses packages, or is one.
pub struct Project {
    pub folder: PathBuf,
    repositories: Repositories,
}

/// A package that is used: its version, and what that is in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub path: String,
    pub version: Version,
    pub commit: String,
}

impl Project {
    /// With `offline`, only what is in the cache is used.
    pub fn new(folder: &Path, offline: bool) -> Outcome<Project> {
        let cache = norn_runtime::cache_folder().ok_or("there is no folder for caches: set NORN_CACHE")?;
        Ok(Project {
            folder: folder.into(),
            repositories: Repositories::new(cache.join("packages"), offline),
        })
    }

    /// What the project requires; nothing if it does not say.
    pub fn manifest(&self) -> Outcome<Manifest> {
        match std::fs::read_to_string(self.folder.join(FILE)) {
            Ok(text) => Manifest::parse(&text).map_err(|why| format!("{FILE}: {why}")),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Manifest::default()),
            Err(e) => Err(format!("`{FILE}` cannot be read: {e}")),
        }
    }

    pub fn write(&self, manifest: &Manifest) -> Outcome<()> {
        std::fs::write(self.folder.join(FILE), manifest.to_string())
            .map_err(|e| format!("`{FILE}` cannot be written: {e}"))
    }

    /// All versions of a package, the oldest first.
    pub fn versions(&self, path: &str) -> Outcome<Vec<Version>> {
        self.repositories.versions(path)
    }

    /// Require a package: in this version, or the newest.
    pub fn add(&self, path: &str, version: Option<Version>) -> Outcome<Required> {
        let version = match version {
            Some(version) => version,
            None => self.versions(path)?.pop().ok_or_else(|| format!("`{path}` has no versions"))?,
        };
        let commit = self.repositories.commit(path, &version)?;
        let required = Required { path: path.into(), version, commit: Some(commit), comments: Vec::new() };
        let mut manifest = self.manifest()?;
        manifest.require(required.clone());
        self.write(&manifest)?;
        Ok(required)
    }

    /// Require the newest version of everything; what changed, with the version from before.
    pub fn upgrade(&self) -> Outcome<Vec<(Version, Required)>> {
        let mut manifest = self.manifest()?;
        let mut changed = Vec::new();
        for required in &mut manifest.requires {
            let versions = self.versions(&required.path)?;
            if let Some(newest) = versions.into_iter().next_back().filter(|v| *v > required.version) {
                let before = std::mem::replace(&mut required.version, newest);
                required.commit = Some(self.repositories.commit(&required.path, &required.version)?);
                changed.push((before, required.clone()));
            }
        }
        self.write(&manifest)?;
        Ok(changed)
    }

    /// The versions that are used of all packages, also of those that packages require.
    pub fn solve(&self) -> Outcome<Vec<Chosen>> {
        solve::solve(&self.manifest()?, &self.repositories)
    }

    /// Write the files of all packages to `lib`, and remove those of packages that are not used any more.
    pub fn sync(&self) -> Outcome<Installed> {
        let manifest = self.manifest()?;
        let chosen = solve::solve(&manifest, &self.repositories)?;
        let own = manifest.package.as_deref();
        if let Some(clash) = chosen.iter().find(|c| Some(c.path.as_str()) == own) {
            return Err(format!("`{}` requires itself", clash.path));
        }
        install(&self.folder, &chosen, &self.repositories)
    }
}

/// Whether something can be the address of a package: a host, and names behind it.
pub fn check_path(path: &str) -> Outcome<()> {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '-'])
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~@".contains(c))
    };
    let parts: Vec<&str> = path.split('/').collect();
    match parts.len() >= 2 && parts.iter().all(|part| is_part(part)) {
        true => Ok(()),
        false => Err(format!(
            "`{path}` is no package: expected an address without `https://`, as in github.com/user/name"
        )),
    }
}
