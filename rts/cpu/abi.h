// What compiled code and the CPU device (crates/runtime) know about each other.
//
// The device loads the compiled program, gives each thread a worker and calls entry points. Everything that
// needs the operating system or another thread goes back through the functions of `norn_host`.
// The mirror of this file in Rust is crates/runtime/src/cpu/abi.rs: change both.
//
// Functions, kernels and entry points return how they ended:
#ifndef NORN_ABI_H
#define NORN_ABI_H

#include <stdint.h>

#define NORN_DONE 0
#define NORN_FAILED 1   // the failure that is in norn_run happened in here: a call that is left this way adds its site to the trace
#define NORN_STOPPED 2  // something failed elsewhere, or the run was cancelled: leave, and add nothing

// The memory of a block begins 64 bytes after its address, which is a multiple of 64. That of a block on a GPU is at `address`
// there, and nothing follows the header.
typedef struct norn_block {
  int64_t count;    // how many hold it; changed atomically; 0 while it is in a free list
  int64_t bytes;    // what it can hold; on a GPU at least NORN_SMALL + 1, so that no free list takes it
  struct norn_block *next;  // in a free list
  int64_t length;           // of the free list that begins here
  int64_t reserved[3];      // the host's
  uint64_t address;         // on a GPU; 0: the block is in the host's memory
} norn_block;

// Cells are numbered by 8-byte words. Chunk `k` of a region holds (512 << k) words, numbered from (512 << k) - 512 on; chunks
// are blocks, made when needed, that never move. With q = r + 512 and k = 54 - clz64(q), cell `r` is at base[k] + q: a base is
// the address of its chunk less (512 << k) words. A cell lies within one chunk: what a chunk has left over is left unused,
// and chunks that are too small for a cell are left out.
#define NORN_CHUNKS 24
#define NORN_FIRST_CHUNK 512
typedef struct norn_region {
  uint64_t *base[NORN_CHUNKS];  // null: not made yet; read with acquire
  int64_t next;                 // the first free word; changed atomically; 0 is never given away
  int64_t unknown;              // from which word on kernels of a GPU have made what the host does not know; INT64_MAX: it knows all
  int64_t reserved[6];          // the host's
} norn_region;

#define NORN_OPERANDS 16
#define NORN_TRACE 64

#define NORN_OUT_OF_MEMORY (-1)
#define NORN_OUT_OF_STACK (-2)
#define NORN_CANCELLED (-3)
#define NORN_DEVICE_FAILED (-4)  // the GPU cannot go on; the host knows why

#define NORN_STOP_FAILED 1     // something failed
#define NORN_STOP_CANCELLED 2  // another thread asks the program to end, which it may do at any time

// How a run stands. Shared by all workers of the run.
typedef struct norn_run {
  int32_t stop;       // not 0: end as soon as possible; read without order, and changed only bit by bit, by the two below
  int32_t failed;     // 0: no; 1: somebody is writing below; 2: written. Who changes 0 to 1 may write, and then sets `stop`
  int32_t site;       // where the check failed, or one of the negative numbers above
  int32_t at;         // out of memory: the site that asked
  int32_t operands;
  int32_t calls;      // how many sites were added below, which may be more than there is room for
  uint64_t operand[NORN_OPERANDS];  // the bits, zero-extended. Out of memory: the bytes asked for
  int32_t trace[NORN_TRACE];        // sites of calls and constants (not of launches), innermost first; the later half is a ring
} norn_run;

struct norn_worker;

typedef int (*norn_kernel)(struct norn_worker *w, const void *args, int64_t chunk, int64_t from, int64_t to);

// What is to be read of a GPU's memory.
typedef struct norn_read {
  void *to;
  uint64_t from;
  int64_t bytes;
} norn_read;

