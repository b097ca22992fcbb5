//! PoCL compiles kernels in a hurry. It runs all passes of LLVM's `-O3` twice over each kernel, although it is asked for none, and its code
//! generator allocates registers as well as it can: that was a fifth of the time that all tests take.
//!
//! PoCL calls LLVM for its passes. A function of the same name in this program is found first, as the linker's option in `build.rs` makes it
//! visible, and adds only what kernels cannot do without. Versions of LLVM that do not have the function never call it.

use libloading::os::unix::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null;
use std::sync::OnceLock;

/// `llvm::PassManagerBuilder::populateModulePassManager(llvm::legacy::PassManagerBase &)`.
const POPULATE: &CStr =
    c"_ZN4llvm18PassManagerBuilder25populateModulePassManagerERNS_6legacy15PassManagerBaseE";

/// The options of the code generator. It runs all its passes for optimised code, too, and has no option to run none; those that take time have one
/// each. Options that a version does not know are ignored.
const OPTIONS: [&CStr; 24] = [
    c"pocl",
    c"-fast-isel=1",
    c"-regalloc=fast",
    c"-optimize-regalloc=0",
    c"-disable-lsr",
    c"-disable-cgp",
    c"-disable-mergeicmps",
    c"-disable-constant-hoisting",
    c"-disable-partial-libcall-inlining",
    c"-disable-early-taildup",
    c"-disable-early-ifcvt",
    c"-disable-machine-dce",
    c"-disable-machine-licm",
    c"-disable-machine-cse",
    c"-disable-machine-sink",
    c"-disable-peephole",
    c"-disable-postra-machine-licm",
    c"-disable-postra-machine-sink",
    c"-disable-post-ra",
    c"-disable-branch-fold",
    c"-disable-tail-duplicate",
    c"-disable-block-placement",
    c"-disable-copyprop",
    c"-x86-machine-combiner=0",
];

type Populate = unsafe extern "C" fn(*mut c_void, *mut c_void);
type AddPass = unsafe extern "C" fn(*mut c_void);
type ParseOptions = unsafe extern "C" fn(c_int, *const *const c_char, *const c_char);

/// Functions of the LLVM that PoCL has loaded.
struct Llvm {
    populate: Populate,
    /// Removes functions that nothing calls, whose variables are nowhere else.
    add_removal: Option<AddPass>,
}

/// Keeps the function below in this program. To be called before PoCL is loaded.
pub fn hurry() {
    let populate: Populate = populate;
    std::hint::black_box(populate);
}

/// What PoCL calls instead of LLVM's function.
///
/// # Safety
/// The arguments are those of LLVM's function: a builder and the pipeline to which passes are to be added.
// SAFETY: no other function of this program has this name, and whoever calls it by this name wants the passes of a pipeline added.
#[unsafe(export_name = "_ZN4llvm18PassManagerBuilder25populateModulePassManagerERNS_6legacy15PassManagerBaseE")]
unsafe extern "C" fn populate(builder: *mut c_void, passes: *mut c_void) {
    static LLVM: OnceLock<Option<Llvm>> = OnceLock::new();
    match LLVM.get_or_init(find) {
        // SAFETY: the function takes a pipeline, and this is one. The two languages represent it alike.
        Some(Llvm { add_removal: Some(add), .. }) => unsafe { add(passes) },
        // SAFETY: this is what the caller called, with its arguments.
        Some(llvm) => unsafe { (llvm.populate)(builder, passes) },
        None => {}
    }
}

/// The LLVM that is loaded, in which the code generator hurries from now on.
fn find() -> Option<Llvm> {
    let loaded = std::fs::read_to_string("/proc/self/maps").ok()?;
    let is_llvm = |path: &&str| path.rsplit('/').next().is_some_and(|name| name.starts_with("libLLVM"));
    let path = loaded.lines().filter_map(|line| line.find('/').map(|at| &line[at..])).find(is_llvm)?;
    // SAFETY: the library is loaded already, so nothing of it runs now. The functions are of these types in all versions that have them.
    unsafe {
        let library = Library::new(path).ok()?;
        let populate = *library.get::<Populate>(POPULATE.to_bytes_with_nul()).ok()?;
        let add_removal = library.get::<AddPass>(b"LLVMAddGlobalDCEPass\0").ok().map(|add| *add);
        if let Ok(parse) = library.get::<ParseOptions>(b"LLVMParseCommandLineOptions\0") {
            let words = OPTIONS.map(CStr::as_ptr);
            parse(words.len() as c_int, words.as_ptr(), null());
        }
        // It stays loaded as long as PoCL does.
        std::mem::forget(library);
        Some(Llvm { populate, add_removal })
    }
}
