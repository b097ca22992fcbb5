// Blocks in the memory of a GPU, for its host.
#ifndef NORN_DEVICE_H
#define NORN_DEVICE_H

// What kernels divide by this number with (rts/gpu/int.h): with a shift s of 31 more than the bits of the divisor d, the factor is 2^s / d, rounded
// up. It is too large by less than 1, so the product with x is too large by less than x / 2^s, which is less than 1 / d for x < 2^31: not enough for
// another quotient. 0 if there is no such factor of 32 bits.
NORN_INLINE u64 norn_reciprocal(i64 divisor) {
  if (divisor < 1 || divisor >= 2147483648) return 0;
  u64 shift = 31;
  while (1ull << (shift - 31) < (u64)divisor) shift++;
  return ((1ull << shift) + (u64)divisor - 1) / (u64)divisor | shift << 32 | 1ull << 63;
}

// The host knows all cells of the region.
NORN_INLINE int norn_fetch(norn_worker *w, norn_region *region) {
  return region->unknown == INT64_MAX ? NORN_DONE : w->host->device_fetch(w, region);
}

// The host knows where the region ends.
NORN_INLINE int norn_settle(norn_worker *w, norn_region *region) {
  return region->unknown == INT64_MAX ? NORN_DONE : w->host->device_look(w, region, 0, 0);
}

// The host knows the first words of the cell.
NORN_INLINE int norn_look(norn_worker *w, norn_region *region, u32 cell, i64 words) {
  return (i64)cell < region->unknown ? NORN_DONE : w->host->device_look(w, region, cell, words);
}

NORN_INLINE u64 norn_remote(const norn_block *block) { return block ? block->address : 0; }

#endif
