//! NVRTC, which compiles CUDA C++ in this process. It needs no GPU and no driver.

use super::find::candidates;
use crate::RuntimeError;
use crate::gpu::functions::functions;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// What we ask for. Products and sums are contracted, as everybody does on this hardware, where they are one instruction; divisions
/// and square roots are precise unless something else is said.
const OPTIONS: &[&str] = &["--device-as-default-execution-space", "--std=c++17"];

/// So much of its output about a text is shown.
const MOST_LINES: usize = 20;

type Handle = *mut c_void;

functions! {
    Functions {
        version = b"nvrtcVersion" (*mut c_int, *mut c_int) -> c_int;
        arch_count = b"nvrtcGetNumSupportedArchs" (*mut c_int) -> c_int;
        archs = b"nvrtcGetSupportedArchs" (*mut c_int) -> c_int;
        create = b"nvrtcCreateProgram" (
            *mut Handle, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char,
        ) -> c_int;
        destroy = b"nvrtcDestroyProgram" (*mut Handle) -> c_int;
        compile = b"nvrtcCompileProgram" (Handle, c_int, *const *const c_char) -> c_int;
        log_size = b"nvrtcGetProgramLogSize" (Handle, *mut usize) -> c_int;
        log = b"nvrtcGetProgramLog" (Handle, *mut c_char) -> c_int;
        cubin_size = b"nvrtcGetCUBINSize" (Handle, *mut usize) -> c_int;
        cubin = b"nvrtcGetCUBIN" (Handle, *mut c_char) -> c_int;
        ptx_size = b"nvrtcGetPTXSize" (Handle, *mut usize) -> c_int;
        ptx = b"nvrtcGetPTX" (Handle, *mut c_char) -> c_int;
        error_text = b"nvrtcGetErrorString" (c_int) -> *const c_char;
    }
}

pub struct Nvrtc {
    functions: Functions,
    version: (c_int, c_int),
    /// The architectures it knows, such as 90.
    archs: Vec<c_int>,
}

impl Nvrtc {
    /// The first that is found, and not newer than the driver if that is known.
    pub fn find(driver: Option<i32>) -> Result<Nvrtc, RuntimeError> {
        let mut why = Vec::new();
        for path in candidates(driver) {
            // SAFETY: what is called so is NVRTC.
            let found = unsafe { Functions::load(&path) };
            match found.and_then(Nvrtc::new) {
                Ok(nvrtc) if driver.is_none_or(|driver| nvrtc.version.0 <= driver) => return Ok(nvrtc),
                Ok(nvrtc) => why.push(format!("{} is newer than the driver", nvrtc.name())),
                Err(error) if path.is_absolute() => why.push(format!("{}: {error}", path.display())),
                // The usual names are often not there.
                Err(_) => {}
            }
        }
        Err(RuntimeError::NoKernelCompiler(why))
    }

    fn new(functions: Functions) -> Result<Nvrtc, String> {
        let (mut major, mut minor, mut count) = (0, 0, 0);
        let ok = |code: c_int| if code == 0 { Ok(()) } else { Err(describe(&functions, code)) };
        // SAFETY: answers are written to variables that live long enough.
        ok(unsafe { (functions.version)(&mut major, &mut minor) })?;
        // SAFETY: answers are written to variables that live long enough.
        ok(unsafe { (functions.arch_count)(&mut count) })?;
        let mut archs = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: there is room for as many numbers as it said that there are.
        ok(unsafe { (functions.archs)(archs.as_mut_ptr()) })?;
        Ok(Nvrtc { functions, version: (major, minor), archs })
    }

    /// `NVRTC 13.0`
    pub fn name(&self) -> String {
        format!("NVRTC {}.{}", self.version.0, self.version.1)
    }

    /// What binaries depend on beside their text and architecture.
    pub fn identity(&self) -> String {
        format!("{} {}", self.name(), OPTIONS.join(" "))
    }

    /// Compiles for an architecture, such as 90: to machine code, or, if it is newer than this compiler, to what the driver can
    /// translate for it.
    pub fn compile(&self, text: &str, arch: u32) -> Result<Vec<u8>, RuntimeError> {
        self.compile_with(&[], text, self.target(arch))
    }

    /// Whether it accepts a text, as fast as it can decide: the code, which is not optimised, is of no use. Machine code takes
    /// it three quarters of the time.
    pub fn accept(&self, text: &str, arch: u32, as_machine_code: bool) -> Result<(), RuntimeError> {
        let quick: &[&str] = if self.version.0 >= 13 { &["--Ofast-compile=max"] } else { &[] };
        let target = if as_machine_code { self.target(arch) } else { Target::Ptx(self.newest_before(arch)) };
        self.compile_with(quick, text, target).map(drop)
    }

