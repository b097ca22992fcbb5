// Values that go from thread to thread of a warp, in CUDA: words go by the device's instruction, everything else as the bits of a word.
#ifndef NORN_SHUFFLE_H
#define NORN_SHUFFLE_H

NORN_INLINE u32 norn_shuffle_word(u32 x, i64 lane) { return __shfl_sync(0xffffffff, x, (i32)lane); }
NORN_INLINE u64 norn_shuffle_long(u64 x, i64 lane) { return __shfl_sync(0xffffffff, x, (i32)lane); }

#define NORN_SHUFFLE(T, U, word, W) \
  NORN_INLINE T norn_shuffle_##T(T x, i64 lane) { return (T)(U)norn_shuffle_##word((W)(U)x, lane); }

NORN_SHUFFLE(i8, u8, word, u32)
NORN_SHUFFLE(i16, u16, word, u32)
NORN_SHUFFLE(i32, u32, word, u32)
NORN_SHUFFLE(i64, u64, long, u64)
NORN_SHUFFLE(u8, u8, word, u32)
NORN_SHUFFLE(u16, u16, word, u32)
NORN_SHUFFLE(u32, u32, word, u32)
NORN_SHUFFLE(u64, u64, long, u64)
NORN_SHUFFLE(bool, u8, word, u32)
NORN_SHUFFLE(f16, u16, word, u32)

NORN_INLINE f32 norn_shuffle_f32(f32 x, i64 lane) { return __shfl_sync(0xffffffff, x, (i32)lane); }
NORN_INLINE f64 norn_shuffle_f64(f64 x, i64 lane) { return __shfl_sync(0xffffffff, x, (i32)lane); }

#endif
