// exp.
#ifndef NORN_VMATH_EXP_H
#define NORN_VMATH_EXP_H

// x * 2^n, where the result may be too large or too small for a float: in two steps, of which only the second rounds.
NORN_INLINE f32xv f32xv_scale(f32xv x, f32xv n, i32xv bits) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  return __builtin_ia32_scalefps512_mask(x, n, x, -1, 4);
#else
  i32xv half = bits >> 1;
  return x * (f32xv)((half + 127) << 23) * (f32xv)((bits - half + 127) << 23);
#endif
}

NORN_INLINE f64xv f64xv_scale(f64xv x, f64xv n, i64xv bits) {
#if NORN_GCC_X86 && NORN_VECTOR_BYTES == 64
  return __builtin_ia32_scalefpd512_mask(x, n, x, -1, 4);
#else
  i64xv half = bits >> 1;
  return x * (f64xv)((half + 1023) << 52) * (f64xv)((bits - half + 1023) << 52);
#endif
}

// e^x = 2^n * e^r with |r| <= log(2)/2; e^r is 1 + r + r^2 * p(r), the best p of its degree.
NORN_INLINE f32xv f32xv_exp(f32xv x) {
  // Beyond these, the result is 0 or infinite. A NaN stays.
  x = f32xv_greater(x, f32xv_splat(-104.0f));
  x = f32xv_less(x, f32xv_splat(89.0f));
  f32xv sum = f32xv_mad(x, f32xv_splat(0x1.715476p+0f), f32xv_splat(NORN_ROUND_f32));
  f32xv n = sum - NORN_ROUND_f32;
  f32xv r = f32xv_mad(n, f32xv_splat(-0x1.62e4p-1f), x);
  r = f32xv_mad(n, f32xv_splat(-0x1.7f7d1cp-20f), r);
  f32xv p = f32xv_splat(0.00139262508314976f);
  p = f32xv_mad(p, r, f32xv_splat(0.00836323288368262f));
  p = f32xv_mad(p, r, f32xv_splat(0.04166655421298415f));
  p = f32xv_mad(p, r, f32xv_splat(0.16666576666119928f));
  p = f32xv_mad(p, r, f32xv_splat(0.5f));
  f32xv y = f32xv_mad(p, r * r, r) + 1.0f;
  return f32xv_scale(y, n, f32xv_low_bits(sum));
}

// e^(x + low), where low is small beside x.
NORN_INLINE f64xv f64xv_exp_of_sum(f64xv x, f64xv low) {
  x = f64xv_greater(x, f64xv_splat(-746.0));
  x = f64xv_less(x, f64xv_splat(710.0));
  f64xv sum = f64xv_mad(x, f64xv_splat(0x1.71547652b82fep+0), f64xv_splat(NORN_ROUND_f64));
  f64xv n = sum - NORN_ROUND_f64;
  f64xv r = f64xv_mad(n, f64xv_splat(-0x1.62e42fefp-1), x);
  r = f64xv_mad(n, f64xv_splat(-0x1.473de6af278edp-34), r) + low;
  f64xv p = f64xv_splat(2.5100472505694996003e-8);
  p = f64xv_mad(p, r, f64xv_splat(2.7620201591031548792e-7));
  p = f64xv_mad(p, r, f64xv_splat(2.7557268276905696187e-6));
  p = f64xv_mad(p, r, f64xv_splat(0.000024801521057868205199));
  p = f64xv_mad(p, r, f64xv_splat(0.00019841269863171556026));
  p = f64xv_mad(p, r, f64xv_splat(0.0013888888917367080562));
  p = f64xv_mad(p, r, f64xv_splat(0.0083333333333300381973));
  p = f64xv_mad(p, r, f64xv_splat(0.041666666666623820532));
  p = f64xv_mad(p, r, f64xv_splat(0.1666666666666666746));
  p = f64xv_mad(p, r, f64xv_splat(0.50000000000000010314));
  f64xv y = f64xv_mad(p, r * r, r) + 1.0;
  return f64xv_scale(y, n, f64xv_low_bits(sum));
}

NORN_INLINE f64xv f64xv_exp(f64xv x) { return f64xv_exp_of_sum(x, (f64xv){0}); }

#endif
