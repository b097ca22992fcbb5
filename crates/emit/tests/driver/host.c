// A small device for tests: it stands behind the text of a program. Every chunk of a launch runs in a thread of its own,
// memory is counted, and nothing is kept between runs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>

static i64 host_live = 0;      // blocks that were given away and not taken back
static i64 host_limit = 1 << 30;  // bytes that one block may have

static norn_block *host_alloc(norn_worker *w, i64 bytes) {
  if (bytes < 0 || bytes > host_limit) return 0;
  norn_block *block = aligned_alloc(64, (sizeof(norn_block) + bytes + 63) / 64 * 64);
  memset(block, 0xdb, sizeof(norn_block) + bytes);
  block->count = 1;
  block->bytes = bytes;
  block->address = 0;
  __atomic_fetch_add(&host_live, 1, __ATOMIC_RELAXED);
  return block;
}

static void host_free(norn_worker *w, norn_block *block) {
  __atomic_fetch_sub(&host_live, 1, __ATOMIC_RELAXED);
  free((void *)block->address);
  free(block);
}

static norn_region *host_region_new(norn_worker *w) {
  norn_region *region = calloc(1, sizeof *region);
  region->next = 1;
  region->unknown = INT64_MAX;
  __atomic_fetch_add(&host_live, 1, __ATOMIC_RELAXED);
  return region;
}

static void host_region_end(norn_worker *w, norn_region *region) {
  for (int k = 0; k < NORN_CHUNKS; k++)
    if (region->base[k]) norn_release(w, (norn_block *)((char *)(region->base[k] + ((u64)NORN_FIRST_CHUNK << k)) - NORN_HEADER));
  free(region);
  __atomic_fetch_sub(&host_live, 1, __ATOMIC_RELAXED);
}

static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;

static int host_region_grow(norn_worker *w, norn_region *region, i64 chunk) {
  if (chunk >= NORN_CHUNKS) return 1;
  pthread_mutex_lock(&host_lock);
  u64 words = (u64)NORN_FIRST_CHUNK << chunk;
  norn_block *block = region->base[chunk] ? 0 : host_alloc(w, 8 * words);
  if (block) __atomic_store_n(&region->base[chunk], (u64 *)norn_data(block) - words, __ATOMIC_RELEASE);
  int failed = !region->base[chunk];
  pthread_mutex_unlock(&host_lock);
  return failed;
}

static void host_yield(norn_worker *w) { sched_yield(); }

static i64 host_clock = 0, host_charges = 0;
static i64 host_now(void) { return ++host_clock; }
static void host_charge(norn_worker *w, i32 site, i64 begin, i64 width, i64 bytes) { host_charges++; }

static i64 host_shown = 0;
static void host_show(norn_worker *w, const i64 *words, i64 count) {
  for (i64 i = 0; i < count; i++) host_shown = 31 * host_shown + words[i];
}

static void host_empty_lists(norn_worker *w) {
  for (int class = 0; class < NORN_CLASSES; class ++)
    while (w->free[class]) {
      norn_block *block = w->free[class];
      w->free[class] = block->next;
      host_free(w, block);
    }
}

typedef struct {
  pthread_t thread;
  norn_worker worker;
  norn_kernel kernel;
  const void *args;
  i64 chunk, from, to;
  int end;
} host_chunk;

static void *host_run_chunk(void *data) {
  host_chunk *chunk = data;
  char here;
  chunk->worker.stack_limit = &here - (4 << 20);
  chunk->end = chunk->kernel(&chunk->worker, chunk->args, chunk->chunk, chunk->from, chunk->to);
  host_empty_lists(&chunk->worker);
  return 0;
}

static i64 host_cut(i64 chunk, i64 chunks, i64 width, const i64 *offsets) {
  if (!offsets) return chunk * width / chunks;
  if (chunk == chunks) return width;
  i64 row = 0, goal = chunk * (offsets[width] - offsets[0]) / chunks;
  while (row < width && offsets[row] - offsets[0] < goal) row++;
  return row;
}

static int host_launch(norn_worker *w, norn_kernel kernel, const void *args, i64 width, i64 chunks, i32 split,
                       const i64 *offsets, i32 site) {
  host_chunk *all = calloc(chunks, sizeof *all);
  for (i64 c = 0; c < chunks; c++) {
    all[c].worker = *w;
    memset(all[c].worker.free, 0, sizeof w->free);
    all[c].kernel = kernel;
    all[c].args = args;
    all[c].chunk = c;
    all[c].from = host_cut(c, chunks, width, offsets);
    all[c].to = host_cut(c + 1, chunks, width, offsets);
    pthread_create(&all[c].thread, 0, host_run_chunk, &all[c]);
  }
  int failed = 0, stopped = 0;
  for (i64 c = 0; c < chunks; c++) {
    pthread_join(all[c].thread, 0);
    failed |= all[c].end == NORN_FAILED;
    stopped |= all[c].end == NORN_STOPPED;
  }
  free(all);
  return failed ? NORN_FAILED : stopped ? NORN_STOPPED : NORN_DONE;
}

// A GPU whose memory is this one's. Kernel 0 counts: element i of args[1], of args[0] elements, becomes args[2] + i * groups. All others
// fail at the site that launches them.
static norn_block *host_device_alloc(norn_worker *w, i64 bytes) {
  if (bytes < 0 || bytes > host_limit) return 0;
  norn_block *block = host_alloc(w, 0);
  block->bytes = bytes > NORN_SMALL ? bytes : NORN_SMALL + 1;
  block->address = (u64)malloc(bytes + 1);
  return block;
}

