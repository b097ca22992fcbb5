// Words of 64 bits that several threads see. Not all devices have them.
#ifndef NORN_WIDE_H
#define NORN_WIDE_H

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

NORN_WORDS(u64, atom_, global, __global)
NORN_WORDS(u64, atom_, local, __local)

NORN_INLINE u64 norn_heap_add(__global u64 *place, u64 bytes) { return atom_add(place, bytes); }
NORN_INLINE u64 norn_words_add(__global u64 *place, u64 words) { return atom_add(place, words); }

#endif
