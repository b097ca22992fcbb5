//! Kernels from text or from binaries, by the compiler of the device's driver.

use super::OpenCl;
use super::api::*;
use crate::RuntimeError;
use crate::gpu::module::{Kernel, Param};
use std::ffi::{CString, c_int, c_uint};
use std::ptr::{null, null_mut};

/// So much of the compiler's output is shown.
const MOST_LINES: usize = 20;

/// What stands before a text for PoCL instead of the header that it includes itself.
const POCL_DECLARATIONS: &str = include_str!("../../../rts/gpu/pocl.h");
/// Makes PoCL believe that its header was included.
const POCL_WITHOUT_HEADER: &str = "-D_OPENCL_H_";

/// Kernels that are ready to run.
pub struct Loaded {
    program: ProgramHandle,
    pub kernels: Vec<Ready>,
}

pub struct Ready {
    pub handle: KernelHandle,
    pub group_size: usize,
    pub params: Vec<Param>,
}

impl Loaded {
    /// Queued kernels keep what they need.
    pub fn release(self, api: &OpenClApi) {
        // SAFETY: kernels and program were made by OpenCL and are not used any more; those that are queued keep what they need.
        unsafe {
            for kernel in &self.kernels {
                (api.kernel_release)(kernel.handle);
            }
            (api.program_release)(self.program);
        }
    }
}

impl OpenCl {
    /// What `load_kernels` takes: the binary of a text, or the text itself, of which a driver that compiles on demand makes what is
    /// launched.
    pub(super) fn compile_text(&self, text: &str) -> Result<Vec<u8>, RuntimeError> {
        if self.compiles_on_demand {
            return Ok(text.into());
        }
        let program = self.program_of_text(&[text.as_bytes()])?;
        let binary = self.build(program, &self.options).and_then(|()| self.binary(program));
        // SAFETY: the program was made above, and is not used any more.
        unsafe { (self.api.program_release)(program) };
        binary
    }

    pub(super) fn load_kernels(&self, compiled: &[u8], kernels: &[Kernel]) -> Result<Loaded, RuntimeError> {
        let program = if self.compiles_on_demand {
            self.built_from_text(compiled)?
        } else {
            self.built(self.program_of_binary(compiled)?, &self.options)?
        };
        let mut loaded = Loaded { program, kernels: Vec::with_capacity(kernels.len()) };
        let ready = kernels.iter().try_for_each(|kernel| {
            loaded.kernels.push(self.kernel(program, kernel)?);
            Ok(())
        });
        match ready {
            Ok(()) => Ok(loaded),
            Err(error) => {
                loaded.release(&self.api);
                Err(error)
            }
        }
    }

    /// With our own declarations, which take PoCL a tenth of the time. Should another version not accept them, it gets all that there are.
    fn built_from_text(&self, text: &[u8]) -> Result<ProgramHandle, RuntimeError> {
        let options = format!("{} {POCL_WITHOUT_HEADER}", self.options);
        let with_declarations = self.program_of_text(&[POCL_DECLARATIONS.as_bytes(), text])?;
        let built = self.built(with_declarations, &options);
        built.or_else(|_| self.built(self.program_of_text(&[text])?, &self.options))
    }

    /// The program when it is built; if that fails, it is released.
    fn built(&self, program: ProgramHandle, options: &str) -> Result<ProgramHandle, RuntimeError> {
        self.build(program, options).map(|()| program).inspect_err(|_| {
            // SAFETY: the program exists, and is not used any more.
            unsafe { (self.api.program_release)(program) };
        })
    }

    /// A text in parts.
    fn program_of_text(&self, parts: &[&[u8]]) -> Result<ProgramHandle, RuntimeError> {
        let sources: Vec<_> = parts.iter().map(|part| part.as_ptr().cast()).collect();
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let count = parts.len() as c_uint;
        let mut code = 0;
        // SAFETY: there are so many parts, with so many bytes each, which are only read; the code is written to a variable that lives long
        // enough.
        let program = unsafe {
            let (sources, lengths) = (sources.as_ptr(), lengths.as_ptr());
            (self.api.program_of_source)(self.context, count, sources, lengths, &mut code)
        };
        check("take kernels", code)?;
        Ok(program)
    }

    fn program_of_binary(&self, binary: &[u8]) -> Result<ProgramHandle, RuntimeError> {
        let (bytes, length) = (binary.as_ptr(), binary.len());
        let (mut status, mut code) = (0, 0);
        // SAFETY: there is one device and one binary of so many bytes, which is only read; answers are written to variables that live long
        // enough.
        let program = unsafe {
            let (device, length) = (&self.device, &length);
            (self.api.program_of_binary)(self.context, 1, device, length, &bytes, &mut status, &mut code)
        };
        check("load kernels", code)?;
        if let Err(device_error) = check("load kernels", status) {
            // SAFETY: the program was made above, and is not used any more.
            unsafe { (self.api.program_release)(program) };
            return Err(device_error.into());
        }
        Ok(program)
    }

    fn build(&self, program: ProgramHandle, options: &str) -> Result<(), RuntimeError> {
        let options = CString::new(options).unwrap_or_default();
        // SAFETY: the program and the device exist, and the options end in a zero.
        let code = unsafe {
            (self.api.program_build)(program, 1, &self.device, options.as_ptr(), null(), null_mut())
        };
        if code == 0 {
            return Ok(());
        }
        // SAFETY: `info_bytes` passes room for so many bytes.
        let log = info_bytes(|size, to, got| unsafe {
            (self.api.build_info)(program, self.device, BUILD_LOG, size, to, got)
        });
        let log = String::from_utf8_lossy(&log.unwrap_or_default()).trim_end_matches('\0').to_string();
        let lines: Vec<&str> = log.lines().take(MOST_LINES).collect();
        Err(RuntimeError::KernelsRejected {
            compiler: format!("OpenCL, {}", self.facts.name),
            message: format!("{}\n{}", describe(code), lines.join("\n")),
        })
    }

    fn binary(&self, program: ProgramHandle) -> Result<Vec<u8>, RuntimeError> {
        let info = self.api.program_info;
        let mut length = 0usize;
        // SAFETY: the answer is one number of that size, since there is one device.
        let code = unsafe {
            info(program, PROGRAM_BINARY_SIZES, size_of::<usize>(), (&raw mut length).cast(), null_mut())
        };
        check("find the binary of kernels", code)?;
        let mut binary = vec![0u8; length];
        let mut place = binary.as_mut_ptr();
        // SAFETY: the answer is written to where the one pointer leads: room for as many bytes as there are.
        let code = unsafe {
            info(program, PROGRAM_BINARIES, size_of::<*mut u8>(), (&raw mut place).cast(), null_mut())
        };
        check("find the binary of kernels", code)?;
        Ok(binary)
    }

    fn kernel(&self, program: ProgramHandle, kernel: &Kernel) -> Result<Ready, RuntimeError> {
        let name = CString::new(kernel.name.as_str()).unwrap_or_default();
        let mut code: c_int = 0;
        // SAFETY: the program exists, and the name ends in a zero.
        let handle = unsafe { (self.api.kernel_create)(program, name.as_ptr(), &mut code) };
        if code != 0 {
            let message = format!("there is no kernel `{}`: {}", kernel.name, describe(code));
            return Err(RuntimeError::Device(message));
        }
        Ok(Ready { handle, group_size: kernel.group_size as usize, params: kernel.params.clone() })
    }
}
