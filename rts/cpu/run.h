// How compiled code stops, fails and starts kernels.
#ifndef NORN_RUN_H
#define NORN_RUN_H

#include <stdbool.h>

typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef float f32;
typedef double f64;

#define NORN_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define NORN_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
// A compiler that does not optimise gets calls: what is inlined would be most of what it compiles.
#if defined(__OPTIMIZE__)
#define NORN_INLINE static inline __attribute__((always_inline, unused))
#else
#define NORN_INLINE static inline __attribute__((unused))
#endif
#define NORN_COLD static __attribute__((cold, noinline, unused))
#define NORN_KERNEL static __attribute__((noinline))
// A long function that is not worth optimising.
#if defined(__clang__)
#define NORN_ONCE static __attribute__((noinline, optnone))
#else
#define NORN_ONCE static __attribute__((noinline, optimize("O0")))
#endif

// The iterations of the loop that follows do not depend on each other.
#if defined(__clang__)
#define NORN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define NORN_INDEPENDENT _Pragma("GCC ivdep")
#endif

// In a loop of few iterations: the compiler does not see what the counter is, so it neither vectorises the loop nor unrolls it.
#define NORN_FEW(counter) __asm__("" : "+r"(counter))

NORN_INLINE bool norn_stopped(const norn_run *run) {
  return NORN_UNLIKELY(__atomic_load_n(&run->stop, __ATOMIC_RELAXED));
}

// Where the strip of a loop ends that begins here: after so many iterations, a loop asks whether the run has stopped.
NORN_INLINE i64 norn_strip(i64 from, i64 end, i64 length) {
  return from >= end || (u64)end - (u64)from <= (u64)length ? end : from + length;
}

// Who gets NORN_FAILED may describe the failure, and then has to call `norn_failed`.
NORN_COLD int norn_begin_failure(norn_run *run) {
  i32 none = 0;
  bool first = __atomic_compare_exchange_n(&run->failed, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return first ? NORN_FAILED : NORN_STOPPED;
}

NORN_COLD int norn_failed(norn_run *run) {
  __atomic_store_n(&run->failed, 2, __ATOMIC_RELEASE);
  __atomic_fetch_or(&run->stop, NORN_STOP_FAILED, __ATOMIC_RELEASE);
  return NORN_FAILED;
}

// A check does not hold.
NORN_COLD int norn_fail(norn_worker *w, i32 site, i32 operands, const u64 *operand) {
  norn_run *run = w->run;
  if (norn_begin_failure(run) != NORN_FAILED) return NORN_STOPPED;
  run->site = site;
  run->operands = operands < NORN_OPERANDS ? operands : NORN_OPERANDS;
  for (i32 i = 0; i < run->operands; i++) run->operand[i] = operand[i];
  return norn_failed(run);
}

NORN_COLD int norn_out_of_memory(norn_worker *w, i32 site, i64 bytes) {
  norn_run *run = w->run;
  if (norn_begin_failure(run) != NORN_FAILED) return NORN_STOPPED;
  run->site = NORN_OUT_OF_MEMORY;
  run->at = site;
  run->operands = 1;
  run->operand[0] = (u64)bytes;
  return norn_failed(run);
}

// A recursive function is entered for which there is no stack, or after the run has stopped.
NORN_COLD int norn_refuse(norn_worker *w) {
  norn_run *run = w->run;
  if (norn_stopped(run) || norn_begin_failure(run) != NORN_FAILED) return NORN_STOPPED;
  run->site = NORN_OUT_OF_STACK;
  run->at = -1;
  run->operands = 0;
  return norn_failed(run);
}

// A call that has not ended well is left: its site belongs to the trace if the failure happened below it.
NORN_COLD int norn_leave(norn_worker *w, int end, i32 site) {
  if (end == NORN_FAILED) {
    norn_run *run = w->run;
    i32 half = NORN_TRACE / 2;
    i32 at = run->calls < half ? run->calls : half + (run->calls - half) % half;
    run->trace[at] = site;
    run->calls++;
  }
  return end;
}

NORN_INLINE char *norn_stack_pointer(void) {
#if defined(__x86_64__)
  char *here;
  __asm__("movq %%rsp, %0" : "=r"(here));
  return here;
#elif defined(__aarch64__)
  char *here;
  __asm__("mov %0, sp" : "=r"(here));
  return here;
#else
  return (char *)__builtin_frame_address(0);
#endif
}

// Whether a recursive function is not to be entered.
NORN_INLINE bool norn_too_deep(norn_worker *w) {
  return NORN_UNLIKELY(norn_stack_pointer() < w->stack_limit) || norn_stopped(w->run);
}

// How many chunks are worth their cost: one has some microseconds of work, and there are enough of them for
// threads to share when some take longer than others.
NORN_INLINE i64 norn_chunks(norn_worker *w, i64 width, i64 work) {
  if (w->workers <= 1) return 1;
  i64 chunks = work >> 15, most = 16 * (i64)w->workers;
  if (chunks > most) chunks = most;
  if (chunks > width) chunks = width;
  return chunks < 1 ? 1 : chunks;
}

#define NORN_SPLIT_EVEN 0
#define NORN_SPLIT_OFFSETS 1
#define NORN_SPLIT_ORDERED 2
#define NORN_SPLIT_PARTS 3
#define NORN_SPLIT_PARTS_WAIT 4

NORN_INLINE int norn_launch(norn_worker *w, norn_kernel kernel, const void *args, i64 width, i64 chunks, i32 split,
                            const i64 *offsets, i32 site, i64 bytes) {
  // What a part asks of its device is charged there; and who does a part is the host's choice, even if there is one only.
  bool is_part = split >= NORN_SPLIT_PARTS, profile = NORN_UNLIKELY(w->profile) && !is_part;
  i64 begin = profile ? w->host->now() : 0;
  int end = chunks <= 1 && !is_part ? kernel(w, args, 0, 0, width)
                        : w->host->launch(w, kernel, args, width, chunks, split, offsets, site);
  if (profile) w->host->charge(w, site, begin, width, bytes);
  return end;
}

NORN_INLINE void norn_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Wait for a place to change from 0; 0, or how the run has ended.
static inline __attribute__((unused)) int norn_await(norn_worker *w, const i64 *place) {
  for (i64 round = 0; !__atomic_load_n(place, __ATOMIC_ACQUIRE); round++) {
    if (norn_stopped(w->run)) return NORN_STOPPED;
    if (round < 256) norn_pause();
    else w->host->yield(w);
  }
  return NORN_DONE;
}

NORN_INLINE void norn_signal(i64 *place) { __atomic_store_n(place, 1, __ATOMIC_RELEASE); }

// The results of a constant: who finds them absent computes them, who is first stores them.
#define NORN_CONSTANT_STORED 2

NORN_INLINE bool norn_constant_there(const i32 *state) {
  return NORN_LIKELY(__atomic_load_n(state, __ATOMIC_ACQUIRE) == NORN_CONSTANT_STORED);
}

// Whether the caller is to store what it has computed, and then to call `norn_constant_stored`. If not, somebody else's
// results are there when this returns.
NORN_COLD bool norn_constant_first(i32 *state) {
  i32 absent = 0;
  if (__atomic_compare_exchange_n(state, &absent, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return true;
  while (!norn_constant_there(state)) norn_pause();
  return false;
}

NORN_INLINE void norn_constant_stored(i32 *state) {
  __atomic_store_n(state, NORN_CONSTANT_STORED, __ATOMIC_RELEASE);
}

#endif
