// Compiled code as the emitter makes it, in small, to try what the host offers.
#include <stddef.h>

const int64_t norn_globals = 16;

static int stopped(norn_worker *w) {
  return __atomic_load_n(&w->run->stop, __ATOMIC_RELAXED);
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

static void trace(norn_worker *w, int32_t site) {
  int32_t calls = w->run->calls++, half = NORN_TRACE / 2;
  w->run->trace[calls < NORN_TRACE ? calls : half + (calls - half) % half] = site;
}

// 0: marks each index with the number of its chunk. args: width, chunks, split, offsets, to
typedef struct { int32_t *to; } mark_args;
static int mark(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) {
  const mark_args *args = a;
  for (int64_t i = from; i < to; i++) args->to[i] += (int32_t)chunk + 1;
  return NORN_DONE;
}
int norn_entry_0(norn_worker *w, const uint64_t *args, uint64_t *results) {
  mark_args marks = { (int32_t *)args[4] };
  return w->host->launch(w, mark, &marks, args[0], args[1], (int32_t)args[2], (const int64_t *)args[3], 0);
}

// 1: a chain of chunks, each of which waits for the one before. args: width, chunks, places (chunks + 1 of them)
typedef struct { int64_t *places; } chain_args;
static int chain(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) {
  int64_t *places = ((const chain_args *)a)->places;
  int64_t before;
  for (int rounds = 0; !(before = __atomic_load_n(&places[chunk], __ATOMIC_ACQUIRE)); rounds++) {
    if (stopped(w)) return NORN_STOPPED;
    if (rounds > 100) w->host->yield(w);
  }
  __atomic_store_n(&places[chunk + 1], before + (to - from), __ATOMIC_RELEASE);
  return NORN_DONE;
}
int norn_entry_1(norn_worker *w, const uint64_t *args, uint64_t *results) {
  chain_args places = { (int64_t *)args[2] };
  places.places[0] = 1;
  int ended = w->host->launch(w, chain, &places, args[0], args[1], 2, NULL, 0);
  results[0] = places.places[args[1]] - 1;
  return ended;
}

// 2: one chunk of a nested launch fails. args: width, chunks, the index that fails; -1 waits for the others for ever
typedef struct { int64_t bad; } failing_args;
static int inner(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) {
  int64_t bad = ((const failing_args *)a)->bad;
  if (from <= bad && bad < to) {
    w->host->alloc(w, 100);
    w->host->alloc(w, 1000000);
    return fail(w, 7, 0, bad);
  }
  while (!stopped(w)) w->host->yield(w);
  return NORN_STOPPED;
}
static int outer(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) {
  int ended = w->host->launch(w, inner, a, to, 2, 0, NULL, 0);
  if (ended == NORN_FAILED) trace(w, 20);
  return ended;
}
int norn_entry_2(norn_worker *w, const uint64_t *args, uint64_t *results) {
  failing_args failing = { (int64_t)args[2] };
  norn_region *region = w->host->region_new(w);
  w->host->region_grow(w, region, 3);
  ((int64_t *)w->globals)[0] = 1;
  int ended = w->host->launch(w, outer, &failing, args[0], args[1], 0, NULL, 0);
  if (ended == NORN_FAILED) trace(w, 30);
  return ended;
}

// 3: so many blocks of so many bytes, held at the same time, then given back. args: blocks, bytes
int norn_entry_3(norn_worker *w, const uint64_t *args, uint64_t *results) {
  norn_block *held = NULL;
  for (uint64_t i = 0; i < args[0]; i++) {
    norn_block *block = w->host->alloc(w, args[1]);
    if (!block) return fail(w, NORN_OUT_OF_MEMORY, 5, args[1]);
    if (block->count != 1 || block->bytes < (int64_t)args[1] || (uintptr_t)block % 64) return fail(w, 99, 0, i);
    *(norn_block **)(block + 1) = held;
    held = block;
  }
  while (held) {
    norn_block *next = *(norn_block **)(held + 1);
    w->host->free(w, held);
    held = next;
  }
  return NORN_DONE;
}

// 4: recursion. args: depth
static int recurse(norn_worker *w, int64_t depth, int64_t *result) {
  volatile char frame[256];
  if ((char *)frame < w->stack_limit) return fail(w, NORN_OUT_OF_STACK, 6, 0);
  frame[0] = (char)depth;
  if (depth == 0) { *result = 0; return NORN_DONE; }
  int ended = recurse(w, depth - 1, result);
  if (ended == NORN_FAILED) trace(w, 40);
  *result += 1 + frame[0] - (char)depth;
  return ended;
}
int norn_entry_4(norn_worker *w, const uint64_t *args, uint64_t *results) {
  return recurse(w, args[0], (int64_t *)results);
}

// 5: a list of cells in a region, made in parallel. args: region, chunks, cells per chunk
static uint64_t *cell(norn_region *region, uint32_t r) {
  uint64_t q = (uint64_t)r + NORN_FIRST_CHUNK;
  return __atomic_load_n(&region->base[54 - __builtin_clzll(q)], __ATOMIC_ACQUIRE) + q;
}
static int cell_new(norn_worker *w, norn_region *region, int64_t words, uint32_t *made) {
  for (;;) {
    int64_t r = __atomic_fetch_add(&region->next, words, __ATOMIC_RELAXED);
    int chunk = 54 - __builtin_clzll(r + NORN_FIRST_CHUNK);
    if (chunk != 54 - __builtin_clzll(r + words - 1 + NORN_FIRST_CHUNK)) continue;
    if (!__atomic_load_n(&region->base[chunk], __ATOMIC_ACQUIRE) && w->host->region_grow(w, region, chunk))
      return fail(w, NORN_OUT_OF_MEMORY, 5, words);
    *made = (uint32_t)r;
    return NORN_DONE;
  }
}
typedef struct { norn_region *region; uint64_t *heads; int64_t cells; } list_args;
static int list(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) {
  const list_args *args = a;
  uint32_t head = 0;
  for (int64_t i = 0; i < args->cells; i++) {
    uint32_t made;
    int ended = cell_new(w, args->region, 3, &made);
    if (ended) return ended;
    uint64_t *words = cell(args->region, made);
    words[0] = 1, words[1] = i, words[2] = head;
    head = made;
  }
  args->heads[chunk] = head;
  return NORN_DONE;
}
int norn_entry_5(norn_worker *w, const uint64_t *args, uint64_t *results) {
  list_args lists = { (norn_region *)args[0], results, args[2] };
  return w->host->launch(w, list, &lists, args[1], args[1], 0, NULL, 0);
}

// 6: counts in a global
int norn_entry_6(norn_worker *w, const uint64_t *args, uint64_t *results) {
  results[0] = ++((int64_t *)w->globals)[1];
  return NORN_DONE;
}

// 7: empty launches. args: launches, chunks
static int nothing(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) { return NORN_DONE; }
int norn_entry_7(norn_worker *w, const uint64_t *args, uint64_t *results) {
  for (uint64_t i = 0; i < args[0]; i++) w->host->launch(w, nothing, NULL, 100, args[1], 0, NULL, 0);
  return NORN_DONE;
}

// 8: launches with work in them, and something else between them. args: launches, chunks, rounds per launch, rounds between
static void work(uint64_t rounds, volatile uint64_t *sink) {
  uint64_t x = rounds;
  for (uint64_t i = 0; i < rounds; i++) x = x * 6364136223846793005u + 1442695040888963407u;
  *sink = x;
}
typedef struct { uint64_t rounds; } work_args;
static int working(norn_worker *w, const void *a, int64_t chunk, int64_t from, int64_t to) {
  uint64_t sink;
  work((uint64_t)(to - from) * ((const work_args *)a)->rounds / 1000, &sink);
  return NORN_DONE;
}
int norn_entry_8(norn_worker *w, const uint64_t *args, uint64_t *results) {
  work_args rounds = { args[2] };
  uint64_t sink;
  for (uint64_t i = 0; i < args[0]; i++) {
    w->host->launch(w, working, &rounds, 1000, args[1], 0, NULL, 0);
    work(args[3], &sink);
  }
  return NORN_DONE;
}

// 9: a block of so many bytes, every page of which is touched, so many times. args: times, bytes
int norn_entry_9(norn_worker *w, const uint64_t *args, uint64_t *results) {
  for (uint64_t i = 0; i < args[0]; i++) {
    norn_block *block = w->host->alloc(w, args[1]);
    if (!block) return fail(w, NORN_OUT_OF_MEMORY, 5, args[1]);
    for (uint64_t at = 64; at < args[1]; at += 4096) ((volatile char *)block)[at] = 1;
    w->host->free(w, block);
  }
  return NORN_DONE;
}
