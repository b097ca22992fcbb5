// A thread of a kernel, and how it fails.
#ifndef NORN_RUN_H
#define NORN_RUN_H

#define NORN_DONE 0
#define NORN_FAILED 1

// Memory that a thread has allocated. It begins 32 bytes after its address.
typedef struct norn_block {
  i64 count;  // how many hold it; nobody but the thread knows it
  i64 bytes;  // what it can hold
  NORN_GLOBAL struct norn_block *next;    // in the list of free ones
  NORN_GLOBAL struct norn_block *before;  // which has the words of a region that are in this one, too
} norn_block;

// A store of cells. The host makes the header of its own; the mirror of this is in crates/runtime/src/gpu/regions.rs: change both.
typedef struct norn_region {
  i64 words;  // how many bytes behind this its word 0 is
  u64 next;   // the first free word; changed atomically where threads share the region
  u64 limit;  // how many words there is room for
  i64 slot;   // by this number a thread knows a region that all share; -1: it is the thread's alone
  NORN_GLOBAL norn_block *block;  // where the words are, if not behind this
  i64 reserved[3];
} norn_region;

// For so many regions of the host a thread takes words for several cells at once.
#define NORN_SLOTS 4

// A thread. It is passed to every function.
typedef struct norn_worker {
  NORN_GLOBAL norn_state *state;
  NORN_GLOBAL u8 *heap;
  NORN_GLOBAL norn_block *free;
  NORN_GLOBAL u8 *own;  // memory that only this thread has, and how much of it is left
  i64 own_left;
#ifdef NORN_REGIONS
  // What it has taken of the regions that all share, and not used yet, and how many words it has taken in all.
  u64 cell_next[NORN_SLOTS], cell_end[NORN_SLOTS];
  u32 cell_taken[NORN_SLOTS];
  i32 exhausted;  // the slot of the region that had no room for a cell, and 1
#endif
} norn_worker;

// Whether this is the first failure of the run, which is to be described, and then ended by `norn_end_failure`.
NORN_COLD bool norn_begin_failure(NORN_GLOBAL norn_state *state, i32 site, i32 operands) {
  if (norn_swap_u32_global((NORN_GLOBAL u32 *)&state->failed, 0, 1) != 0) return false;
  state->site = site;
  state->operands = operands;
  state->failed_launch = state->launch;
  return true;
}

NORN_COLD void norn_end_failure(NORN_GLOBAL norn_state *state) {
  norn_publish_u32_global((NORN_GLOBAL u32 *)&state->failed, 2);
}

// Other threads may fail meanwhile.
NORN_INLINE bool norn_has_failed(NORN_GLOBAL norn_state *state) {
  return *(volatile NORN_GLOBAL int *)&state->failed != 0;
}

#endif
