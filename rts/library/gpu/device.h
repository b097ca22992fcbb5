// What a program has on a device: its state, and memory.
//
// Kernels note a check that failed in the state (rts/gpu/state.h); those that are launched later do nothing then. The host learns of it whenever it waits
// anyway, and when a call ends.
#ifndef NORN_LIBRARY_DEVICE_H
#define NORN_LIBRARY_DEVICE_H

// How something ended that was asked of the device: 0, or NORN_TROUBLE, or one of these.
#define NORN_CHECK_FAILED 2  // `seen` says which
#define NORN_EXHAUSTED 3     // there was too little memory for threads; `seen` says what was too small
#define NORN_REFUSED 4       // and there is no more; `seen` has the bytes as an operand

// Nothing has failed, and nothing of the heap is used.
static norn_state norn_fresh_state(const norn_device *device) {
  norn_state state;
  memset(&state, 0, sizeof state);
  if (device->heap) {
    state.heap_begin = NORN_HEAP_BEGIN(device->heap);
    state.heap_end = NORN_HEAP_END(device->heap, device->heap_bytes);
    state.heap_next = state.heap_begin;
  }
  return state;
}

static int norn_reset_state(norn_device *device) {
  norn_state state = norn_fresh_state(device);
  return norn_driver_write(device, device->state, &state, sizeof state);
}

// Waits for all that was asked before, and reads, unless a kernel has failed.
static int norn_device_wait(norn_device *device, const norn_read *reads, i64 count) {
  memset(&device->seen, 0, sizeof device->seen);
  int code = norn_kernels_fail ? norn_driver_read(device, &device->seen, device->state, sizeof device->seen) : 0;
  for (i64 i = 0; i < count && !code; i++)
    if (reads[i].bytes > 0) code = norn_driver_read(device, reads[i].to, reads[i].from, (u64)reads[i].bytes);
  // In any case: nothing may be written to places that are gone.
  int waited = norn_driver_wait(device);
  if (code || waited) return NORN_TROUBLE;
  device->busy = false;
  device->unseen = 0;
  if (!device->seen.failed) return 0;
  if (norn_reset_state(device)) return NORN_TROUBLE;
  bool is_exhausted = device->seen.site == NORN_OUT_OF_HEAP || device->seen.site == NORN_OUT_OF_REGION;
  return is_exhausted ? NORN_EXHAUSTED : NORN_CHECK_FAILED;
}

// Another heap. Nothing in the old one is needed any more.
static bool norn_set_heap(norn_device *device, u64 bytes) {
  if (device->heap) norn_give_back(device, device->heap);
  device->heap = norn_obtain(device, bytes);
  device->heap_bytes = device->heap ? bytes : 0;
  return device->heap != 0;
}

// More memory, for which kernels may have to be compiled again: they have indices of 32 bits as long as those are enough. 0 if there is none.
static u64 norn_device_obtain(struct futhark_context *context, u64 bytes) {
  norn_device *device = context->device;
  if (bytes >= norn_narrow_bytes && !device->is_wide) {
    if (norn_driver_build(context, true)) return 0;
    device->is_wide = true;
  }
  u64 address = norn_obtain(device, bytes);
  // The heap is made again when it is needed.
  if (!address && device->heap && !device->busy) {
    norn_give_back(device, device->heap);
    device->heap = device->heap_bytes = 0;
    address = norn_obtain(device, bytes);
  }
  return address;
}

// What values ask for (context.h).

static u64 norn_remote_new(struct futhark_context *context, i64 bytes) {
  if (bytes < 0) return 0;
  pthread_mutex_lock(&context->device->lock);
  u64 address = norn_device_obtain(context, (u64)bytes);
  if (!address && context->device->trouble) norn_report(context);
  pthread_mutex_unlock(&context->device->lock);
  return address;
}

static void norn_remote_free(struct futhark_context *context, u64 address) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  norn_give_back(device, address);
  pthread_mutex_unlock(&device->lock);
}

static int norn_remote_read(struct futhark_context *context, void *to, u64 from, i64 bytes) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  int code = norn_driver_read(device, to, from, (u64)bytes), waited = norn_driver_wait(device);
  if (code || waited) code = norn_report(context);
  pthread_mutex_unlock(&device->lock);
  return code;
}

static int norn_remote_write(struct futhark_context *context, u64 to, const void *from, i64 bytes) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  int code = norn_driver_write(device, to, from, (u64)bytes);
  if (code) code = norn_report(context);
  pthread_mutex_unlock(&device->lock);
  return code;
}

static int norn_remote_copy(struct futhark_context *context, u64 to, u64 from, i64 bytes) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  int code = norn_driver_copy(device, to, from, (u64)bytes);
  if (code) code = norn_report(context);
  pthread_mutex_unlock(&device->lock);
  return code;
}

static int norn_device_sync(struct futhark_context *context) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  int code = norn_driver_wait(device);
  if (code) code = norn_report(context);
  pthread_mutex_unlock(&device->lock);
  return code;
}

// Waits, and takes the times of all kernels from the driver.
static void norn_device_settle(struct futhark_context *context) {
  if (!context->device || context->settled == context->events) return;
  pthread_mutex_lock(&context->device->lock);
  norn_driver_wait(context->device);
  norn_settle_events(context);
  pthread_mutex_unlock(&context->device->lock);
}

static i64 norn_device_peak(struct futhark_context *context) { return context->device ? context->device->peak : 0; }

static void norn_device_close(struct futhark_context *context) {
  norn_device *device = context->device;
  if (!device) return;
  if (device->driver) {
    norn_driver_wait(device);
    norn_settle_events(context);
    while (device->pieces) norn_piece_drop(device, device->pieces - 1);
    norn_driver_close(device);
  }
  pthread_mutex_destroy(&device->lock);
  free(device->trouble);
  free(device->piece);
  free(device->wanted);
  free(device);
  context->device = NULL;
}

// Opens the device, and compiles the kernels.
static int norn_device_open(struct futhark_context *context) {
  norn_device *device = context->device = calloc(1, sizeof *device);
  if (!device) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a device.");
  // Who releases a block has the lock already, perhaps.
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&device->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  device->wanted = calloc((size_t)norn_device_kernel_count + 1, sizeof *device->wanted);
  if (!device->wanted) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a device.");
  if (norn_driver_open(context)) return norn_report(context);
  // The driver needs some memory itself, and so do others on the machine.
  u64 kept = device->memory / 16 > (u64)256 << 20 ? device->memory / 16 : (u64)256 << 20;
  device->limit = device->memory - (kept < device->memory / 4 ? kept : device->memory / 4);
  device->most_spare = device->shares_memory ? device->memory / 8 : UINT64_MAX;
  if (norn_driver_build(context, false)) return norn_report(context);
  device->state = norn_obtain(device, sizeof(norn_state));
  if (!device->state) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory on the device.");
  return norn_reset_state(device) ? norn_report(context) : 0;
}

static void norn_device_facts(struct futhark_context *context, norn_worker *worker) {
  worker->device_groups = context->device->groups;
  worker->device_pool = context->device->pool;
}

static int norn_device_clear(struct futhark_context *context) {
  pthread_mutex_lock(&context->device->lock);
  norn_shrink(context->device, 0);
  pthread_mutex_unlock(&context->device->lock);
  return 0;
}

#endif
