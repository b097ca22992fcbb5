// Regions in kernels: cells of 8-byte words that are freed as a whole.
//
// A region is a header and words. Those of the host come behind the header in one buffer, which does not move while a kernel runs. A
// region that a thread begins is a block of its heap, and moves to one that is twice as large when it is full: cells are numbers, so nothing
// has to be changed in it. What is behind it stays where it is if the program takes arrays out of cells (NORN_KEEP_WORDS).
#ifndef NORN_REGIONS_H
#define NORN_REGIONS_H

// The first words of a thread's region, which come with its header.
#define NORN_FIRST_WORDS 120
// No region has more words: numbers of cells have 32 bits, and groups add to the end of a region without asking the others.
#define NORN_MOST_WORDS ((u64)15 << 28)
// A thread takes so many words of a shared region at once, at most, unless a cell is larger.
#define NORN_MOST_TAKEN 256

NORN_INLINE NORN_GLOBAL u64 *norn_cell(NORN_GLOBAL norn_region *region, u32 cell) {
  return (NORN_GLOBAL u64 *)((NORN_GLOBAL u8 *)region + region->words) + cell;
}

// The block of a region's header.
NORN_INLINE NORN_GLOBAL norn_block *norn_header_block(NORN_GLOBAL norn_region *region) {
  return (NORN_GLOBAL norn_block *)((NORN_GLOBAL u8 *)region - NORN_HEADER);
}

// What keeps a cell alive; null for regions of the host.
NORN_INLINE NORN_GLOBAL norn_block *norn_cell_block(NORN_GLOBAL norn_region *region, u32 cell) {
  if (region->slot >= 0) return 0;
  return region->block ? region->block : norn_header_block(region);
}

// Null if there is no memory.
NORN_FUNCTION NORN_GLOBAL norn_region *norn_region_new(norn_worker *w) {
  NORN_GLOBAL norn_block *block = norn_alloc(w, (i64)sizeof(norn_region) + 8 * NORN_FIRST_WORDS);
  if (!block) return 0;
  NORN_GLOBAL norn_region *region = (NORN_GLOBAL norn_region *)norn_data(block);
  region->words = (i64)sizeof(norn_region);
  region->next = 1;
  region->limit = NORN_FIRST_WORDS;
  region->slot = -1;
  region->block = 0;
  return region;
}

NORN_FUNCTION void norn_region_end(norn_worker *w, NORN_GLOBAL norn_region *region) {
  if (!region) return;
  NORN_GLOBAL norn_block *block = region->block;
  while (block) {
    NORN_GLOBAL norn_block *before = block->before;
    norn_release(w, block);
    block = before;
  }
  norn_release(w, norn_header_block(region));
}

// Room for so many words in a region of this thread alone; 1 if there is no memory.
NORN_FUNCTION int norn_region_grow(norn_worker *w, NORN_GLOBAL norn_region *region, u64 words) {
  u64 limit = 2 * region->limit;
  while (limit < region->next + words) limit *= 2;
  if (limit > NORN_MOST_WORDS) return 1;
  NORN_GLOBAL norn_block *block = norn_alloc(w, (i64)(8 * limit));
  if (!block) return 1;
  NORN_GLOBAL u64 *to = (NORN_GLOBAL u64 *)norn_data(block), *from = norn_cell(region, 0);
  for (u64 i = 1; i < region->next; i++) to[i] = from[i];
#ifdef NORN_KEEP_WORDS
  block->before = region->block;
#else
  block->before = 0;
  if (region->block) norn_release(w, region->block);
#endif
  region->block = block;
  region->limit = limit;
  region->words = (i64)((NORN_GLOBAL u8 *)to - (NORN_GLOBAL u8 *)region);
  return 0;
}

// The number of the chunk in which a word of a region is that the host has, too (rts/cpu/abi.h).
NORN_INLINE i32 norn_chunk_of(u64 word) { return 54 - norn_clz_64(word + 512); }

// A cell of a region that all threads share. A thread takes more words than it needs, for its next cells: no more than it has taken so far.
NORN_FUNCTION u32 norn_take_cell(norn_worker *w, NORN_GLOBAL norn_region *region, u64 words) {
  i32 slot = (i32)region->slot;
  u64 at, taken = words;
  if (slot < NORN_SLOTS) {
    at = w->cell_next[slot];
    if (at + words <= w->cell_end[slot]) {
      w->cell_next[slot] = at + words;
      return (u32)at;
    }
    taken = w->cell_taken[slot] < NORN_MOST_TAKEN ? w->cell_taken[slot] : NORN_MOST_TAKEN;
    if (taken < words) taken = words;
  }
  do {
    // No thread moves the end further than once beyond the region.
    if (region->next > region->limit || taken > region->limit) break;
    at = norn_words_add(&region->next, taken);
    if (at + taken > region->limit) break;
    // A cell of the host is within one chunk.
    if (norn_chunk_of(at) != norn_chunk_of(at + taken - 1)) continue;
    if (slot < NORN_SLOTS) {
      w->cell_next[slot] = at + words;
      w->cell_end[slot] = at + taken;
      w->cell_taken[slot] = (u32)(w->cell_taken[slot] + taken < NORN_MOST_TAKEN ? w->cell_taken[slot] + taken : NORN_MOST_TAKEN);
    }
    return (u32)at;
  } while (true);
  w->exhausted = slot + 1;
  return 0;
}

// A new cell, or 0 if there is no memory.
NORN_INLINE u32 norn_cell_new(norn_worker *w, NORN_GLOBAL norn_region *region, i64 words) {
  if ((u64)words > NORN_MOST_WORDS / 2) return 0;
  if (region->slot >= 0) return norn_take_cell(w, region, (u64)words);
  u64 cell = region->next;
  if (NORN_UNLIKELY(cell + (u64)words > region->limit) && norn_region_grow(w, region, (u64)words)) return 0;
  region->next = cell + (u64)words;
  return (u32)cell;
}

// The bytes of a cell that could not be made.
NORN_INLINE i64 norn_newest_chunk(NORN_GLOBAL norn_region *region, i64 words) { return norn_size_mul(words, 8); }

#endif
