// Masks, and memory that vectors are loaded from and stored to. The parameters of macros are those of vector.h.
#ifndef NORN_VECTOR_MEMORY_H
#define NORN_VECTOR_MEMORY_H

// # Masks

#define NORN_MASK(M, N, H, S) NORN_BY_FORM(NORN_MASK, S)(M, N, H, S)
#define NORN_MASK_WHOLE(M, X, H, S) \
  NORN_INLINE bool M##x##X##_any(M##x##X mask) { return norn_any_##S(&mask); }
#define NORN_MASK_HALVES(M, N, H, S) \
  NORN_INLINE bool M##x##N##_any(M##x##N mask) { return M##x##H##_any(M##x##H##_or(mask.lo, mask.hi)); }

// # Memory, at neighbouring places, where a mask holds

#define NORN_MASKED(E, M, N, H, S) NORN_BY_FORM(NORN_MASKED, S)(E, M, N, H, S)
#define NORN_MASKED_WHOLE(E, M, X, N, S)                                                        \
  NORN_INLINE E##x##X E##x##X##_load_where(const E *from, M##x##X mask) {                       \
    E##x##X x = {0};                                                                            \
    norn_load_where(&x, from, &mask, sizeof(E), S);                                             \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##X##_store_where(E *to, E##x##X x, M##x##X mask) {                      \
    norn_store_where(to, &x, &mask, sizeof(E), S);                                              \
  }
#define NORN_MASKED_HALVES(E, M, N, H, S)                                                       \
  NORN_INLINE E##x##N E##x##N##_load_where(const E *from, M##x##N mask) {                       \
    return (E##x##N){E##x##H##_load_where(from, mask.lo), E##x##H##_load_where(from + H, mask.hi)}; \
  }                                                                                             \
  NORN_INLINE void E##x##N##_store_where(E *to, E##x##N x, M##x##N mask) {                      \
    E##x##H##_store_where(to, x.lo, mask.lo);                                                   \
    E##x##H##_store_where(to + H, x.hi, mask.hi);                                               \
  }
#define NORN_MASKED_ARRAY(E, M, N)                                                              \
  NORN_INLINE E##x##N E##x##N##_load_where(const E *from, M##x##N mask) {                       \
    E##x##N x = {0};                                                                            \
    norn_load_where(&x, from, &mask, sizeof(E), sizeof x);                                      \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_store_where(E *to, E##x##N x, M##x##N mask) {                      \
    norn_store_where(to, &x, &mask, sizeof(E), sizeof x);                                       \
  }

// # Memory, at places by a vector of integers I, which has the size SI

#define NORN_GATHER(E, M, I, N, H, S, SI) NORN_GATHER_FORMS(NORN_FORM_##S, NORN_FORM_##SI, E, M, I, N, H)
#define NORN_GATHER_FORMS(FE, FI, E, M, I, N, H) NORN_GATHER_FORMS_(FE, FI, E, M, I, N, H)
#define NORN_GATHER_FORMS_(FE, FI, E, M, I, N, H) NORN_GATHER_##FE##_##FI(E, M, I, N, H)
#define NORN_GATHER_WHOLE_WHOLE(E, M, I, N, H)                                                  \
  NORN_INLINE E##x##N E##x##N##_gather_##I(const E *from, I##x##N at, M##x##N mask) {           \
    E##x##N x = {0};                                                                            \
    norn_gather_##I(&x, from, &at, &mask, sizeof(E), N);                                        \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_scatter_##I(E *to, I##x##N at, E##x##N x, M##x##N mask) {          \
    norn_scatter_##I(to, &at, &x, &mask, sizeof(E), N);                                         \
  }
#define NORN_GATHER_BY_HALVES(E, M, I, N, H)                                                    \
  NORN_INLINE E##x##N E##x##N##_gather_##I(const E *from, I##x##N at, M##x##N mask) {           \
    return E##x##N##_join(E##x##H##_gather_##I(from, I##x##N##_lo(at), M##x##N##_lo(mask)),     \
                          E##x##H##_gather_##I(from, I##x##N##_hi(at), M##x##N##_hi(mask)));    \
  }                                                                                             \
  NORN_INLINE void E##x##N##_scatter_##I(E *to, I##x##N at, E##x##N x, M##x##N mask) {          \
    E##x##H##_scatter_##I(to, I##x##N##_lo(at), E##x##N##_lo(x), M##x##N##_lo(mask));           \
    E##x##H##_scatter_##I(to, I##x##N##_hi(at), E##x##N##_hi(x), M##x##N##_hi(mask));           \
  }
#define NORN_GATHER_WHOLE_HALVES NORN_GATHER_BY_HALVES
#define NORN_GATHER_HALVES_WHOLE NORN_GATHER_BY_HALVES
#define NORN_GATHER_HALVES_HALVES NORN_GATHER_BY_HALVES
#define NORN_GATHER_ARRAY(E, M, I, N)                                                           \
  NORN_INLINE E##x##N E##x##N##_gather_##I(const E *from, I##x##N at, M##x##N mask) {           \
    E##x##N x = {0};                                                                            \
    norn_gather_each(&x, from, &at, sizeof(I), &mask, sizeof(E), N);                            \
    return x;                                                                                   \
  }                                                                                             \
  NORN_INLINE void E##x##N##_scatter_##I(E *to, I##x##N at, E##x##N x, M##x##N mask) {          \
    norn_scatter_each(to, &at, sizeof(I), &x, &mask, sizeof(E), N);                             \
  }

#endif
