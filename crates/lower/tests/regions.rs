//! The programs in tests/passes/regions: input, a line `---`, and what comes out. BLESS=1 writes the latter.

use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};
use norn_lower::infer_regions;
use std::path::{Path, PathBuf};

#[test]
fn programs_get_the_regions_written_beneath_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/passes/regions");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.sort();
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    for path in paths {
        let name = path.display();
        let text = std::fs::read_to_string(&path).expect("a program");
        let (input, expected) = text.split_once("---\n").unwrap_or((&text, ""));
        let mut prog = parse(input).unwrap_or_else(|error| panic!("{name}:{error}"));
        let before = verify(&prog, Stage::BeforeRegions);
        assert!(before.is_empty(), "{name} breaks rules: {before:?}");
        infer_regions(&mut prog);
        let found = print(&prog);
        let after = verify(&prog, Stage::Complete);
        assert!(after.is_empty(), "{name} breaks rules afterwards: {after:?}\n{found}");
        if bless && found != expected {
            std::fs::write(&path, format!("{input}---\n{found}")).expect("the program is written");
        } else {
            assert!(found == expected, "{name} becomes\n{found}");
        }
    }
}
