// Elements that several threads see: changing, comparing, publishing and acquiring them.
//
// The dialect knows words of 32 and 64 bits. An element is a word (WORD), or a part of the word around it (PART), which is
// swapped as a whole until nobody else has changed it meanwhile. Elements are the same if their bits are.
//
// T: a type; M: what it is in memory; U: its bits; space: `global` or `local`, and SPACE the dialect's word for that.
#ifndef NORN_ATOMIC_H
#define NORN_ATOMIC_H

// By a function of the dialect, at a type with the same result.
#define NORN_ATOMIC(op, T, AT, space, SPACE, function)                                          \
  NORN_INLINE T norn_atomic_##op##_##T##_##space(SPACE T *place, T y) { return (T)function((SPACE AT *)place, (AT)y); }

// The same for an operator that changes an element at most once by the same value, such as `min`: where many threads meet, most of
// them change nothing, and looking costs them less. Nobody else may write what the operator would not: what was seen may be old.
#define NORN_IMPROVE(op, T, M, U, space, SPACE, combined)                                       \
  NORN_INLINE void norn_improve_##op##_##T##_##space(SPACE M *place, T y) {                     \
    U bits = *(volatile SPACE U *)(SPACE U *)place;                                             \
    T x = NORN_OF_BITS_##T(bits);                                                               \
    T z = combined;                                                                             \
    if (NORN_BITS_##T(z) != bits) norn_atomic_##op##_##T##_##space(place, y);                   \
  }

// The bits of a value, and the value of bits.
#define NORN_BITS_i8(x) ((u8)(x))
#define NORN_BITS_i16(x) ((u16)(x))
#define NORN_BITS_i32(x) ((u32)(x))
#define NORN_BITS_i64(x) ((u64)(x))
#define NORN_BITS_u8(x) (x)
#define NORN_BITS_u16(x) (x)
#define NORN_BITS_u32(x) (x)
#define NORN_BITS_u64(x) (x)
#define NORN_BITS_bool(x) ((u8)(x))
#define NORN_BITS_f16(x) (x)
#define NORN_BITS_f32(x) NORN_AS_u32(x)
#define NORN_BITS_f64(x) NORN_AS_u64(x)
#define NORN_OF_BITS_i8(bits) ((i8)(bits))
#define NORN_OF_BITS_i16(bits) ((i16)(bits))
#define NORN_OF_BITS_i32(bits) ((i32)(bits))
#define NORN_OF_BITS_i64(bits) ((i64)(bits))
#define NORN_OF_BITS_u8(bits) (bits)
#define NORN_OF_BITS_u16(bits) (bits)
#define NORN_OF_BITS_u32(bits) (bits)
#define NORN_OF_BITS_u64(bits) (bits)
#define NORN_OF_BITS_bool(bits) ((bits) != 0)
#define NORN_OF_BITS_f16(bits) (bits)
#define NORN_OF_BITS_f32(bits) NORN_AS_f32(bits)
#define NORN_OF_BITS_f64(bits) NORN_AS_f64(bits)

// The element becomes what is combined from it, `x`, and a value `y`.
#define NORN_CHANGE_WORD(op, T, M, U, space, SPACE, combined)                                   \
  NORN_INLINE T norn_atomic_##op##_##T##_##space(SPACE M *place, T y) {                         \
    SPACE U *word = (SPACE U *)place;                                                           \
    U old = *(volatile SPACE U *)word, seen;                                                    \
    do {                                                                                        \
      seen = old;                                                                               \
      T x = NORN_OF_BITS_##T(seen);                                                             \
      T z = combined;                                                                           \
      if (NORN_BITS_##T(z) == seen) break;                                                      \
      old = norn_swap_##U##_##space(word, seen, NORN_BITS_##T(z));                              \
    } while (old != seen);                                                                      \
    return NORN_OF_BITS_##T(old);                                                               \
  }

#define NORN_SWAP_IF_WORD(T, M, U, space, SPACE)                                                \
  NORN_INLINE T norn_swap_if_##T##_##space(SPACE M *place, T expected, T value) {               \
    U old = norn_swap_##U##_##space((SPACE U *)place, NORN_BITS_##T(expected), NORN_BITS_##T(value)); \
    return NORN_OF_BITS_##T(old);                                                               \
  }

#define NORN_ACQUIRE_WORD(T, M, U, space, SPACE)                                                \
  NORN_INLINE T norn_acquire_one_##T##_##space(SPACE M *place) {                                \
    U bits = norn_acquire_##U##_##space((SPACE U *)place);                                      \
    return NORN_OF_BITS_##T(bits);                                                              \
  }

