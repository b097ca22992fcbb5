// Blocks and regions.
#ifndef NORN_MEMORY_H
#define NORN_MEMORY_H

#define NORN_HEADER 64

NORN_INLINE void *norn_data(norn_block *block) { return (char *)block + NORN_HEADER; }

NORN_INLINE i64 norn_capacity(const norn_block *block) { return block ? block->bytes : 0; }

// Sizes that no memory has must not wrap around to sizes that it has.
NORN_INLINE i64 norn_size_mul(i64 x, i64 y) {
  i64 product;
  return NORN_UNLIKELY(__builtin_mul_overflow(x, y, &product)) ? INT64_MAX : product;
}

NORN_INLINE i64 norn_size_add(i64 x, i64 y) {
  i64 sum;
  return NORN_UNLIKELY(__builtin_add_overflow(x, y, &sum)) ? INT64_MAX : sum;
}

// The least class whose blocks hold so many bytes.
NORN_INLINE i32 norn_class(i64 bytes) { return bytes <= 64 ? 0 : 58 - __builtin_clzll((u64)bytes - 1); }

// Null if there is no memory.
NORN_INLINE norn_block *norn_alloc(norn_worker *w, i64 bytes) {
  if (NORN_UNLIKELY((u64)bytes > NORN_SMALL)) return w->host->alloc(w, bytes);
  i32 class = norn_class(bytes);
  norn_block *block = w->free[class];
  if (NORN_UNLIKELY(!block)) return w->host->alloc(w, (i64)64 << class);
  w->free[class] = block->next;
  block->count = 1;
  return block;
}

static __attribute__((noinline, unused)) void norn_free(norn_worker *w, norn_block *block) {
  i64 bytes = block->bytes;
  if (bytes <= NORN_SMALL) {
    i32 class = norn_class(bytes);
    norn_block *head = w->free[class];
    i64 length = head ? head->length : 0;
    if (length < (NORN_KEPT >> class) / 64) {
      block->count = 0;
      block->next = head;
      block->length = length + 1;
      w->free[class] = block;
      return;
    }
  }
  w->host->free(w, block);
}

NORN_INLINE void norn_retain(norn_block *block) {
  if (block) __atomic_fetch_add(&block->count, 1, __ATOMIC_RELAXED);
}

// Nobody can retain a block but who holds it: a count of 1 needs no atomic change.
NORN_INLINE void norn_release(norn_worker *w, norn_block *block) {
  if (!block) return;
  if (__atomic_load_n(&block->count, __ATOMIC_ACQUIRE) == 1 || __atomic_fetch_sub(&block->count, 1, __ATOMIC_ACQ_REL) == 1)
    norn_free(w, block);
}

// Null if there is no memory.
NORN_INLINE norn_region *norn_region_new(norn_worker *w) { return w->host->region_new(w); }

NORN_INLINE void norn_region_end(norn_worker *w, norn_region *region) {
  if (region) w->host->region_end(w, region);
}

// The number of the chunk in which a word lies.
NORN_INLINE i32 norn_chunk_of(i64 word) { return 54 - __builtin_clzll((u64)word + NORN_FIRST_CHUNK); }

NORN_INLINE u64 *norn_cell(const norn_region *region, u32 cell) {
  return region->base[norn_chunk_of(cell)] + ((u64)cell + NORN_FIRST_CHUNK);
}

// The block of the chunk in which a cell lies.
NORN_INLINE norn_block *norn_cell_block(const norn_region *region, u32 cell) {
  i32 chunk = norn_chunk_of(cell);
  return (norn_block *)((char *)(region->base[chunk] + ((u64)NORN_FIRST_CHUNK << chunk)) - NORN_HEADER);
}

// A new cell, or 0 if there is no memory.
NORN_INLINE u32 norn_cell_new(norn_worker *w, norn_region *region, i64 words) {
  i64 cell;
  i32 chunk;
  if (NORN_UNLIKELY((u64)words > ((u64)1 << 31))) return 0;
  do {
    cell = __atomic_fetch_add(&region->next, words, __ATOMIC_RELAXED);
    if (NORN_UNLIKELY(cell + words > ((i64)1 << 32) - 1024)) return 0;
    chunk = norn_chunk_of(cell);
    // A cell lies within one chunk. The next one is larger, so that this ends.
  } while (NORN_UNLIKELY(norn_chunk_of(cell + words - 1) != chunk));
  if (NORN_UNLIKELY(!__atomic_load_n(&region->base[chunk], __ATOMIC_ACQUIRE)) && w->host->region_grow(w, region, chunk))
    return 0;
  return (u32)cell;
}

// The bytes of the chunk in which the newest cell of a region, with so many words, lies, or would if it had been made.
NORN_COLD i64 norn_newest_chunk(const norn_region *region, i64 words) {
  i64 next = __atomic_load_n(&region->next, __ATOMIC_RELAXED);
  i64 chunk = (i64)8 * NORN_FIRST_CHUNK << norn_chunk_of(next - 1);
  return words > chunk / 8 ? norn_size_mul(words, 8) : chunk;
}

#endif
