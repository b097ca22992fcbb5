// The memory of a library: blocks that programs count, and that values of its interface hold.
//
// Every block of a program is in the list of the thread that made it, so that what a failed call leaves behind is found: compiled code
// releases nothing on its way out of a failure. A block that a value holds is in no list. Large blocks that were freed are kept for the next
// request of about that size: fresh memory of the system has to be cleared, page by page.
#ifndef NORN_LIBRARY_MEMORY_H
#define NORN_LIBRARY_MEMORY_H

#define NORN_BEHIND 64            // where the memory of a block begins
#define NORN_LARGE (64 << 10)     // larger blocks may be kept

// What the host's words of a block are.
#define NORN_BEFORE 0
#define NORN_AFTER 1
#define NORN_OWNER 2
#define NORN_NOBODY (-1)
#define NORN_FOREIGN (-2)  // the memory is somebody else's, and is not overwritten

// Where its memory is, here or on a device.
static char *norn_block_data(norn_block *block) { return block->address ? (char *)block->address : (char *)block + NORN_BEHIND; }

// A spare block that is large enough, but not by more than a quarter; or null.
static norn_block *norn_take_spare(struct futhark_context *context, i64 bytes) {
  norn_block *found = NULL;
  pthread_mutex_lock(&context->spare_lock);
  for (int i = context->spares - 1; i >= 0; i--) {
    i64 size = context->spare[i]->bytes;
    if (size < bytes || size - bytes > bytes / 4) continue;
    found = context->spare[i];
    context->spare[i] = context->spare[--context->spares];
    break;
  }
  pthread_mutex_unlock(&context->spare_lock);
  return found;
}

// A block that is in no list, with count 1; null if there is no memory.
static norn_block *norn_block_new(struct futhark_context *context, i64 bytes) {
  if (bytes < 0 || bytes > INT64_MAX / 4) return NULL;
  norn_block *block = bytes > NORN_LARGE ? norn_take_spare(context, bytes) : NULL;
  if (!block) {
    size_t total = ((size_t)bytes + NORN_BEHIND + 63) / 64 * 64;
    if (posix_memalign((void **)&block, 64, total)) return NULL;
    block->bytes = (i64)(total - NORN_BEHIND);
    if (bytes <= NORN_SMALL) block->bytes = bytes;
  }
  block->count = 1;
  block->next = NULL;
  block->length = 0;
  block->reserved[NORN_OWNER] = NORN_NOBODY;
  block->address = 0;
  norn_note_live(__atomic_add_fetch(&context->live, block->bytes, __ATOMIC_RELAXED), &context->peak);
  return block;
}

// A block for memory of a device at an address; null if there is none, or no memory for the block.
static norn_block *norn_block_at(u64 address, i64 bytes) {
  norn_block *block;
  if (!address || posix_memalign((void **)&block, 64, sizeof *block)) return NULL;
  memset(block, 0, sizeof *block);
  block->count = 1;
  block->bytes = bytes > NORN_SMALL ? bytes : NORN_SMALL + 1;
  // It is in no free list.
  block->length = bytes;
  block->reserved[NORN_OWNER] = NORN_NOBODY;
  block->address = address;
  return block;
}

// A block of so many bytes, here or on the device, that is in no list; null if there is no memory.
static norn_block *norn_block_near(struct futhark_context *context, bool remote, i64 bytes) {
  if (!remote) return norn_block_new(context, bytes);
  u64 address = norn_remote_new(context, bytes);
  norn_block *block = norn_block_at(address, bytes);
  if (!block && address) norn_remote_free(context, address);
  return block;
}

static void norn_block_dispose(struct futhark_context *context, norn_block *block) {
  if (block->address) {
    if (block->reserved[NORN_OWNER] == NORN_FOREIGN) norn_remote_disown(context, block->address);
    else norn_remote_free(context, block->address);
    free(block);
    return;
  }
  __atomic_fetch_sub(&context->live, block->bytes, __ATOMIC_RELAXED);
  norn_block *old = block;
  if (block->bytes > NORN_LARGE) {
    pthread_mutex_lock(&context->spare_lock);
    if (context->spares < NORN_SPARE) {
      context->spare[context->spares++] = block;
      old = NULL;
    } else {
      // The oldest goes.
      old = context->spare[0];
      memmove(context->spare, context->spare + 1, (NORN_SPARE - 1) * sizeof *context->spare);
      context->spare[NORN_SPARE - 1] = block;
    }
    pthread_mutex_unlock(&context->spare_lock);
  }
  free(old);
}

static void norn_drop_spare(struct futhark_context *context) {
  pthread_mutex_lock(&context->spare_lock);
  while (context->spares) free(context->spare[--context->spares]);
  pthread_mutex_unlock(&context->spare_lock);
}

// One holder less, of a block that values hold.
static void norn_block_drop(struct futhark_context *context, norn_block *block) {
  if (block && __atomic_fetch_sub(&block->count, 1, __ATOMIC_ACQ_REL) == 1) norn_block_dispose(context, block);
}

static void norn_block_retain(norn_block *block) {
  if (block) __atomic_fetch_add(&block->count, 1, __ATOMIC_RELAXED);
}

static void norn_link(norn_thread *thread, norn_block *block) {
  pthread_mutex_lock(&thread->lock);
  block->reserved[NORN_BEFORE] = 0;
  block->reserved[NORN_AFTER] = (i64)thread->made;
  block->reserved[NORN_OWNER] = thread->number;
  if (thread->made) thread->made->reserved[NORN_BEFORE] = (i64)block;
  thread->made = block;
  pthread_mutex_unlock(&thread->lock);
}

