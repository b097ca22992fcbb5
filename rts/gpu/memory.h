// Blocks in kernels: memory for one thread, from what it has of its own, or else from a heap that all share and that is empty again
// when the kernel ends.
//
// Threads take memory from the heap by moving its end. What a thread releases it keeps for itself, in a list that it looks through
// before it asks again: a loop that allocates in each iteration needs no more than one iteration does.
#ifndef NORN_MEMORY_H
#define NORN_MEMORY_H

#define NORN_HEADER 32

NORN_INLINE NORN_GLOBAL void *norn_data(NORN_GLOBAL norn_block *block) {
  return (NORN_GLOBAL void *)((NORN_GLOBAL u8 *)block + NORN_HEADER);
}

NORN_INLINE i64 norn_capacity(NORN_GLOBAL norn_block *block) { return block ? block->bytes : 0; }

// Sizes that no memory has must not wrap around to sizes that it has.
NORN_INLINE i64 norn_size_mul(i64 x, i64 y) {
  i64 low = (i64)((u64)x * (u64)y);
  return norn_high_i64(x, y) == low >> 63 ? low : INT64_MAX;
}

NORN_INLINE i64 norn_size_add(i64 x, i64 y) {
  i64 sum = (i64)((u64)x + (u64)y);
  return ((x ^ sum) & (y ^ sum)) < 0 ? INT64_MAX : sum;
}

// A released block that holds so many bytes and not many times as many, or null.
NORN_FUNCTION NORN_GLOBAL norn_block *norn_take_free(norn_worker *w, i64 bytes) {
  NORN_GLOBAL norn_block *before = 0, *block = w->free;
  for (; block; before = block, block = block->next) {
    if (block->bytes >= bytes && block->bytes / 4 <= bytes) {
      if (before) before->next = block->next;
      else w->free = block->next;
      block->count = 1;
      return block;
    }
  }
  return 0;
}

// Null if there is no memory. Not inlined: where a kernel allocates in several places and has own arrays besides, NVRTC needed all memory of the
// machine to follow where each pointer may lead.
NORN_COLD NORN_GLOBAL norn_block *norn_alloc(norn_worker *w, i64 bytes) {
  if (bytes < 0 || bytes > INT64_MAX / 2) return 0;
  bytes = bytes < 32 ? 32 : (bytes + 31) & ~(i64)31;
  NORN_GLOBAL norn_block *block = w->free ? norn_take_free(w, bytes) : 0;
  if (block) return block;
  u64 size = (u64)bytes + NORN_HEADER;
  if (size <= (u64)w->own_left) {
    block = (NORN_GLOBAL norn_block *)w->own;
    w->own += size;
    w->own_left -= (i64)size;
    block->count = 1;
    block->bytes = bytes;
    return block;
  }
  // No thread moves the end further than once beyond the heap, so that it does not wrap around.
  if (w->state->heap_next > w->state->heap_end || size > w->state->heap_end - w->state->heap_begin) return 0;
  u64 at = norn_heap_add(&w->state->heap_next, size);
  if (at + size > w->state->heap_end) return 0;
  block = (NORN_GLOBAL norn_block *)NORN_IN_HEAP(w, at);
  block->count = 1;
  block->bytes = bytes;
  return block;
}

NORN_INLINE void norn_retain(NORN_GLOBAL norn_block *block) {
  if (block) block->count++;
}

NORN_INLINE void norn_release(norn_worker *w, NORN_GLOBAL norn_block *block) {
  if (!block || --block->count != 0) return;
  block->next = w->free;
  w->free = block;
}

NORN_COLD int norn_exhausted_by(NORN_GLOBAL norn_state *state, i32 what, i32 site, i64 bytes, i32 slot) {
  if (norn_begin_failure(state, what, 3)) {
    state->operand[0] = (u64)bytes;
    state->operand[1] = (u64)(u32)site;
    state->operand[2] = (u64)(u32)slot;
    norn_end_failure(state);
  }
  return NORN_FAILED;
}

// The host makes the heap larger and runs the kernel again, if it can.
NORN_COLD int norn_exhausted(NORN_GLOBAL norn_state *state, i32 site, i64 bytes) {
  return norn_exhausted_by(state, NORN_OUT_OF_HEAP, site, bytes, 0);
}

NORN_INLINE int norn_out_of_memory(norn_worker *w, i32 site, i64 bytes) {
#ifdef NORN_REGIONS
  if (w->exhausted) return norn_exhausted_by(w->state, NORN_OUT_OF_REGION, site, bytes, w->exhausted - 1);
#endif
  return norn_exhausted(w->state, site, bytes);
}

#endif
