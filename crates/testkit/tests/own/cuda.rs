//! Errors of NVRTC in their kernels.

use norn_testkit::cuda::*;

#[test]
fn an_error_is_found_in_its_kernel() {
    let text = "NORN_KERNEL(256) k_one(i64 n) {\n  n = 1;\n}\nNORN_KERNEL(256) k_two(i64 n) {\n  m = 1;\n}\n";
    let line = first_place("NVRTC rejects\nkernels.cu(5): error: identifier \"m\" is undefined\n").unwrap();
    assert_eq!(line, 5);
    assert_eq!(kernel_at(text, line), "NORN_KERNEL(256) k_two(i64 n) {");
    assert!(around(text, line).contains("    5   m = 1;\n"));
}
