// How a run stands on a GPU: what kernels write when a check fails, and the memory from which their threads allocate.
//
// It lies in the device's memory, and every kernel gets it as its first parameter. The host makes it before the first launch,
// and reads it whenever it waits. Its mirror there is crates/runtime/src/gpu/state.rs: change both. `u64` is the dialect's.
#ifndef NORN_STATE_H
#define NORN_STATE_H

#define NORN_STATE_OPERANDS 16
#define NORN_OUT_OF_HEAP (-1)
#define NORN_OUT_OF_REGION (-2)

typedef struct norn_state {
  int failed;    // 0: no; 1: somebody is writing below; 2: written. Who changes 0 to 1 may write
  int site;      // of the check; or NORN_OUT_OF_HEAP, NORN_OUT_OF_REGION: the host makes what is too small larger and runs the kernel again
  int operands;
  int arrived;   // how many groups of the kernel that runs have come to `norn_is_last`; 0 before and after each
  u64 operand[NORN_STATE_OPERANDS];  // the bits, zero-extended
  u64 failed_launch;  // what `launch` was
  // Where memory for threads begins and ends: addresses in CUDA, offsets into the buffer that is the second parameter in OpenCL.
  // Only for kernels that use it, each of which begins with all of it.
  u64 heap_begin, heap_end;
  u64 heap_next;  // changed atomically
  u64 launch;     // the number of the launch, if it may run out of memory; the host writes it before each of these
} norn_state;

#endif
