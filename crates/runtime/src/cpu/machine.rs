//! The machine that code is compiled for.
//!
//! A folder of compiled programs may be shared by several machines, and code for one need not run on the other. What the
//! processor can do is part of what a compiled program is found by.

/// The operating system, the architecture, and what the processor can do of that which compilers make use of.
pub fn machine() -> String {
    let mut text = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    for feature in features() {
        text.push(' ');
        text += feature;
    }
    text
}

/// The names of those features that are there.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! detected {
    ($detect:ident: $($name:tt)*) => {
        [$(($name, std::arch::$detect!($name))),*].into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect()
    };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    detected!(is_x86_feature_detected:
        "sse3" "ssse3" "sse4.1" "sse4.2" "sse4a" "avx" "avx2" "fma" "f16c" "bmi1" "bmi2" "lzcnt" "popcnt" "movbe" "adx"
        "aes" "pclmulqdq" "sha" "gfni" "vaes" "vpclmulqdq" "rdrand" "rdseed" "avx512f" "avx512cd" "avx512bw" "avx512dq"
        "avx512vl" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vnni" "avx512bitalg" "avx512vpopcntdq" "avx512bf16"
        "avx512fp16" "avx512vp2intersect" "avxvnni")
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    detected!(is_aarch64_feature_detected:
        "asimd" "aes" "bf16" "bti" "crc" "dotprod" "fcma" "fhm" "flagm" "fp16" "frintts" "i8mm" "jsconv" "lse" "paca"
        "rcpc" "rdm" "sha2" "sha3" "sm4" "sve" "sve2")
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_has_a_name() {
        assert!(super::machine().starts_with(std::env::consts::OS));
    }
}
