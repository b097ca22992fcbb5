// The functions of OpenCL C that kernels call, declared. It stands before a text for PoCL, instead of the header that PoCL includes itself (clang's
// opencl-c.h): this declares 16,000 functions, which takes ten times as long as the text. The types (opencl-c-base.h) are there anyway, and so
// are the macros by which PoCL renames functions.
#ifndef NORN_POCL_H
#define NORN_POCL_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define NORN_DECLARED __attribute__((overloadable))
// The result depends on the arguments alone.
#define NORN_DECLARED_CONST __attribute__((overloadable, const))
// All threads of a group come here together.
#define NORN_DECLARED_TOGETHER __attribute__((overloadable, convergent))

// # Threads

size_t NORN_DECLARED_CONST get_local_id(uint);
size_t NORN_DECLARED_CONST get_local_size(uint);
size_t NORN_DECLARED_CONST get_group_id(uint);
size_t NORN_DECLARED_CONST get_num_groups(uint);
void NORN_DECLARED_TOGETHER barrier(cl_mem_fence_flags);
void NORN_DECLARED mem_fence(cl_mem_fence_flags);
#if __OPENCL_C_VERSION__ >= 200
void NORN_DECLARED atomic_work_item_fence(cl_mem_fence_flags, memory_order, memory_scope);
#endif

// # Integers

uint NORN_DECLARED_CONST popcount(uint);
ulong NORN_DECLARED_CONST popcount(ulong);
uint NORN_DECLARED_CONST clz(uint);
ulong NORN_DECLARED_CONST clz(ulong);
long NORN_DECLARED_CONST mul_hi(long, long);
ulong NORN_DECLARED_CONST mul_hi(ulong, ulong);

// # Words that several threads see

#define NORN_DECLARE_ATOMICS(T, prefix, space)                       \
  T NORN_DECLARED prefix##add(volatile space T *, T);                \
  T NORN_DECLARED prefix##xchg(volatile space T *, T);               \
  T NORN_DECLARED prefix##cmpxchg(volatile space T *, T, T);         \
  T NORN_DECLARED prefix##min(volatile space T *, T);                \
  T NORN_DECLARED prefix##max(volatile space T *, T);                \
  T NORN_DECLARED prefix##and(volatile space T *, T);                \
  T NORN_DECLARED prefix##or(volatile space T *, T);                 \
  T NORN_DECLARED prefix##xor(volatile space T *, T);

NORN_DECLARE_ATOMICS(int, atomic_, __global)
NORN_DECLARE_ATOMICS(int, atomic_, __local)
NORN_DECLARE_ATOMICS(uint, atomic_, __global)
NORN_DECLARE_ATOMICS(uint, atomic_, __local)
NORN_DECLARE_ATOMICS(long, atom_, __global)
NORN_DECLARE_ATOMICS(long, atom_, __local)
NORN_DECLARE_ATOMICS(ulong, atom_, __global)
NORN_DECLARE_ATOMICS(ulong, atom_, __local)

// # Floats

#define NORN_DECLARE_FLOAT(T)                                        \
  T NORN_DECLARED_CONST fabs(T);                                     \
  T NORN_DECLARED_CONST sqrt(T);                                     \
  T NORN_DECLARED_CONST rsqrt(T);                                    \
  T NORN_DECLARED_CONST cbrt(T);                                     \
  T NORN_DECLARED_CONST exp(T);                                      \
  T NORN_DECLARED_CONST log(T);                                      \
  T NORN_DECLARED_CONST log2(T);                                     \
  T NORN_DECLARED_CONST log10(T);                                    \
  T NORN_DECLARED_CONST log1p(T);                                    \
  T NORN_DECLARED_CONST sin(T);                                      \
  T NORN_DECLARED_CONST cos(T);                                      \
  T NORN_DECLARED_CONST tan(T);                                      \
  T NORN_DECLARED_CONST asin(T);                                     \
  T NORN_DECLARED_CONST acos(T);                                     \
  T NORN_DECLARED_CONST atan(T);                                     \
  T NORN_DECLARED_CONST sinh(T);                                     \
  T NORN_DECLARED_CONST cosh(T);                                     \
  T NORN_DECLARED_CONST tanh(T);                                     \
  T NORN_DECLARED_CONST asinh(T);                                    \
  T NORN_DECLARED_CONST acosh(T);                                    \
  T NORN_DECLARED_CONST atanh(T);                                    \
  T NORN_DECLARED_CONST tgamma(T);                                   \
  T NORN_DECLARED_CONST lgamma(T);                                   \
  T NORN_DECLARED_CONST erf(T);                                      \
  T NORN_DECLARED_CONST erfc(T);                                     \
  T NORN_DECLARED_CONST ceil(T);                                     \
  T NORN_DECLARED_CONST floor(T);                                    \
  T NORN_DECLARED_CONST trunc(T);                                    \
  T NORN_DECLARED_CONST rint(T);                                     \
  T NORN_DECLARED_CONST fmod(T, T);                                  \
  T NORN_DECLARED_CONST pow(T, T);                                   \
  T NORN_DECLARED_CONST atan2(T, T);                                 \
  T NORN_DECLARED_CONST hypot(T, T);                                 \
  T NORN_DECLARED_CONST nextafter(T, T);                             \
  T NORN_DECLARED_CONST copysign(T, T);                              \
  T NORN_DECLARED_CONST fma(T, T, T);                                \
  T NORN_DECLARED_CONST ldexp(T, int);

NORN_DECLARE_FLOAT(float)
#ifdef cl_khr_fp64
NORN_DECLARE_FLOAT(double)
#endif

#pragma OPENCL EXTENSION all : disable

#endif
#line 1