typedef struct norn_host {
  // A block with count 1, or null where memory is refused or none. Negative sizes are refused.
  norn_block *(*alloc)(struct norn_worker *w, int64_t bytes);
  void (*free)(struct norn_worker *w, norn_block *block);
  // Runs all chunks. split 0: even, 1: by offsets, 2: ordered, 3: those of the plan of a task, 4: the same, and they may wait for their devices.
  int (*launch)(struct norn_worker *w, norn_kernel kernel, const void *args, int64_t width, int64_t chunks,
                int32_t split, const int64_t *offsets, int32_t site);
  // Null if there is no memory.
  norn_region *(*region_new)(struct norn_worker *w);
  void (*region_end)(struct norn_worker *w, norn_region *region);
  // Make sure that this chunk of the region exists; 0, or 1 if there is no memory.
  int (*region_grow)(struct norn_worker *w, norn_region *region, int64_t chunk);
  // Let another thread run, who waits for something that may take long.
  void (*yield)(struct norn_worker *w);
  // The time since `begin` (a time by `now`), and the bytes of all blocks that a launch can reach, charged to its site. Only
  // if profiling.
  int64_t (*now)(void);
  void (*charge)(struct norn_worker *w, int32_t site, int64_t begin, int64_t width, int64_t bytes);
  // Hands so many words to whoever looks on. Any thread may.
  void (*show)(struct norn_worker *w, const int64_t *words, int64_t count);

  // What follows is for programs with a GPU. It does all that it is asked for in the order of the asking, while the host goes on;
  // only `device_read` and `device_read_all` wait. Checks that fail in kernels are reported when somebody waits, and when the program has ended.
  // Addresses are the GPU's. Those that return `int` return how they ended.

  // A block with count 1 on the GPU, or null where memory is refused. Negative sizes are refused.
  norn_block *(*device_alloc)(struct norn_worker *w, int64_t bytes);
  // Launches a group kernel of the program's module, by its number there. One word for each of its parameters, in order: an address,
  // a region of the host, or a scalar in the low bytes. No groups: nothing happens.
  int (*device_launch)(struct norn_worker *w, int32_t kernel, const uint64_t *args, int64_t groups, int32_t site);
  // The same, and for each word what the kernel reads and writes by it, if it is an address: from how many bytes behind it on, and how many bytes; fewer than
  // none: all of the block that it leads to.
  int (*device_launch_within)(struct norn_worker *w, int32_t kernel, const uint64_t *args, const int64_t *within, int64_t groups, int32_t site);
  int (*device_read)(struct norn_worker *w, void *to, uint64_t from, int64_t bytes);
  // The same for several places, with one wait.
  int (*device_read_all)(struct norn_worker *w, const norn_read *reads, int64_t count);
  // What is at `from` may be changed when it returns.
  int (*device_write)(struct norn_worker *w, uint64_t to, const void *from, int64_t bytes);
  // Within the GPU. The two places are the same, or do not overlap.
  int (*device_copy)(struct norn_worker *w, uint64_t to, uint64_t from, int64_t bytes);
  int (*device_fill)(struct norn_worker *w, uint64_t to, int32_t byte, int64_t bytes);
  // Whoever has this number among the devices of the program, counted round, does what is asked for from now on. Addresses stay those of the first.
  int (*device_select)(struct norn_worker *w, int64_t device);
  // Plans how the rows of a task, which works on about so many elements, are cut into parts, and who does which. Parts should begin at multiples of the grain. kind 1: the processor may do some, too, if it is one of the
  // devices: the kernel that does parts knows how; 2: rows go down a recursion, so that some take much longer than others.
  int (*device_plan)(struct norn_worker *w, int64_t width, int64_t elements, int64_t grain, int32_t site, int32_t kind);
  // Whoever does this part does what is asked for from now on.
  int (*device_part)(struct norn_worker *w, int64_t part);
  // 0: how many parts there are; 1: the first row of the part at work; 2: how many rows it has; 3: 1 if the processor does it; 4: 1 if there is one part, and the first device does it.
  int64_t (*device_planned)(struct norn_worker *w, int32_t what);
  // It gets so many bytes, from so many behind the address on, that it will read; fewer than none: all of the block.
  int (*device_bring)(struct norn_worker *w, uint64_t address, int64_t from, int64_t bytes);
  // Where the processor, which does the part at work, has what is at an address.
  int (*device_here)(struct norn_worker *w, uint64_t address, void **here);
  // It has written so many bytes, from so many behind the address on.
  int (*device_written)(struct norn_worker *w, uint64_t address, int64_t from, int64_t bytes);
  // Cells that kernels have added to the region are in the host's memory, too.
  int (*device_fetch)(struct norn_worker *w, norn_region *region);
  // The same for so many words of a cell, if the host does not ask for many.
  int (*device_look)(struct norn_worker *w, norn_region *region, uint32_t cell, int64_t words);
  // A new cell of so many words on the GPU, and where a cell is there; the block that it is in is the caller's to release.
  int (*device_cell)(struct norn_worker *w, norn_region *region, int64_t words, int32_t site, uint32_t *cell);
  int (*device_place)(struct norn_worker *w, norn_region *region, uint32_t cell, int32_t site, uint64_t *address, norn_block **block);
} norn_host;

// Free lists of blocks that hold exactly 64 << class bytes, for sizes up to NORN_SMALL. Compiled code takes blocks from them and puts
// blocks back, as long as a list is no longer than (NORN_KEPT >> class) / 64; everything else goes to the host.
#define NORN_CLASSES 11
#define NORN_SMALL 65536
#define NORN_KEPT 262144

// A thread that runs compiled code. It is passed to every function.
typedef struct norn_worker {
  const norn_host *host;
  norn_run *run;
  void *globals;      // norn_globals bytes, all 0 when the program begins: where the results of constants are kept
  char *stack_limit;  // addresses below are not to be used
  int32_t workers;    // of the pool
  int32_t profile;    // whether launches are to be charged
  norn_block *free[NORN_CLASSES];
  int64_t device_groups;  // how many groups of 256 threads the GPU can hold at the same time; 0 without one
  int64_t device_pool;    // how many bytes its groups can share and have pointers to
  const int64_t *tunables;  // of a library: what each is set to, or -1; null without any
} norn_worker;

// What a program exports:
//   const int64_t norn_globals;                      how many bytes of globals it wants
//   norn_entry norn_entry_0, norn_entry_1, ..        its entry points, in order
// Arguments and results stand in the order of imp parameters and results, 8 bytes each, a scalar in the low bytes.
// Arguments stay the caller's; results are the caller's to release.
typedef int (*norn_entry)(norn_worker *w, const uint64_t *args, uint64_t *results);

#endif
