// The threads of a library, and launches: the chunks of a kernel, done by whoever has time.
//
// Who launches takes chunks of its own launch until none is left, and then waits for the others that took some. Those have begun them, and
// do nothing else before they end, so that everybody who waits waits for something that goes on: launches may nest, and the chunks of an
// ordered launch, which wait for those before them, are taken in their order.
#ifndef NORN_THREADS_H
#define NORN_THREADS_H

#define NORN_STACK ((size_t)256 << 20)      // only what is touched is used
#define NORN_STACK_RESERVE ((size_t)1 << 20)
#define NORN_CALLER_STACK ((size_t)512 << 10)  // what callers are taken to have left, if the system does not say
#define NORN_ROUNDS 4000                    // an idle thread looks so often before it sleeps

static i64 norn_even_cut(i64 chunk, i64 width, i64 chunks) {
  return width / chunks * chunk + width % chunks * chunk / chunks;
}

// The first row of a chunk: rows before it have about chunk / chunks of all elements, where each row counts as one more.
static i64 norn_offset_cut(i64 chunk, const i64 *offsets, i64 width, i64 chunks) {
  i64 wanted = norn_even_cut(chunk, offsets[width] - offsets[0] + width, chunks), low = 0, high = width;
  while (low < high) {
    i64 middle = low + (high - low) / 2;
    if (offsets[middle] - offsets[0] + middle < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

static i64 norn_cut(const norn_job *job, i64 chunk) {
  if (job->split == NORN_SPLIT_OFFSETS) return norn_offset_cut(chunk, job->offsets, job->width, job->chunks);
  return norn_even_cut(chunk, job->width, job->chunks);
}

// Does chunks until none is left.
static void norn_do_chunks(norn_thread *thread, norn_job *job) {
  i64 chunk;
  while ((chunk = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < job->chunks) {
    int end = NORN_STOPPED;
    if (!norn_stopped(thread->worker.run))
      end = job->kernel(&thread->worker, job->args, chunk, norn_cut(job, chunk), norn_cut(job, chunk + 1));
    if (end == NORN_FAILED) __atomic_store_n(&job->failed, 1, __ATOMIC_RELAXED);
    if (end == NORN_STOPPED) __atomic_store_n(&job->stopped, 1, __ATOMIC_RELAXED);
  }
}

static int norn_host_launch(norn_worker *w, norn_kernel kernel, const void *args, i64 width, i64 chunks, i32 split,
                            const i64 *offsets, i32 site) {
  (void)site;
  if (chunks <= 0) return NORN_DONE;
  norn_thread *thread = (norn_thread *)w;
  struct futhark_context *context = thread->context;
  norn_job job = {kernel, args, width, chunks, split, offsets, 0, 0, 0, 0, NULL};
  pthread_mutex_lock(&context->jobs_lock);
  job.below = context->jobs;
  __atomic_store_n(&context->jobs, &job, __ATOMIC_RELEASE);
  if (chunks > 2) pthread_cond_broadcast(&context->jobs_there);
  else pthread_cond_signal(&context->jobs_there);
  pthread_mutex_unlock(&context->jobs_lock);

  norn_do_chunks(thread, &job);

  pthread_mutex_lock(&context->jobs_lock);
  norn_job **at = &context->jobs;
  while (*at != &job) at = &(*at)->below;
  __atomic_store_n(at, job.below, __ATOMIC_RELEASE);
  while (job.helpers) pthread_cond_wait(&context->job_left, &context->jobs_lock);
  pthread_mutex_unlock(&context->jobs_lock);
  return job.failed ? NORN_FAILED : job.stopped ? NORN_STOPPED : NORN_DONE;
}

static char *norn_lowest(size_t stack) {
  char *here = norn_stack_pointer();
  return (size_t)here > stack ? here - (stack - NORN_STACK_RESERVE) : NULL;
}

static void *norn_help(void *data) {
  norn_thread *thread = data;
  struct futhark_context *context = thread->context;
  size_t stack = NORN_STACK;
  pthread_attr_t attributes;
#if defined(__linux__)
  if (!pthread_getattr_np(pthread_self(), &attributes)) {
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
  }
#else
  (void)attributes;
#endif
  thread->worker.stack_limit = norn_lowest(stack);
  pthread_mutex_lock(&context->jobs_lock);
  while (!context->ended) {
    norn_job *job = context->jobs;
    while (job && __atomic_load_n(&job->next, __ATOMIC_RELAXED) >= job->chunks) job = job->below;
    if (job) {
      job->helpers++;
      pthread_mutex_unlock(&context->jobs_lock);
      norn_do_chunks(thread, job);
      pthread_mutex_lock(&context->jobs_lock);
      if (--job->helpers == 0) pthread_cond_broadcast(&context->job_left);
      continue;
    }
    // The next launch often comes soon, and to wake somebody up takes longer than it does.
    pthread_mutex_unlock(&context->jobs_lock);
    for (int round = 0; round < NORN_ROUNDS && !__atomic_load_n(&context->jobs, __ATOMIC_ACQUIRE); round++) norn_pause();
    pthread_mutex_lock(&context->jobs_lock);
    if (!context->jobs && !context->ended) pthread_cond_wait(&context->jobs_there, &context->jobs_lock);
    else if (context->jobs) {
      bool work = false;
      for (norn_job *other = context->jobs; other; other = other->below)
        work |= __atomic_load_n(&other->next, __ATOMIC_RELAXED) < other->chunks;
      // All is taken: somebody is about to end it, or to launch more.
      if (!work) pthread_cond_wait(&context->jobs_there, &context->jobs_lock);
    }
  }
  pthread_mutex_unlock(&context->jobs_lock);
  return NULL;
}

static void norn_host_yield(norn_worker *w) {
  (void)w;
  sched_yield();
}

static i64 norn_host_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (i64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void norn_host_charge(norn_worker *w, i32 site, i64 begin, i64 width, i64 bytes) {
  (void)bytes;
  double microseconds = (double)(norn_host_now() - begin) / 1000;
  norn_note_event(((norn_thread *)w)->context, (norn_event){site, NULL, width, microseconds, {NULL, NULL}});
}

// Traces are left out of libraries.
static void norn_host_show(norn_worker *w, const i64 *words, i64 count) { (void)w, (void)words, (void)count; }

// What a program asks for.
static const norn_host norn_host_functions = {
    .alloc = norn_host_alloc,
    .free = norn_host_free,
    .launch = norn_host_launch,
    .region_new = norn_host_region_new,
    .region_end = norn_host_region_end,
    .region_grow = norn_host_region_grow,
    .yield = norn_host_yield,
    .now = norn_host_now,
    .charge = norn_host_charge,
    .show = norn_host_show,
    NORN_DEVICE_FUNCTIONS
};

// How far the stack of the calling thread may be used. To ask costs the first thread of a process up to a millisecond, since the C library then reads the list of all that is
// mapped. So each thread asks once, and again only if it runs on another stack meanwhile.
static char *norn_caller_limit(void) {
  char *here = norn_stack_pointer();
#if defined(__linux__)
  static __thread char *known_lowest;
  static __thread size_t known_size;
  if ((size_t)here - (size_t)known_lowest >= known_size) {
    pthread_attr_t attributes;
    void *lowest;
    known_size = 0;
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
      size_t size;
      if (!pthread_attr_getstack(&attributes, &lowest, &size)) {
        known_lowest = lowest;
        known_size = size;
      }
      pthread_attr_destroy(&attributes);
    }
  }
  if ((size_t)here - (size_t)known_lowest < known_size)
    return known_lowest + (known_size < 4 * NORN_STACK_RESERVE ? known_size / 4 : NORN_STACK_RESERVE);
#endif
  return (size_t)here > NORN_CALLER_STACK ? here - NORN_CALLER_STACK : NULL;
}

// A call of an entry point, for another thread.
typedef struct {
  norn_worker *worker;
  norn_entry call;
  const u64 *args;
  u64 *results;
  size_t stack;
  int end;
} norn_errand;

static void *norn_run_errand(void *data) {
  norn_errand *errand = data;
  errand->worker->stack_limit = norn_lowest(errand->stack);
  errand->end = errand->call(errand->worker, errand->args, errand->results);
  return NULL;
}

// Calls an entry point. One that recurses gets a large stack, on a thread of its own, if that can be had.
static int norn_enter(norn_worker *w, norn_entry call, const u64 *args, u64 *results, bool recurses) {
  norn_errand errand = {w, call, args, results, 0, NORN_DONE};
  pthread_attr_t attributes;
  if (recurses && !pthread_attr_init(&attributes)) {
    pthread_t thread;
    bool started = false;
    for (errand.stack = 2 * NORN_STACK; errand.stack >= (size_t)32 << 20 && !started; errand.stack /= 4) {
      size_t stack = errand.stack;
      if (pthread_attr_setstacksize(&attributes, stack)) continue;
      started = !pthread_create(&thread, &attributes, norn_run_errand, &errand);
      if (started) break;
    }
    pthread_attr_destroy(&attributes);
    if (started && !pthread_join(thread, NULL)) return errand.end;
  }
  w->stack_limit = norn_caller_limit();
  return call(w, args, results);
}

static int norn_processors(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof set, &set)) return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

static void norn_thread_init(struct futhark_context *context, int number) {
  norn_thread *thread = &context->thread[number];
  thread->context = context;
  thread->number = number;
  pthread_mutex_init(&thread->lock, NULL);
  thread->worker.host = &norn_host_functions;
  thread->worker.run = &context->run;
  thread->worker.globals = context->globals;
  thread->worker.workers = context->threads;
  thread->worker.tunables = context->config->tunable;
  thread->worker.profile = norn_measures(context);
  norn_device_facts(context, &thread->worker);
}

// Starts all threads but the first, which is that of the caller. Fewer are as good.
static void norn_start_threads(struct futhark_context *context) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) return;
  for (size_t stack = NORN_STACK; stack >= (size_t)8 << 20; stack /= 4) {
    if (pthread_attr_setstacksize(&attributes, stack)) continue;
    bool all = true;
    for (int i = 1; i < context->threads; i++) {
      norn_thread *thread = &context->thread[i];
      if (!thread->started) thread->started = !pthread_create(&thread->thread, &attributes, norn_help, thread);
      all &= thread->started;
    }
    if (all) break;
  }
  pthread_attr_destroy(&attributes);
}

static void norn_end_threads(struct futhark_context *context) {
  pthread_mutex_lock(&context->jobs_lock);
  context->ended = true;
  pthread_cond_broadcast(&context->jobs_there);
  pthread_mutex_unlock(&context->jobs_lock);
  for (int i = 1; i < context->threads; i++)
    if (context->thread[i].started) pthread_join(context->thread[i].thread, NULL);
}

#endif
