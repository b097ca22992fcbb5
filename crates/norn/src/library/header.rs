//! The `.h` file, and the parts of the `.c` file that are the same for all programs.

use super::Target;
use super::functions::Functions;
use super::names::{Types, mangled};

pub fn header(name: &str, types: &Types, functions: &Functions, target: Target) -> String {
    let guard = format!("NORN_LIBRARY_{}_H", mangled(name).to_uppercase());
    let structs: String = types.values().map(|id| format!("struct futhark_{};\n", types.name(id))).collect();
    format!(
        "// {name}: a library that norn {} made. How it is used: https://futhark.readthedocs.io/en/latest/c-api.html\n\
         #ifndef {guard}\n#define {guard}\n\n#define FUTHARK_BACKEND_{}\n{DECLARATIONS}{}\n{structs}\n{}\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        env!("CARGO_PKG_VERSION"),
        target.name(),
        of_target(target),
        functions.declarations
    )
}

/// What libraries for GPUs have besides.
fn of_target(target: Target) -> String {
    match target {
        Target::Cpu => String::new(),
        Target::OpenCl => [GPU_DECLARATIONS, OPENCL_DECLARATIONS].concat(),
        Target::Cuda => [GPU_DECLARATIONS, CUDA_DECLARATIONS].concat(),
    }
}

/// What stands before the text of the program.
pub fn before_program(name: &str) -> String {
    format!(
        "// {name}: a library that norn {} made. Compile it as C, with\n\
         //   cc -O3 -march=native -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno -fno-trapping-math -c {name}.c\n\
         // and link with -lm -lpthread (and -ldl for a GPU).\n{BEFORE}#include \"{name}.h\"\n\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Compilers have much to say about code that no one has written. What it relies on can be said in the text to gcc alone.
const BEFORE: &str = r#"#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC optimize("wrapv", "no-strict-aliasing", "no-math-errno", "no-trapping-math")
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wcomment"
#pragma GCC diagnostic ignored "-Wfree-nonheap-object"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
"#;

pub const AFTER_PROGRAM: &str =
    concat!("\n", include_str!("../../rts/library/context.h"), include_str!("../../rts/library/failure.h"));

/// What the program runs on, and what values are: memory first.
pub const RUNTIME: [&str; 7] = [
    include_str!("../../rts/library/memory.h"),
    include_str!("../../rts/library/threads.h"),
    include_str!("../../rts/library/value.h"),
    include_str!("../../rts/library/cells.h"),
    include_str!("../../rts/library/array.h"),
    include_str!("../../rts/library/call.h"),
    include_str!("../../rts/library/store.h"),
];

/// What is measured, and where.
pub const PROFILE: &str = include_str!("../../rts/library/profile.h");

pub const INTERFACE: &str = include_str!("../../rts/library/interface.h");

pub const MAIN: &str = include_str!("../../rts/library/main.h");

/// What every library has.
const DECLARATIONS: &str = r#"#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FUTHARK_SUCCESS 0
#define FUTHARK_PROGRAM_ERROR 2
#define FUTHARK_OUT_OF_MEMORY 3

struct futhark_context_config;
struct futhark_context_config *futhark_context_config_new(void);
void futhark_context_config_free(struct futhark_context_config *cfg);
void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n);
void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname);
int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg, const char *param_name, size_t new_value);
int futhark_get_tuning_param_count(void);
const char *futhark_get_tuning_param_name(int i);
const char *futhark_get_tuning_param_class(int i);

struct futhark_context;
struct futhark_context *futhark_context_new(struct futhark_context_config *cfg);
void futhark_context_free(struct futhark_context *ctx);
int futhark_context_sync(struct futhark_context *ctx);
char *futhark_context_get_error(struct futhark_context *ctx);
void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f);
void futhark_context_pause_profiling(struct futhark_context *ctx);
void futhark_context_unpause_profiling(struct futhark_context *ctx);
char *futhark_context_report(struct futhark_context *ctx);
int futhark_context_clear_caches(struct futhark_context *ctx);
"#;

const GPU_DECLARATIONS: &str = r#"
void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s);
void futhark_context_config_set_unified_memory(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_program(struct futhark_context_config *cfg, const char *program);
const char *futhark_context_config_get_program(struct futhark_context_config *cfg);
void futhark_context_config_set_default_group_size(struct futhark_context_config *cfg, int size);
void futhark_context_config_set_default_num_groups(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_thread_block_size(struct futhark_context_config *cfg, int size);
void futhark_context_config_set_default_grid_size(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_tile_size(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_reg_tile_size(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_threshold(struct futhark_context_config *cfg, int num);
"#;

/// What OpenCL's headers call `cl_mem` and `cl_command_queue`, and CUDA's `CUdeviceptr`. The headers need not be there, and the names are left to them: tools that
/// read declarations, such as futhark-ffi, define these names themselves.
const OPENCL_DECLARATIONS: &str = r#"
struct _cl_mem;
struct _cl_command_queue;
void futhark_context_config_set_platform(struct futhark_context_config *cfg, const char *s);
void futhark_context_config_select_device_interactively(struct futhark_context_config *cfg);
void futhark_context_config_add_build_option(struct futhark_context_config *cfg, const char *opt);
void futhark_context_config_load_binary_from(struct futhark_context_config *cfg, const char *path);
void futhark_context_config_set_command_queue(struct futhark_context_config *cfg, struct _cl_command_queue *queue);
struct _cl_command_queue *futhark_context_get_command_queue(struct futhark_context *ctx);
"#;

const CUDA_DECLARATIONS: &str = r#"
void futhark_context_config_add_nvrtc_option(struct futhark_context_config *cfg, const char *opt);
void futhark_context_config_load_ptx_from(struct futhark_context_config *cfg, const char *path);
void futhark_context_dump_ptx_to(struct futhark_context_config *cfg, const char *path);
"#;
