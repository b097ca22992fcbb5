//! The tests let PoCL find a function in them: see `tests/pocl/mod.rs`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let name = "_ZN4llvm18PassManagerBuilder25populateModulePassManagerERNS_6legacy15PassManagerBaseE";
        println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol={name}");
    }
}
