// sin, cos and tan.
#ifndef NORN_VMATH_TRIG_H
#define NORN_VMATH_TRIG_H

// x = q * pi/2 + r. Pi is long enough for r to have all its digits as long as |x| is less than the limit, if products are added
// without rounding; whatever is not, or has no such instruction, goes to libm.
#define NORN_VMATH_TURN(E, I, limit, inverse, pi_1, pi_2, pi_3)                                 \
  NORN_INLINE bool E##xv_turns_far(E##xv x) {                                                   \
    return !NORN_FMA || I##xv_any((I##xv)~(E##xv_abs(x) < limit));                              \
  }                                                                                             \
  NORN_INLINE E##xv E##xv_turn(E##xv x, I##xv *quarters) {                                      \
    E##xv sum = E##xv_mad(x, E##xv_splat(inverse), E##xv_splat(NORN_ROUND_##E));                \
    E##xv q = sum - NORN_ROUND_##E;                                                             \
    *quarters = E##xv_low_bits(sum);                                                            \
    E##xv r = E##xv_mad(q, E##xv_splat(-pi_1), x);                                              \
    r = E##xv_mad(q, E##xv_splat(-pi_2), r);                                                    \
    return E##xv_mad(q, E##xv_splat(-pi_3), r);                                                 \
  }
NORN_VMATH_TURN(f32, i32, 8192.0f, 0x1.45f306p-1f, 0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f)
NORN_VMATH_TURN(f64, i64, 0x1p20, 0x1.45f306dc9c883p-1, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110)

// Within an eighth of a turn; z is r^2.
NORN_INLINE f32xv f32xv_small_sin(f32xv r, f32xv z) {
  f32xv p = f32xv_splat(-1.9515295891e-4f);
  p = f32xv_mad(p, z, f32xv_splat(8.3321608736e-3f));
  p = f32xv_mad(p, z, f32xv_splat(-1.6666654611e-1f));
  return f32xv_mad(p, z * r, r);
}

NORN_INLINE f32xv f32xv_small_cos(f32xv z) {
  f32xv p = f32xv_splat(2.443315711809948e-5f);
  p = f32xv_mad(p, z, f32xv_splat(-1.388731625493765e-3f));
  p = f32xv_mad(p, z, f32xv_splat(4.166664568298827e-2f));
  return f32xv_mad(p, z * z, f32xv_mad(z, f32xv_splat(-0.5f), f32xv_splat(1.0f)));
}

NORN_INLINE f64xv f64xv_small_sin(f64xv r, f64xv z) {
  f64xv p = f64xv_splat(1.58969099521155010221e-10);
  p = f64xv_mad(p, z, f64xv_splat(-2.50507602534068634195e-08));
  p = f64xv_mad(p, z, f64xv_splat(2.75573137070700676789e-06));
  p = f64xv_mad(p, z, f64xv_splat(-1.98412698298579493134e-04));
  p = f64xv_mad(p, z, f64xv_splat(8.33333333332248946124e-03));
  p = f64xv_mad(p, z, f64xv_splat(-1.66666666666666324348e-01));
  return f64xv_mad(p, z * r, r);
}

NORN_INLINE f64xv f64xv_small_cos(f64xv z) {
  f64xv p = f64xv_splat(-1.13596475577881948265e-11);
  p = f64xv_mad(p, z, f64xv_splat(2.08757232129817482790e-09));
  p = f64xv_mad(p, z, f64xv_splat(-2.75573143513906633035e-07));
  p = f64xv_mad(p, z, f64xv_splat(2.48015872894767294178e-05));
  p = f64xv_mad(p, z, f64xv_splat(-1.38888888888741095749e-03));
  p = f64xv_mad(p, z, f64xv_splat(4.16666666666666019037e-02));
  return f64xv_mad(p, z * z, f64xv_mad(z, f64xv_splat(-0.5), f64xv_splat(1.0)));
}

#define NORN_VMATH_TRIG(E, I, sign)                                                             \
  NORN_LIBM_LANES(E, sin)                                                                       \
  NORN_LIBM_LANES(E, cos)                                                                       \
  NORN_LIBM_LANES(E, tan)                                                                       \
  /* The sine, some quarters of a turn later. */                                                \
  NORN_INLINE E##xv E##xv_sin_later(E##xv x, I later) {                                         \
    I##xv quarters;                                                                             \
    E##xv r = E##xv_turn(x, &quarters), z = r * r;                                              \
    quarters = quarters + later;                                                                \
    E##xv size = E##xv_select((quarters & 1) == 0, E##xv_small_sin(r, z), E##xv_small_cos(z));  \
    return (E##xv)((I##xv)size ^ ((quarters & 2) << (sign - 1)));                               \
  }                                                                                             \
  NORN_INLINE E##xv E##xv_sin(E##xv x) {                                                        \
    if (NORN_UNLIKELY(E##xv_turns_far(x))) return E##xv_sin_by_lanes(x);                        \
    return E##xv_select(x == 0, x, E##xv_sin_later(x, 0));                                      \
  }                                                                                             \
  NORN_INLINE E##xv E##xv_cos(E##xv x) {                                                        \
    if (NORN_UNLIKELY(E##xv_turns_far(x))) return E##xv_cos_by_lanes(x);                        \
    return E##xv_sin_later(x, 1);                                                               \
  }                                                                                             \
  NORN_INLINE E##xv E##xv_tan(E##xv x) {                                                        \
    if (NORN_UNLIKELY(E##xv_turns_far(x))) return E##xv_tan_by_lanes(x);                        \
    I##xv quarters;                                                                             \
    E##xv r = E##xv_turn(x, &quarters), z = r * r;                                              \
    E##xv sin = E##xv_small_sin(r, z), cos = E##xv_small_cos(z);                                \
    I##xv even = (quarters & 1) == 0;                                                           \
    return E##xv_select(x == 0, x, E##xv_select(even, sin, -cos) / E##xv_select(even, cos, sin)); \
  }
NORN_VMATH_TRIG(f32, i32, 31)
NORN_VMATH_TRIG(f64, i64, 63)

#endif
