#!/usr/bin/env bash
# ThreadSanitizer looks on while threads of Python call programs on two devices at once (calls.py).
#
# The package is built with the standard library, both instrumented: `rustup component add rust-src` brings the source. Python is not instrumented, so the
# runtime of the sanitizer is loaded before it, as a library of its own. What the C compiler and PoCL make is not watched. Needs gcc with libtsan, and NumPy, which PYTHONPATH may say where to find.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
platform=$(rustc -vV | sed -n 's/^host: //p')
built=$root/target/races
package=$built/package

export RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=thread CARGO_TARGET_DIR=$built
cargo -Zbuild-std build --target "$platform" -p norn-python

rm -rf "$package" && mkdir -p "$package"
cp -r crates/python/python/norn "$package"
cp "$built/$platform/debug/lib_norn.so" "$package/norn/_norn.abi3.so"
# The runtime that comes with Rust cannot be loaded before a program: that of gcc is. Older ones lack three functions.
runtime=$(gcc -print-file-name=libtsan.so)
gcc -shared -fPIC -fno-builtin -o "$built/libmemory.so" -x c - << 'END'
#include <string.h>
void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *__tsan_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }
END

export TSAN_OPTIONS="suppressions=$root/tests/races/others.txt exitcode=66 ${TSAN_OPTIONS:-}"
# The sanitizer needs addresses where it expects them, and `python3` may be a script.
python=$(python3 -c 'import sys; print(sys.executable)')
PYTHONPATH=$package:$root/target/python${PYTHONPATH:+:$PYTHONPATH} setarch -R env LD_PRELOAD="$runtime:$built/libmemory.so" "$python" tests/races/calls.py "$@"
echo "no races"
