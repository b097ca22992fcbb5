//! The library and a user's files of the same names.

use norn_base::SourceMap;
use norn_check::{LoadError, Loader, Options, check};

/// One file, wherever it is looked for under `/norn`.
struct Mine;

impl Loader for Mine {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        if path.ends_with("norn/complex.fut") {
            Ok("def mine : i32 = 1".into())
        } else {
            Err(LoadError::NotFound)
        }
    }
}

/// Files in a folder `/norn` find each other, and the library is there, too.
#[test]
fn a_folder_with_the_name_of_the_library_does_not_hide_it() {
    let text = "import \"complex\"
module theirs = import \"/norn/complex\"
def both : (i32, f64) = (mine, theirs.c64.zero.0)";
    let mut sources = SourceMap::default();
    let root = sources.add("/norn/fft.fut", text);
    let checked = check(&mut sources, root, "/norn/fft.fut", &mut Mine, Options::default());
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
}
