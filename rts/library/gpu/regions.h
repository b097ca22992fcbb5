// Regions between a host and its device, for programs whose kernels have cells.
//
// Cells never change, and a region only grows: so each side has the words before some number, and only those that it lacks are moved, when it
// needs them. On the device a region is one piece of memory: a header (norn_region in rts/gpu/run.h), and its words behind it, under the same numbers as on
// the host. Kernels add cells by moving its end. One that finds no room says so in the state; then the region moves to a piece that is larger, its end is again
// what it was, and the kernel runs again.
#ifndef NORN_GPU_REGIONS_H
#define NORN_GPU_REGIONS_H

#define NORN_REGION_HEADER 64
#define NORN_MOST_WORDS ((u64)15 << 28)
#define NORN_WORDS_FOR_A_THREAD 8
#define NORN_LEAST_WORDS 4096

static u64 norn_region_limit(const norn_region *region) {
  u64 words = ((u64)region->reserved[NORN_REGION_BYTES] - NORN_REGION_HEADER) / 8;
  return words < NORN_MOST_WORDS ? words : NORN_MOST_WORDS;
}

static u64 norn_region_address(const norn_region *region) {
  norn_block *block = (norn_block *)region->reserved[NORN_REGION_BLOCK];
  return block ? block->address : 0;
}

static int norn_chunk_at(u64 word) { return 54 - __builtin_clzll(word + NORN_FIRST_CHUNK); }

// Up to which of the words from `from` to `to` one chunk has them.
static u64 norn_chunk_end(u64 from, u64 to) {
  u64 end = ((u64)2 * NORN_FIRST_CHUNK << norn_chunk_at(from)) - NORN_FIRST_CHUNK;
  return end < to ? end : to;
}

static int norn_region_refused(norn_device *device, u64 bytes) {
  device->seen.operand[0] = bytes;
  return NORN_REFUSED;
}

// The region gets a piece of the device's memory for so many words, with those that it has there.
static int norn_region_move(norn_worker *w, norn_region *region, u64 words, u64 least) {
  struct futhark_context *context = norn_context_of(w);
  norn_device *device = context->device;
  u64 old = norn_region_address(region), bytes = 0, address = 0;
  for (int attempt = 0; attempt < 2 && !address; attempt++, words = least) {
    bytes = NORN_REGION_HEADER + 8 * (words < NORN_MOST_WORDS ? words : NORN_MOST_WORDS);
    address = norn_device_obtain(context, bytes);
  }
  if (!address) return device->trouble ? NORN_TROUBLE : norn_region_refused(device, bytes);
  u64 kept = 8 * (u64)region->reserved[NORN_REGION_WORDS];
  int code = old && kept ? norn_driver_copy(device, address + NORN_REGION_HEADER, old + NORN_REGION_HEADER, kept) : 0;
  norn_block *block = code ? NULL : norn_block_at(address, (i64)bytes);
  if (!block) {
    norn_give_back(device, address);
    return code ? code : norn_region_refused(device, sizeof *block);
  }
  norn_link((norn_thread *)w, block);
  norn_block *before = (norn_block *)region->reserved[NORN_REGION_BLOCK];
  region->reserved[NORN_REGION_BLOCK] = (i64)block;
  region->reserved[NORN_REGION_BYTES] = (i64)bytes;
  // Arrays in cells may keep the old block.
  norn_host_release(w, before);
  return 0;
}

// The device has all cells of the region, and room for more.
static int norn_region_send(norn_worker *w, norn_region *region, u64 room, u64 least) {
  norn_device *device = norn_context_of(w)->device;
  u64 next = (u64)region->next, wanted = next + room < NORN_MOST_WORDS ? next + room : NORN_MOST_WORDS;
  int code = 0;
  if (!norn_region_address(region)) {
    code = norn_region_move(w, region, wanted, next + least);
  } else if (norn_region_limit(region) < wanted) {
    u64 twice = 2 * norn_region_limit(region);
    code = norn_region_move(w, region, twice > wanted ? twice : wanted, next + least);
  }
  if (!code && norn_region_limit(region) < next) code = norn_region_refused(device, 8 * next);
  for (u64 from = (u64)region->reserved[NORN_REGION_WORDS], end; from < next && !code; from = end) {
    end = norn_chunk_end(from, next);
    u64 *base = region->base[norn_chunk_at(from)];
    u64 to = norn_region_address(region) + NORN_REGION_HEADER + 8 * from;
    if (base) code = norn_driver_write(device, to, base + from + NORN_FIRST_CHUNK, 8 * (end - from));
  }
  if (!code && region->reserved[NORN_REGION_WORDS] < (i64)next) region->reserved[NORN_REGION_WORDS] = (i64)next;
  return code;
}

