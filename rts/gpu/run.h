// A thread of a kernel, and how it fails.
#ifndef NORN_RUN_H
#define NORN_RUN_H

#define NORN_DONE 0
#define NORN_FAILED 1

// Memory that a thread has allocated. It begins 32 bytes after its address.
typedef struct norn_block {
  i64 count;  // how many hold it; nobody but the thread knows it
  i64 bytes;  // what it can hold
  NORN_GLOBAL struct norn_block *next;  // in the list of free ones
  i64 reserved;
} norn_block;

// A thread. It is passed to every function.
typedef struct norn_worker {
  NORN_GLOBAL norn_state *state;
  NORN_GLOBAL u8 *heap;
  NORN_GLOBAL norn_block *free;
  NORN_GLOBAL u8 *own;  // memory that only this thread has, and how much of it is left
  i64 own_left;
} norn_worker;

// Whether this is the first failure of the run, which is to be described, and then ended by `norn_end_failure`.
NORN_COLD bool norn_begin_failure(NORN_GLOBAL norn_state *state, i32 site, i32 operands) {
  if (norn_swap_u32_global((NORN_GLOBAL u32 *)&state->failed, 0, 1) != 0) return false;
  state->site = site;
  state->operands = operands;
  return true;
}

NORN_COLD void norn_end_failure(NORN_GLOBAL norn_state *state) {
  norn_publish_u32_global((NORN_GLOBAL u32 *)&state->failed, 2);
}

#endif
