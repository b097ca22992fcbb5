// The context of a library: what its programs run on, and how it was configured. A library has no other state.
//
// What follows the text of a program in a library is: context.h, failure.h, profile.h, then no_device.h, or the files of gpu/, which reach a GPU; memory.h and threads.h (which are
// what the program runs on, see rts/cpu/abi.h), value.h, cells.h, array.h, call.h, store.h, and then the functions of its interface, which are a line or two each. Tables that the
// compiler writes describe types, entry points and kernels.
#ifndef NORN_CONTEXT_H
#define NORN_CONTEXT_H

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NORN_ERROR 1
#define NORN_PROGRAM_ERROR 2
#define NORN_MEMORY_ERROR 3

struct futhark_context_config {
  int threads;  // 0: as many as the machine runs at the same time
  int debugging, profiling, logging;
  int in_use;
  char *cache_file;
  // Of a GPU: which one, options for the compiler of its kernels, another text of these, and a queue to use.
  char *device, *platform, *options, *program;
  // Files: of compiled kernels to load instead, and for those of CUDA as PTX.
  char *code_file, *ptx_file;
  int unified;  // memory of the device that the processor can access, too: 1, or 2 where the device is made for it
  void *queue;
  // By their numbers; -1: not set. norn_tunable_names has the names.
  i64 tunable[NORN_TUNABLES];
};

typedef struct norn_event norn_event;

// A thread that runs compiled code. Compiled code sees the first part.
typedef struct norn_thread {
  norn_worker worker;
  struct futhark_context *context;
  int number;
  pthread_t thread;
  bool started;
  pthread_mutex_t lock;  // of the list
  norn_block *made;      // the blocks that it made, newest first
} norn_thread;

// A launch whose chunks are done by whoever has time.
typedef struct norn_job {
  norn_kernel kernel;
  const void *args;
  i64 width, chunks;
  i32 split;
  const i64 *offsets;
  i64 next;     // the next chunk
  int helpers;  // threads that do chunks of it, beside the one that launched it
  int failed, stopped;
  struct norn_job *below;
} norn_job;

#define NORN_SPARE 64

struct futhark_context {
  struct futhark_context_config *config;
  pthread_mutex_t calls;  // one at a time
  char *error;
  FILE *log;
  norn_run run;
  u64 *globals;

  int threads;
  norn_thread *thread;  // the first is that of the caller
  pthread_mutex_t jobs_lock;
  pthread_cond_t jobs_there, job_left;
  norn_job *jobs;  // the newest first
  bool ended;

  pthread_mutex_t spare_lock;
  norn_block *spare[NORN_SPARE];
  int spares;
  i64 live, peak;  // bytes that are given away, and the most that were

  // What was measured (profile.h).
  pthread_mutex_t events_lock;
  norn_event *event;
  i64 events, event_room, settled;
  bool paused;

  struct norn_device *device;  // null without a GPU
  bool refused_by_device;      // memory was refused there
};

// Memory of a device, by addresses. What goes wrong is an error of the context.
static u64 norn_remote_new(struct futhark_context *context, i64 bytes);  // 0 if there is no memory
static void norn_remote_free(struct futhark_context *context, u64 address);
static void norn_remote_disown(struct futhark_context *context, u64 address);  // of somebody else's memory
static int norn_remote_read(struct futhark_context *context, void *to, u64 from, i64 bytes);
static int norn_remote_write(struct futhark_context *context, u64 to, const void *from, i64 bytes);
static int norn_remote_copy(struct futhark_context *context, u64 to, u64 from, i64 bytes);

// A text in memory of its own; null if there is none.
static char *norn_text_of(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

// The error that is reported next. Of several, the first.
static int norn_error(struct futhark_context *context, int code, const char *format, ...) {
  if (context->error) return code;
  va_list args;
  va_start(args, format);
  context->error = norn_text_of(format, args);
  va_end(args);
  return code;
}

// Whether something can be done with the context; if not, that is an error of it. One that could not be made has no threads.
static bool norn_is_ready(struct futhark_context *context) {
  if (!context) return false;
  if (!context->threads) norn_error(context, NORN_ERROR, "The context could not be made.");
  return context->threads;
}

// Whether a caller has given a place to read from or write to. All functions of the interface ask, so that is no code in each.
__attribute__((noinline)) static bool norn_is_given(struct futhark_context *context, const void *place, const char *name) {
  if (!norn_is_ready(context)) return false;
  if (!place) norn_error(context, NORN_PROGRAM_ERROR, "The argument `%s` is null.", name);
  return place;
}

#endif
