// What compiled code and the CPU device (crates/runtime) know about each other.
//
// The device loads the compiled program, gives each thread a worker and calls entry points. Everything that
// needs the operating system or another thread goes back through the functions of `norn_host`.
// The mirror of this file in Rust is crates/runtime/src/cpu/abi.rs: change both.
#ifndef NORN_ABI_H
#define NORN_ABI_H

#include <stdint.h>

// The memory of a block begins 64 bytes after its address, which is a multiple of 64.
typedef struct norn_block {
  int64_t count;    // how many hold it; changed atomically
  int64_t bytes;    // what it can hold
  int64_t reserved[6];
} norn_block;

// Cells are numbered by 8-byte words: cell `r` is at chunks[r >> 20] + (r & 0xfffff) words.
#define NORN_CHUNK_SHIFT 20
typedef struct norn_region {
  uint64_t *chunks[4096];  // each of 8 MiB, made when needed
  int64_t next;            // the first free word; changed atomically; 0 is never given away
  int64_t reserved[7];
} norn_region;

#define NORN_OPERANDS 16
#define NORN_TRACE 64

// How a run stands. Shared by all workers of the run.
typedef struct norn_run {
  int32_t stop;       // not 0: failed or cancelled, end as soon as possible; read without order
  int32_t failed;     // 0: no; 1: somebody is writing below; 2: written
  int32_t site;       // where the check failed; -1 out of memory, -2 out of stack, -3 cancelled
  int32_t at;         // out of memory: the site that asked
  int32_t operands;
  int32_t calls;      // how many sites were added below, which may be more than there is room for
  uint64_t operand[NORN_OPERANDS];  // the bits, zero-extended
  int32_t trace[NORN_TRACE];        // sites of calls and launches, innermost first; the later half is a ring
} norn_run;

struct norn_worker;

// A kernel: 0, or 1 if the run has stopped.
typedef int (*norn_kernel)(struct norn_worker *w, const void *args, int64_t chunk, int64_t from, int64_t to);

typedef struct norn_host {
  // A block with count 1, or null where memory is refused or none.
  norn_block *(*alloc)(struct norn_worker *w, int64_t bytes);
  void (*free)(struct norn_worker *w, norn_block *block);
  // Runs all chunks; 0, or 1 if the run has stopped. split 0: even, 1: by offsets, 2: ordered.
  int (*launch)(struct norn_worker *w, norn_kernel kernel, const void *args, int64_t width, int64_t chunks,
                int32_t split, const int64_t *offsets, int32_t site);
  norn_region *(*region_new)(struct norn_worker *w);
  void (*region_end)(struct norn_worker *w, norn_region *region);
  // Make sure that this chunk of the region exists; 0, or 1 if there is no memory.
  int (*region_grow)(struct norn_worker *w, norn_region *region, int64_t chunk);
  // Hand a block (its count is taken over) to the region, which releases it when it ends.
  int (*region_keep)(struct norn_worker *w, norn_region *region, norn_block *block);
  // Time and bytes of what ran on this thread since `begin` (a time by `now`), charged to a site. Only if profiling.
  int64_t (*now)(void);
  void (*charge)(struct norn_worker *w, int32_t site, int64_t begin, int64_t width);
} norn_host;

#define NORN_CLASSES 16  // free lists of blocks of 64 << class bytes, header not counted

// A thread that runs compiled code. It is passed to every function.
typedef struct norn_worker {
  const norn_host *host;
  norn_run *run;
  char *stack_limit;  // addresses below are not to be used
  int32_t workers;    // of the pool
  int32_t profile;    // whether launches are to be charged
  norn_block *free[NORN_CLASSES];  // linked by reserved[0]
} norn_worker;

// An entry point or a constant: arguments and results in the order of imp parameters and results, 8 bytes each, a scalar in the
// low bytes. 0, or 1 if the run has stopped. Results are owned by the caller.
typedef int (*norn_entry)(norn_worker *w, const uint64_t *args, uint64_t *results);

#endif
