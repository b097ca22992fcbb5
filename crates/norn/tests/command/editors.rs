//! The language server in a real editor: Neovim, where it is installed.
#![cfg(unix)]

use std::process::Command;

#[test]
fn neovim_sees_errors_hovers_renames_completes_and_formats() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile tests/editors/neovim.lua"])
        .current_dir(root)
        .env("NORN", env!("CARGO_BIN_EXE_norn"))
        .output();
    let Ok(output) = output else {
        eprintln!("note: there is no Neovim here");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("all well"),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