static int host_device_launch(norn_worker *w, i32 kernel, const u64 *args, i64 groups, i32 site) {
  if (kernel != 0) return norn_fail(w, site, 0, 0);
  for (u64 i = 0; i < args[0]; i++) ((i64 *)args[1])[i] = args[2] + i * groups;
  return NORN_DONE;
}

// What is outside of what it is said to reach, the kernel of this driver would not find.
static int host_device_launch_within(norn_worker *w, i32 kernel, const u64 *args, const i64 *within, i64 groups, i32 site) {
  if (within[2] != 0 || within[3] != (i64)(args[0] * 8) || within[5] != -1) return norn_fail(w, site, 0, 0);
  return host_device_launch(w, kernel, args, groups, site);
}

static int host_device_select(norn_worker *w, i64 device) { return NORN_DONE; }

// One part for each row.
static i64 host_width, host_part;
static int host_device_plan(norn_worker *w, i64 width, i64 elements, i64 grain, i32 site, i32 kind) { return host_width = width, NORN_DONE; }
static int host_device_part(norn_worker *w, i64 part) { return host_part = part, NORN_DONE; }
static i64 host_device_planned(norn_worker *w, i32 what) { return what == 0 ? host_width : what == 1 ? host_part : what == 2; }

static int host_device_bring(norn_worker *w, u64 address, i64 from, i64 bytes) { return NORN_DONE; }

static int host_device_read(norn_worker *w, void *to, u64 from, i64 bytes) {
  memcpy(to, (void *)from, bytes);
  return NORN_DONE;
}

static int host_device_read_all(norn_worker *w, const norn_read *reads, i64 count) {
  for (i64 i = 0; i < count; i++) memcpy(reads[i].to, (void *)reads[i].from, reads[i].bytes);
  return NORN_DONE;
}

static int host_device_write(norn_worker *w, u64 to, const void *from, i64 bytes) {
  memcpy((void *)to, from, bytes);
  return NORN_DONE;
}

static int host_device_copy(norn_worker *w, u64 to, u64 from, i64 bytes) {
  memmove((void *)to, (void *)from, bytes);
  return NORN_DONE;
}

static int host_device_fill(norn_worker *w, u64 to, i32 byte, i64 bytes) {
  memset((void *)to, byte, bytes);
  return NORN_DONE;
}

static int host_device_fetch(norn_worker *w, norn_region *region) { return NORN_DONE; }

static int host_device_look(norn_worker *w, norn_region *region, u32 cell, i64 words) { return NORN_DONE; }

static int host_device_cell(norn_worker *w, norn_region *region, i64 words, i32 site, u32 *cell) {
  *cell = norn_cell_new(w, region, words);
  return NORN_DONE;
}

static int host_device_place(norn_worker *w, norn_region *region, u32 cell, i32 site, u64 *address, norn_block **block) {
  *address = (u64)norn_cell(region, cell);
  *block = norn_cell_block(region, cell);
  norn_retain(*block);
  return NORN_DONE;
}

static const norn_host host_functions = {
    .alloc = host_alloc,
    .free = host_free,
    .launch = host_launch,
    .region_new = host_region_new,
    .region_end = host_region_end,
    .region_grow = host_region_grow,
    .yield = host_yield,
    .now = host_now,
    .charge = host_charge,
    .show = host_show,
    .device_alloc = host_device_alloc,
    .device_launch = host_device_launch,
    .device_launch_within = host_device_launch_within,
    .device_read = host_device_read,
    .device_read_all = host_device_read_all,
    .device_write = host_device_write,
    .device_copy = host_device_copy,
    .device_fill = host_device_fill,
    .device_select = host_device_select,
    .device_plan = host_device_plan,
    .device_part = host_device_part,
    .device_planned = host_device_planned,
    .device_bring = host_device_bring,
    .device_fetch = host_device_fetch,
    .device_look = host_device_look,
    .device_cell = host_device_cell,
    .device_place = host_device_place,
};

static norn_run host_run;
static norn_worker host_worker;

// A worker for a new run.
static norn_worker *host_begin(void) {
  memset(&host_run, 0, sizeof host_run);
  memset(&host_worker, 0, sizeof host_worker);
  char here;
  host_worker.host = &host_functions;
  host_worker.run = &host_run;
  host_worker.globals = calloc(1, norn_globals + 1);
  host_worker.stack_limit = &here - (1 << 20);
  host_worker.workers = 4;
  host_worker.profile = 1;
  host_worker.device_groups = 12;
  host_live = 0;
  return &host_worker;
}

// How a run ended, on one line.
static void host_end(norn_worker *w, int end) {
  host_empty_lists(w);
  if (end == NORN_DONE) {
    printf("live %lld\n", (long long)host_live);
    return;
  }
  if (end != NORN_FAILED || host_run.failed != 2 || !host_run.stop) printf("inconsistent ");
  switch (host_run.site) {
    case NORN_OUT_OF_MEMORY: printf("out of memory at #%d", host_run.at); break;
    case NORN_OUT_OF_STACK: printf("out of stack"); break;
    default: printf("fails #%d", host_run.site); break;
  }
  printf(" (");
  if (host_run.site >= 0)
    for (int i = 0; i < host_run.operands; i++)
      printf(i ? ", %lld" : "%lld", (long long)host_run.operand[i]);
  printf(")");
  if (host_run.site != NORN_OUT_OF_STACK)
    for (int i = 0; i < host_run.calls && i < NORN_TRACE; i++) printf(" in #%d", host_run.trace[i]);
  printf("\n");
}
