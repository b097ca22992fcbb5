//! Stacks of the threads that a driver makes.
//!
//! PoCL keeps the variables of all threads of a group on the stack of the thread of the processor that runs them. Eight megabytes, which is what threads
//! usually have, are too few for large kernels. Its threads are made when it is first queried for devices, with what is usual then.

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::c_int;

    const BYTES: usize = 64 << 20;

    /// More than any system has.
    #[repr(C, align(16))]
    struct Attributes([u8; 256]);

    unsafe extern "C" {
        fn pthread_getattr_default_np(attributes: *mut Attributes) -> c_int;
        fn pthread_setattr_default_np(attributes: *const Attributes) -> c_int;
        fn pthread_attr_getstacksize(attributes: *const Attributes, bytes: *mut usize) -> c_int;
        fn pthread_attr_setstacksize(attributes: *mut Attributes, bytes: usize) -> c_int;
    }

    /// As long as it lives, new threads have at least so much.
    pub struct LargeStacks {
        usual: Option<usize>,
    }

    impl LargeStacks {
        pub fn new() -> LargeStacks {
            LargeStacks { usual: usual().filter(|bytes| *bytes < BYTES && set(BYTES)) }
        }
    }

    impl Drop for LargeStacks {
        fn drop(&mut self) {
            if let Some(usual) = self.usual {
                set(usual);
            }
        }
    }

    fn usual() -> Option<usize> {
        let (mut attributes, mut bytes) = (Attributes([0; 256]), 0);
        // SAFETY: there is room for the attributes, which are read only if they are there.
        let found = unsafe {
            pthread_getattr_default_np(&mut attributes) == 0
                && pthread_attr_getstacksize(&attributes, &mut bytes) == 0
        };
        found.then_some(bytes)
    }

    fn set(bytes: usize) -> bool {
        let mut attributes = Attributes([0; 256]);
        // SAFETY: as above; all but the size stays as it was.
        unsafe {
            pthread_getattr_default_np(&mut attributes) == 0
                && pthread_attr_setstacksize(&mut attributes, bytes) == 0
                && pthread_setattr_default_np(&attributes) == 0
        }
    }
}

#[cfg(target_os = "linux")]
pub use linux::LargeStacks;

#[cfg(not(target_os = "linux"))]
pub struct LargeStacks;

#[cfg(not(target_os = "linux"))]
impl LargeStacks {
    pub fn new() -> LargeStacks {
        LargeStacks
    }
}
