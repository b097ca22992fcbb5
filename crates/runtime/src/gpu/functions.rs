//! Tables of the functions of a shared library that is loaded when it is needed. It is never unloaded: drivers start threads and
//! have state that they do not find again.

/// A struct with a field for each function, and a way to fill it. A library that lacks one of them is not used.
macro_rules! functions {
    ($(#[$doc:meta])* $table:ident { $($field:ident = $symbol:literal ($($arg:ty),* $(,)?) -> $result:ty;)* }) => {
        $(#[$doc])*
        pub struct $table {
            $(pub $field: unsafe extern "system" fn($($arg),*) -> $result,)*
        }

        impl $table {
            /// Loads the library at a path, or that the system finds by a name; or why not.
            ///
            /// # Safety
            /// The library is what its name says.
            pub unsafe fn load(path: impl AsRef<std::ffi::OsStr>) -> Result<$table, String> {
                // SAFETY: the library is what its name says, as the caller promises, so that loading it does what its makers mean it to.
                let library = unsafe { libloading::Library::new(path.as_ref()) }.map_err($crate::error::load_error)?;
                // SAFETY: the type is that of the function in the library's documentation, and the library is never unloaded.
                $(let $field = *unsafe { library.get($symbol) }.map_err($crate::error::load_error)?;)*
                let table = $table { $($field,)* };
                std::mem::forget(library);
                Ok(table)
            }

            /// A table in which nothing can be called, for tests to put functions of their own into.
            #[cfg(test)]
            #[allow(dead_code)]
            pub fn empty() -> $table {
                $table {
                    $($field: {
                        extern "system" fn nothing($(_: $arg),*) -> $result {
                            panic!("{} is called", stringify!($field))
                        }
                        nothing
                    },)*
                }
            }
        }
    };
}

pub(super) use functions;
