// The host's part of programs with a GPU, as the emitter makes it, in small. The numbers of kernels are those in tests/gpu.rs.
#include <stddef.h>
#include <string.h>

const int64_t norn_globals = 16;

static void release(norn_worker *w, norn_block *block) {
  if (block && __atomic_fetch_sub(&block->count, 1, __ATOMIC_ACQ_REL) == 1) w->host->free(w, block);
}

static int fail(norn_worker *w, int32_t site, int32_t at, uint64_t operand) {
  int32_t none = 0;
  norn_run *run = w->run;
  if (!__atomic_compare_exchange_n(&run->failed, &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return NORN_STOPPED;
  run->site = site;
  run->at = at;
  run->operands = 1;
  run->operand[0] = operand;
  __atomic_store_n(&run->failed, 2, __ATOMIC_RELEASE);
  __atomic_fetch_or(&run->stop, NORN_STOP_FAILED, __ATOMIC_RELEASE);
  return NORN_FAILED;
}

// 0: launches a kernel some times. args: times, kernel, groups, site, then the kernel's
int norn_entry_0(norn_worker *w, const uint64_t *args, uint64_t *results) {
  for (uint64_t i = 0; i < args[0]; i++) {
    int ended = w->host->device_launch(w, (int32_t)args[1], args + 4, (int64_t)args[2], (int32_t)args[3]);
    if (ended != NORN_DONE) return ended;
  }
  return NORN_DONE;
}

// 1: launches a kernel and then another, reads a word and adds 1. args: kernel, second kernel, groups, the word's address, then the
// arguments of the first; the second takes the last three of them
int norn_entry_1(norn_worker *w, const uint64_t *args, uint64_t *results) {
  int ended = w->host->device_launch(w, (int32_t)args[0], args + 4, (int64_t)args[2], 21);
  if (ended != NORN_DONE) return ended;
  ended = w->host->device_launch(w, (int32_t)args[1], args + 4, (int64_t)args[2], 22);
  if (ended != NORN_DONE) return ended;
  int32_t word = 0;
  ended = w->host->device_read(w, &word, args[3], sizeof word);
  results[0] = (uint64_t)(word + 1);
  return ended;
}

// 2: so many blocks at the same time, and then again so many; all are given back. args: blocks, bytes of the first, how many more each
// of the others has
int norn_entry_2(norn_worker *w, const uint64_t *args, uint64_t *results) {
  norn_block *blocks[10000];
  for (int round = 0; round < 2; round++) {
    int64_t bytes = (int64_t)args[1];
    for (uint64_t i = 0; i < args[0]; i++, bytes += (int64_t)args[2]) {
      blocks[i] = w->host->device_alloc(w, bytes);
      if (!blocks[i]) return fail(w, NORN_OUT_OF_MEMORY, 5, (uint64_t)bytes);
      if (blocks[i]->bytes < bytes || blocks[i]->bytes <= NORN_SMALL || blocks[i]->address % 256) return fail(w, 6, 0, i);
      int ended = w->host->device_fill(w, blocks[i]->address, (int32_t)i, bytes);
      if (ended != NORN_DONE) return ended;
    }
    bytes = (int64_t)args[1];
    for (uint64_t i = 0; i < args[0]; i++, bytes += (int64_t)args[2]) {
      unsigned char last = (unsigned char)i;
      if (bytes && w->host->device_read(w, &last, blocks[i]->address + (uint64_t)bytes - 1, 1) != NORN_DONE) return NORN_FAILED;
      if (last != (unsigned char)i) return fail(w, 8, 0, i);
      release(w, blocks[i]);
    }
  }
  return NORN_DONE;
}

// 3: writes, changes what it wrote from, copies and fills, from and to places that are not aligned. args: bytes, at most 4096
int norn_entry_3(norn_worker *w, const uint64_t *args, uint64_t *results) {
  int64_t bytes = (int64_t)args[0];
  unsigned char here[4096 + 8], back[4096 + 8];
  norn_block *first = w->host->device_alloc(w, bytes + 8), *second = w->host->device_alloc(w, bytes + 8);
  if (!first || !second) return fail(w, NORN_OUT_OF_MEMORY, 5, (uint64_t)bytes);
  for (int64_t i = 0; i < bytes; i++) here[i] = (unsigned char)(i * 7 + 1);
  w->host->device_fill(w, second->address, 255, bytes + 8);
  for (int64_t i = 0; i < bytes; i += 1000) {
    int64_t some = bytes - i < 1000 ? bytes - i : 1000;
    w->host->device_write(w, first->address + 3 + (uint64_t)i, here + i, some);
    memset(here + i, 0, (size_t)some);
  }
  w->host->device_copy(w, second->address + 5, first->address + 3, bytes);
  w->host->device_copy(w, second->address, second->address, bytes);
  int ended = w->host->device_read(w, back, second->address, bytes + 8);
  if (ended != NORN_DONE) return ended;
  for (int64_t i = 0; i < bytes + 8; i++) {
    unsigned char wanted = i < 5 || i >= bytes + 5 ? 255 : (unsigned char)((i - 5) * 7 + 1);
    if (back[i] != wanted) return fail(w, 9, 0, (uint64_t)i);
  }
  release(w, first);
  release(w, second);
  return NORN_DONE;
}

// 4: launches until it is stopped. args: kernel, groups, then the kernel's
int norn_entry_4(norn_worker *w, const uint64_t *args, uint64_t *results) {
  for (;;) {
    int ended = w->host->device_launch(w, (int32_t)args[0], args + 2, (int64_t)args[1], 30);
    if (ended != NORN_DONE) return ended;
  }
}

// 5: keeps a block on the GPU in the globals, with a word that counts. results: the count
int norn_entry_5(norn_worker *w, const uint64_t *args, uint64_t *results) {
  norn_block **kept = w->globals;
  int64_t count = 0;
  if (!*kept) {
    *kept = w->host->device_alloc(w, sizeof count);
    if (!*kept) return NORN_STOPPED;
  } else if (w->host->device_read(w, &count, (*kept)->address, sizeof count) != NORN_DONE) {
    return NORN_FAILED;
  }
  results[0] = (uint64_t)++count;
  return w->host->device_write(w, (*kept)->address, &count, sizeof count);
}

// 6: leaves blocks here and on the GPU behind, launches, and fails. args: kernel, groups, then the kernel's
int norn_entry_6(norn_worker *w, const uint64_t *args, uint64_t *results) {
  w->host->alloc(w, 1 << 20);
  for (int i = 0; i < 10; i++) w->host->device_alloc(w, 1 << 20);
  int ended = w->host->device_launch(w, (int32_t)args[0], args + 2, (int64_t)args[1], 40);
  return ended != NORN_DONE ? ended : fail(w, 17, 0, 3);
}

// 7: what the worker knows of the GPU
int norn_entry_7(norn_worker *w, const uint64_t *args, uint64_t *results) {
  results[0] = (uint64_t)w->device_groups;
  return NORN_DONE;
}
