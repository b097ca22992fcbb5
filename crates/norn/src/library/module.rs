//! A program as a Python module: a file with a function for each entry point, on top of the shared library of the program.
//!
//! What the functions have in common is rts/library/module.py, which reads the manifest.

use norn_ir::imp::Prog;
use std::fmt::Write;

const COMMON: &str = include_str!("../../rts/library/module.py");

/// The text of the module. `library` is the file name of the shared library beside it.
pub fn module(prog: &Prog, name: &str, library: &str, manifest: &str) -> String {
    let mut text = COMMON
        .replace("@NAME@", name)
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@LIBRARY@", library)
        .replace("@MANIFEST@", manifest.trim_end());
    let type_name = |unique: bool, id: norn_ir::nest::IfaceId| {
        format!("{}{}", if unique { "*" } else { "" }, prog.ifaces[id.0 as usize].name)
    };
    for entry in &prog.entries {
        let names: Vec<String> = entry.params.iter().map(|param| identifier(&param.name)).collect();
        let types = entry.params.iter().zip(&names);
        let types: Vec<String> =
            types.map(|(param, name)| format!("{name}: {}", type_name(param.unique, param.ty))).collect();
        let result = type_name(entry.result_unique, entry.result);
        let doc = if entry.doc.is_empty() { String::new() } else { format!("\n\n{}", entry.doc) };
        let doc = format!("{}({}) -> {result}{doc}", entry.name, types.join(", "));
        let args: String = names.iter().map(|name| format!(", {name}")).collect();
        let _ = write!(
            text,
            "\n\ndef {}({}):\n    \"\"\"{}\"\"\"\n    return _call({:?}{args})\n",
            identifier(&entry.name),
            names.join(", "),
            doc.replace('\\', "\\\\").replace('"', "\\\""),
            entry.name,
        );
    }
    text
}

/// A name that Python takes for one.
pub fn identifier(name: &str) -> String {
    let words = [
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "False", "None", "True",
    ];
    let name = name.replace('\'', "_");
    if words.contains(&name.as_str()) { name + "_" } else { name }
}