static void norn_unlink_locked(norn_thread *thread, norn_block *block) {
  norn_block *before = (norn_block *)block->reserved[NORN_BEFORE], *after = (norn_block *)block->reserved[NORN_AFTER];
  if (before) before->reserved[NORN_AFTER] = (i64)after;
  else thread->made = after;
  if (after) after->reserved[NORN_BEFORE] = (i64)before;
  block->reserved[NORN_OWNER] = NORN_NOBODY;
}

// The block is in no list any more: a value holds it.
static void norn_detach(struct futhark_context *context, norn_block *block) {
  if (block->reserved[NORN_OWNER] < 0) return;
  norn_thread *thread = &context->thread[block->reserved[NORN_OWNER]];
  pthread_mutex_lock(&thread->lock);
  norn_unlink_locked(thread, block);
  pthread_mutex_unlock(&thread->lock);
}

// Frees all that the program has, or all that it still uses after a failure. No code of it runs.
static void norn_sweep(struct futhark_context *context, bool only_used) {
  for (int i = 0; i < context->threads; i++) {
    norn_thread *thread = &context->thread[i];
    norn_block *next = thread->made;
    while (next) {
      norn_block *block = next;
      next = (norn_block *)block->reserved[NORN_AFTER];
      // One in a free list has the count 0.
      if (only_used && !block->count) continue;
      norn_unlink_locked(thread, block);
      norn_block_dispose(context, block);
    }
    if (!only_used) memset(thread->worker.free, 0, sizeof thread->worker.free);
  }
  if (context->globals) memset(context->globals, 0, (size_t)norn_globals);
}

// What compiled code asks for.

static norn_block *norn_host_alloc(norn_worker *w, i64 bytes) {
  norn_thread *thread = (norn_thread *)w;
  // The free lists of compiled code have blocks of these sizes.
  if (bytes >= 0 && bytes <= NORN_SMALL) {
    i64 size = 64;
    while (size < bytes) size *= 2;
    bytes = size;
  }
  norn_block *block = norn_block_new(thread->context, bytes);
  if (block) norn_link(thread, block);
  return block;
}

static void norn_host_free(norn_worker *w, norn_block *block) {
  struct futhark_context *context = ((norn_thread *)w)->context;
  norn_detach(context, block);
  norn_block_dispose(context, block);
}

static void norn_host_release(norn_worker *w, norn_block *block) {
  if (block && __atomic_fetch_sub(&block->count, 1, __ATOMIC_ACQ_REL) == 1) norn_host_free(w, block);
}

// What the host's words of a region are; the first is a lock.
#define NORN_REGION_BLOCK 1  // the block that it is in on a device, or null
#define NORN_REGION_BYTES 2  // what that can hold
#define NORN_REGION_WORDS 3  // how many words the device has
#define NORN_REGION_FULL 4   // with more words than these it is not lent to calls any more: what is needed of it is copied

static norn_region *norn_host_region_new(norn_worker *w) {
  norn_block *block = norn_host_alloc(w, sizeof(norn_region));
  if (!block) return NULL;
  norn_region *region = (norn_region *)norn_block_data(block);
  memset(region, 0, sizeof *region);
  region->next = 1;
  region->unknown = INT64_MAX;
  return region;
}

static norn_block *norn_block_before(void *data) { return (norn_block *)((char *)data - NORN_BEHIND); }

// The block of a chunk, or null.
static norn_block *norn_chunk_block(const norn_region *region, int chunk) {
  return region->base[chunk] ? norn_block_before(region->base[chunk] + ((u64)NORN_FIRST_CHUNK << chunk)) : NULL;
}

static void norn_host_region_end(norn_worker *w, norn_region *region) {
  for (int k = 0; k < NORN_CHUNKS; k++) norn_host_release(w, norn_chunk_block(region, k));
  norn_host_release(w, (norn_block *)region->reserved[NORN_REGION_BLOCK]);
  norn_host_release(w, norn_block_before(region));
}

static int norn_host_region_grow(norn_worker *w, norn_region *region, i64 chunk) {
  if (chunk < 0 || chunk >= NORN_CHUNKS) return 1;
  // One of the host's words is the lock.
  while (__atomic_exchange_n(&region->reserved[0], 1, __ATOMIC_ACQUIRE)) sched_yield();
  u64 words = (u64)NORN_FIRST_CHUNK << chunk;
  if (!region->base[chunk]) {
    norn_block *block = norn_host_alloc(w, (i64)(8 * words));
    if (block) __atomic_store_n(&region->base[chunk], (u64 *)norn_block_data(block) - words, __ATOMIC_RELEASE);
  }
  int failed = !region->base[chunk];
  __atomic_store_n(&region->reserved[0], 0, __ATOMIC_RELEASE);
  return failed;
}

// Regions that values hold: the count of the region's own block says how many do.

static void norn_region_retain(norn_region *region) {
  if (region) norn_block_retain(norn_block_before(region));
}

// One holder less, of a region none of whose blocks is in a list.
static void norn_region_drop(struct futhark_context *context, norn_region *region) {
  if (!region || __atomic_fetch_sub(&norn_block_before(region)->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  for (int k = 0; k < NORN_CHUNKS; k++) norn_block_drop(context, norn_chunk_block(region, k));
  norn_block_drop(context, (norn_block *)region->reserved[NORN_REGION_BLOCK]);
  norn_block_dispose(context, norn_block_before(region));
}

// The blocks of the region are in no list any more.
static void norn_region_detach(struct futhark_context *context, norn_region *region) {
  norn_block *device_block = (norn_block *)region->reserved[NORN_REGION_BLOCK];
  for (int k = 0; k < NORN_CHUNKS; k++)
    if (region->base[k]) norn_detach(context, norn_chunk_block(region, k));
  if (device_block) norn_detach(context, device_block);
  norn_detach(context, norn_block_before(region));
}

#endif
