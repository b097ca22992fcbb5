//! Where NVRTC may be.
//!
//! It belongs to no driver: it comes with the toolkit, or in a package of Python. Its name has the version in it, so
//! that several may be there.

use std::path::{Path, PathBuf};

/// Versions that we know of, the newest first.
const VERSIONS: &[(i32, &str)] = &[(13, "13"), (12, "12"), (11, "11.2")];

/// What may be loaded, in the order in which to try. A binary for a newer CUDA than the driver's is of no use, so no newer
/// version is tried than the driver's, if that is known.
pub fn candidates(driver: Option<i32>) -> Vec<PathBuf> {
    if let Some(given) = std::env::var_os("NORN_NVRTC").filter(|value| !value.is_empty()) {
        return vec![given.into()];
    }
    let names = names(driver);
    // What the system finds by itself comes first.
    let mut found: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    let folders = folders();
    for name in &names {
        found.extend(folders.iter().map(|folder| folder.join(name)).filter(|path| path.is_file()));
    }
    found
}

fn names(driver: Option<i32>) -> Vec<String> {
    let usable = VERSIONS.iter().filter(|(major, _)| driver.is_none_or(|driver| *major <= driver));
    let mut names: Vec<String> = usable
        .map(|(major, suffix)| match cfg!(windows) {
            true => format!("nvrtc64_{major}{}_0.dll", if *major == 11 { "2" } else { "0" }),
            false => format!("libnvrtc.so.{suffix}"),
        })
        .collect();
    if !cfg!(windows) {
        names.push("libnvrtc.so".into());
    }
    names
}

fn folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let installed = entries(Path::new("/usr/local"), "cuda").into_iter().rev();
    for toolkit in toolkits.chain(installed).chain([PathBuf::from("/opt/cuda")]) {
        folders.extend(["lib64", "lib", "bin", "targets/x86_64-linux/lib"].map(|lib| toolkit.join(lib)));
    }
    for packages in python_packages() {
        folders.extend(["cu13/lib", "cuda_nvrtc/lib"].map(|lib| packages.join("nvidia").join(lib)));
    }
    folders
}

/// The folders of packages of the Pythons that can be seen from here.
fn python_packages() -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from).into_iter().collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let with_python = std::env::split_paths(&path).filter(|folder| folder.join("python3").exists());
    prefixes.extend(with_python.filter_map(|bin| bin.parent().map(PathBuf::from)));
    prefixes.extend(std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local")));
    let mut packages = Vec::new();
    for prefix in prefixes {
        for python in entries(&prefix.join("lib"), "python3") {
            packages.extend(["site-packages", "dist-packages"].map(|folder| python.join(folder)));
        }
    }
    packages
}

/// What is in a folder whose name begins in a way, in order.
fn entries(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = all
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn no_newer_compiler_than_the_driver() {
        let has = |names: Vec<String>, version: &str| names.iter().any(|name| name.contains(version));
        assert!(has(names(None), "13") && has(names(Some(13)), "13"));
        assert!(!has(names(Some(12)), "13") && has(names(Some(12)), "12"));
    }
}