static int norn_region_write_header(norn_device *device, const norn_region *region, int slot) {
  const u64 words[8] = {NORN_REGION_HEADER, (u64)region->next, norn_region_limit(region), (u64)slot};
  return norn_driver_write(device, norn_region_address(region), words, sizeof words);
}

// Kernels have added cells up to this end.
static void norn_region_grown(norn_region *region, u64 end) {
  if ((i64)end <= region->next) return;
  if (region->unknown > region->next) region->unknown = region->next;
  region->next = region->reserved[NORN_REGION_WORDS] = (i64)end;
}

// Moves words of a region to the host.
static int norn_region_read(norn_worker *w, norn_region *region, u64 from, u64 to) {
  norn_device *device = norn_context_of(w)->device;
  for (u64 end; from < to; from = end) {
    end = norn_chunk_end(from, to);
    int chunk = norn_chunk_at(from);
    if (!region->base[chunk] && norn_host_region_grow(w, region, chunk)) return norn_region_refused(device, (u64)8 * NORN_FIRST_CHUNK << chunk);
    u64 address = norn_region_address(region) + NORN_REGION_HEADER + 8 * from;
    norn_read words = {region->base[chunk] + from + NORN_FIRST_CHUNK, address, (i64)(8 * (end - from))};
    int code = norn_device_wait(device, &words, 1);
    if (code) return code;
  }
  return 0;
}

// What compiled code asks for.

static int norn_region_fetch(norn_worker *w, norn_region *region) {
  int code = norn_region_read(w, region, (u64)region->unknown, (u64)region->reserved[NORN_REGION_WORDS]);
  if (!code) region->unknown = INT64_MAX;
  return code;
}

// The host has all cells of a region that values hold.
static int norn_region_here(struct futhark_context *context, norn_region *region) {
  if (region->unknown == INT64_MAX) return 0;
  pthread_mutex_lock(&context->device->lock);
  int code = norn_region_fetch(&context->thread->worker, region);
  pthread_mutex_unlock(&context->device->lock);
  norn_region_detach(context, region);
  if (code == NORN_REFUSED) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for the cells of a value.");
  return code ? norn_report(context) : 0;
}

static int norn_device_fetch(norn_worker *w, norn_region *region) {
  if (region->unknown == INT64_MAX) return NORN_DONE;
  NORN_ASK(norn_region_fetch(w, region));
}

// A single cell, if the region is large.
static int norn_device_look(norn_worker *w, norn_region *region, u32 cell, i64 words) {
  const i64 little = 1 << 14;
  i64 known = region->reserved[NORN_REGION_WORDS];
  // The host knows where a region ends.
  if (!words || (i64)cell >= known) return NORN_DONE;
  bool is_little = known - region->unknown <= little;
  NORN_ASK(is_little ? norn_region_fetch(w, region) : norn_region_read(w, region, cell, cell + (u64)words));
}

// A new cell, which the host does not know.
static int norn_region_cell(norn_worker *w, norn_region *region, u64 words, u32 *cell) {
  norn_device *device = norn_context_of(w)->device;
  u64 begin = (u64)region->next, at = begin;
  if (!words) words = 1;
  if (words > NORN_MOST_WORDS) return norn_region_refused(device, words);
  while (at + words < NORN_MOST_WORDS && norn_chunk_at(at) != norn_chunk_at(at + words - 1)) at += words;
  if (at + words > NORN_MOST_WORDS) return norn_region_refused(device, 8 * words);
  int code = norn_region_send(w, region, at + words - begin, at + words - begin);
  if (!code) norn_region_grown(region, at + words);
  *cell = (u32)at;
  return code;
}

static int norn_device_cell(norn_worker *w, norn_region *region, i64 words, i32 site, u32 *cell) {
  NORN_ASK((device->site = site, norn_region_cell(w, region, words < 0 ? UINT64_MAX : (u64)words, cell)));
}

// Where a cell is on the device, and the block that it is in, which the caller holds then.
static int norn_region_place(norn_worker *w, norn_region *region, u32 cell, u64 *address, norn_block **block) {
  int code = norn_region_send(w, region, 0, 0);
  if (code) return code;
  *block = (norn_block *)region->reserved[NORN_REGION_BLOCK];
  __atomic_fetch_add(&(*block)->count, 1, __ATOMIC_RELAXED);
  *address = (*block)->address + NORN_REGION_HEADER + 8 * (u64)cell;
  return 0;
}

static int norn_device_place(norn_worker *w, norn_region *region, u32 cell, i32 site, u64 *address, norn_block **block) {
  NORN_ASK((device->site = site, norn_region_place(w, region, cell, address, block)));
}

#endif