    fn target(&self, arch: u32) -> Target {
        let known = self.archs.contains(&(arch as c_int));
        if known { Target::MachineCode(arch as c_int) } else { Target::Ptx(self.newest_before(arch)) }
    }

    fn compile_with(&self, more: &[&str], text: &str, target: Target) -> Result<Vec<u8>, RuntimeError> {
        let mut options: Vec<String> = OPTIONS.iter().chain(more).map(|option| option.to_string()).collect();
        options.push(match target {
            Target::MachineCode(arch) => format!("--gpu-architecture=sm_{arch}"),
            Target::Ptx(arch) => format!("--gpu-architecture=compute_{arch}"),
        });
        let rejected = |message: String| RuntimeError::KernelsRejected { compiler: self.name(), message };
        let c_text =
            |text: &str| CString::new(text).map_err(|_| rejected("the text has a byte 0 in it".to_string()));
        let options = options.iter().map(|option| c_text(option)).collect::<Result<Vec<CString>, _>>()?;
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let (source, name) = (c_text(text)?, c_text("kernels.cu")?);
        let unit = Unit::new(self, &source, &name).map_err(rejected)?;
        let f = &self.functions;
        // SAFETY: the unit exists, and the options end in zeros and live until the call returns.
        let code = unsafe { (f.compile)(unit.handle, options.len() as c_int, options.as_ptr()) };
        if code != 0 {
            let log = unit.fetch(f.log_size, f.log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log).trim_end_matches('\0').to_string();
            let lines: Vec<&str> = log.lines().take(MOST_LINES).collect();
            return Err(rejected(format!("{}\n{}", describe(f, code), lines.join("\n"))));
        }
        let (size, get) = match target {
            Target::MachineCode(_) => (f.cubin_size, f.cubin),
            Target::Ptx(_) => (f.ptx_size, f.ptx),
        };
        unit.fetch(size, get).map_err(rejected)
    }

    /// The newest architecture that it knows whose code runs on this one.
    fn newest_before(&self, arch: u32) -> c_int {
        let older = self.archs.iter().copied().filter(|known| *known <= arch as c_int);
        older.max().unwrap_or(arch as c_int)
    }
}

/// What a text becomes, for which architecture.
#[derive(Clone, Copy)]
enum Target {
    MachineCode(c_int),
    /// Of which a driver makes machine code.
    Ptx(c_int),
}

/// A text that is being compiled.
struct Unit<'a> {
    nvrtc: &'a Nvrtc,
    handle: Handle,
}

impl<'a> Unit<'a> {
    fn new(nvrtc: &'a Nvrtc, source: &CStr, name: &CStr) -> Result<Unit<'a>, String> {
        let mut handle = null_mut();
        let create = nvrtc.functions.create;
        // SAFETY: both texts end in zeros, and are only read; there are no headers.
        let code = unsafe { create(&mut handle, source.as_ptr(), name.as_ptr(), 0, null(), null()) };
        if code == 0 { Ok(Unit { nvrtc, handle }) } else { Err(describe(&nvrtc.functions, code)) }
    }

    /// Something that has a size.
    fn fetch(
        &self,
        size: unsafe extern "system" fn(Handle, *mut usize) -> c_int,
        get: unsafe extern "system" fn(Handle, *mut c_char) -> c_int,
    ) -> Result<Vec<u8>, String> {
        let mut bytes = 0;
        // SAFETY: answers are written to variables that live long enough.
        let mut code = unsafe { size(self.handle, &mut bytes) };
        let mut found = vec![0u8; bytes];
        if code == 0 {
            // SAFETY: there is room for as many bytes as it said that there are.
            code = unsafe { get(self.handle, found.as_mut_ptr().cast()) };
        }
        if code == 0 { Ok(found) } else { Err(describe(&self.nvrtc.functions, code)) }
    }
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        // SAFETY: the unit was made by `create`, and is not used any more.
        unsafe { (self.nvrtc.functions.destroy)(&mut self.handle) };
    }
}

fn describe(functions: &Functions, code: c_int) -> String {
    // SAFETY: it takes no pointers.
    let text = unsafe { (functions.error_text)(code) };
    if text.is_null() {
        return format!("error {code} of NVRTC");
    }
    // SAFETY: texts of the library end in a zero, and last as long as it is loaded, which is for ever.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