#define NORN_PEEK_WORD(T, M, U, space, SPACE)                                                   \
  NORN_INLINE T norn_peek_one_##T##_##space(SPACE M *place) {                                   \
    U bits = norn_peek_##U##_##space((SPACE U *)place);                                         \
    return NORN_OF_BITS_##T(bits);                                                              \
  }

#define NORN_PUBLISH_WORD(T, M, U, space, SPACE)                                                \
  NORN_INLINE void norn_publish_one_##T##_##space(SPACE M *place, T value) {                    \
    norn_publish_##U##_##space((SPACE U *)place, NORN_BITS_##T(value));                         \
  }

// The word around an element, how far the element is from its low end, and the word with other bits in its place.
#define NORN_AROUND(place, SPACE) ((SPACE u32 *)((SPACE u8 *)(place) - ((norn_address)(place) & 3)))
#define NORN_SHIFT(place) (8 * (u32)((norn_address)(place) & 3))
#define NORN_INSERT(word, U, bits, shift) (((word) & ~((u32)(U)-1 << (shift))) | (u32)(U)(bits) << (shift))

#define NORN_CHANGE_PART(op, T, M, U, space, SPACE, combined)                                   \
  NORN_INLINE T norn_atomic_##op##_##T##_##space(SPACE M *place, T y) {                         \
    SPACE u32 *word = NORN_AROUND(place, SPACE);                                                \
    u32 shift = NORN_SHIFT(place), old = *(volatile SPACE u32 *)word, seen;                     \
    do {                                                                                        \
      seen = old;                                                                               \
      U bits = (U)(seen >> shift);                                                              \
      T x = NORN_OF_BITS_##T(bits);                                                             \
      T z = combined;                                                                           \
      if (NORN_BITS_##T(z) == bits) break;                                                      \
      old = norn_swap_u32_##space(word, seen, NORN_INSERT(seen, U, NORN_BITS_##T(z), shift));   \
    } while (old != seen);                                                                      \
    U bits = (U)(old >> shift);                                                                 \
    return NORN_OF_BITS_##T(bits);                                                              \
  }

#define NORN_SWAP_IF_PART(T, M, U, space, SPACE)                                                \
  NORN_INLINE T norn_swap_if_##T##_##space(SPACE M *place, T expected, T value) {               \
    SPACE u32 *word = NORN_AROUND(place, SPACE);                                                \
    u32 shift = NORN_SHIFT(place), old = *(volatile SPACE u32 *)word, seen;                     \
    do {                                                                                        \
      seen = old;                                                                               \
      if ((U)(seen >> shift) != NORN_BITS_##T(expected)) break;                                 \
      old = norn_swap_u32_##space(word, seen, NORN_INSERT(seen, U, NORN_BITS_##T(value), shift)); \
    } while (old != seen);                                                                      \
    U bits = (U)(old >> shift);                                                                 \
    return NORN_OF_BITS_##T(bits);                                                              \
  }

#define NORN_ACQUIRE_PART(T, M, U, space, SPACE)                                                \
  NORN_INLINE T norn_acquire_one_##T##_##space(SPACE M *place) {                                \
    U bits = (U)(norn_acquire_u32_##space(NORN_AROUND(place, SPACE)) >> NORN_SHIFT(place));     \
    return NORN_OF_BITS_##T(bits);                                                              \
  }

#define NORN_PEEK_PART(T, M, U, space, SPACE)                                                   \
  NORN_INLINE T norn_peek_one_##T##_##space(SPACE M *place) {                                   \
    U bits = (U)(norn_peek_u32_##space(NORN_AROUND(place, SPACE)) >> NORN_SHIFT(place));        \
    return NORN_OF_BITS_##T(bits);                                                              \
  }

#define NORN_PUBLISH_PART(T, M, U, space, SPACE)                                                \
  NORN_INLINE void norn_publish_one_##T##_##space(SPACE M *place, T value) {                    \
    SPACE u32 *word = NORN_AROUND(place, SPACE);                                                \
    u32 shift = NORN_SHIFT(place), old = *(volatile SPACE u32 *)word, seen;                     \
    norn_fence();                                                                               \
    do {                                                                                        \
      seen = old;                                                                               \
      old = norn_swap_u32_##space(word, seen, NORN_INSERT(seen, U, NORN_BITS_##T(value), shift)); \
    } while (old != seen);                                                                      \
  }

#endif
