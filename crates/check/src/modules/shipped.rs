//! The files that are part of the compiler: the prelude, which every program sees, and the standard library, whose
//! modules a program imports as `/norn/NAME`.
//!
//! All of `/norn/` belongs to the library: such an import never looks into the file system, so that a program means the same on
//! every machine. A file of the user in a folder of that name has another path (`outside`).

/// What the names of the library begin with.
pub(super) const LIBRARY: &str = "/norn/";

/// The text of a file of the prelude or of the library.
pub fn shipped_file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(p, _)| *p == path).map(|(_, text)| *text)
}

/// What the library can be imported as.
pub fn library_names() -> impl Iterator<Item = &'static str> {
    FILES
        .iter()
        .filter(|(path, _)| path.starts_with(LIBRARY))
        .filter_map(|(path, _)| path.strip_suffix(".fut"))
}

/// The path of a file that is not part of the compiler. Where it would be that of a file of the library, it leads to the same
/// place in other words.
pub(super) fn outside(path: &str) -> String {
    if path.starts_with(LIBRARY) { format!("/.{path}") } else { path.to_string() }
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$((concat!("/", $path), include_str!(concat!("../../lib/", $path)))),*]
    };
}

/// By the paths they import one another under.
pub const FILES: &[(&str, &str)] = files![
    "prelude/intrinsics.fut",
    "prelude/prelude.fut",
    "prelude/ad.fut",
    "prelude/array.fut",
    "prelude/functional.fut",
    "prelude/irregular.fut",
    "prelude/nesl.fut",
    "prelude/numeric.fut",
    "prelude/primitive.fut",
    "prelude/soacs.fut",
    "prelude/sort.fut",
    "prelude/stream.fut",
    "prelude/zip.fut",
    "norn/complex.fut",
    "norn/fft.fut",
    "norn/field.fut",
    "norn/graph.fut",
    "norn/linalg.fut",
    "norn/random.fut",
    "norn/segmented.fut",
    "norn/sorting.fut",
    "norn/sparse.fut",
    "norn/statistics.fut",
    "norn/strings.fut",
];
