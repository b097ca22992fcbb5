// What the host's part of a program asks of its device (`device_..` in rts/cpu/abi.h). What goes wrong there becomes a failure of the run, as
// if it had happened here.
#ifndef NORN_LIBRARY_HOST_H
#define NORN_LIBRARY_HOST_H

// Makes it the failure of the run, unless there is one already.
static int norn_device_fail(struct futhark_context *context, int code) {
  norn_run *run = &context->run;
  norn_device *device = context->device;
  int none = 0;
  if (!__atomic_compare_exchange_n(&run->failed, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return NORN_STOPPED;
  if (code == NORN_CHECK_FAILED) {
    run->site = device->seen.site;
    run->operands = device->seen.operands < NORN_OPERANDS ? device->seen.operands : NORN_OPERANDS;
    for (int i = 0; i < run->operands; i++) run->operand[i] = device->seen.operand[i];
  } else if (code == NORN_REFUSED) {
    context->refused_by_device = true;
    run->site = NORN_OUT_OF_MEMORY;
    run->at = device->site;
    run->operands = 1;
    run->operand[0] = device->seen.operand[0];
  } else {
    run->site = NORN_DEVICE_FAILED;
  }
  __atomic_store_n(&run->failed, 2, __ATOMIC_RELEASE);
  __atomic_fetch_or(&run->stop, NORN_STOP_FAILED, __ATOMIC_RELEASE);
  return NORN_FAILED;
}

static struct futhark_context *norn_context_of(norn_worker *w) { return ((norn_thread *)w)->context; }

// Asks the device for something, unless the run has ended; how that went.
#define NORN_ASK(request)                                    \
  struct futhark_context *context = norn_context_of(w);      \
  norn_device *device = context->device;                     \
  if (norn_stopped(w->run)) return NORN_STOPPED;             \
  pthread_mutex_lock(&device->lock);                         \
  int code = (request);                                      \
  pthread_mutex_unlock(&device->lock);                       \
  return code ? norn_device_fail(context, code) : NORN_DONE

static norn_block *norn_device_alloc(norn_worker *w, i64 bytes) {
  struct futhark_context *context = norn_context_of(w);
  if (bytes < 0) return NULL;
  pthread_mutex_lock(&context->device->lock);
  u64 address = norn_device_obtain(context, (u64)bytes);
  bool is_trouble = !address && context->device->trouble;
  pthread_mutex_unlock(&context->device->lock);
  norn_block *block = norn_block_at(address, bytes);
  if (!block && address) norn_remote_free(context, address);
  if (block) norn_link((norn_thread *)w, block);
  else if (is_trouble) norn_device_fail(context, NORN_TROUBLE);
  else context->refused_by_device = true;
  return block;
}

static int norn_device_read_all(norn_worker *w, const norn_read *reads, i64 count) {
  NORN_ASK(norn_device_wait(device, reads, count));
}

static int norn_device_read(norn_worker *w, void *to, u64 from, i64 bytes) {
  norn_read read = {to, from, bytes};
  return norn_device_read_all(w, &read, 1);
}

static int norn_device_write(norn_worker *w, u64 to, const void *from, i64 bytes) {
  if (bytes <= 0) return NORN_DONE;
  NORN_ASK((device->busy = true, norn_driver_write(device, to, from, (u64)bytes)));
}

static int norn_device_copy(norn_worker *w, u64 to, u64 from, i64 bytes) {
  if (bytes <= 0 || to == from) return NORN_DONE;
  NORN_ASK((device->busy = true, norn_driver_copy(device, to, from, (u64)bytes)));
}

static int norn_device_fill(norn_worker *w, u64 to, i32 byte, i64 bytes) {
  if (bytes <= 0) return NORN_DONE;
  NORN_ASK((device->busy = true, norn_driver_fill(device, to, byte, (u64)bytes)));
}

// Waits for the device at the end of a run that has ended in a way, and says how it has really ended. A check that failed on the device came before one that
// failed on the host, which had not heard of it. If no kernel can fail, nobody waits.
static int norn_device_finish(struct futhark_context *context, int end) {
  norn_device *device = context->device;
  norn_run *run = &context->run;
  pthread_mutex_lock(&device->lock);
  int code = 0;
  if (device->busy && (end != NORN_DONE || norn_kernels_fail)) code = norn_device_wait(device, NULL, 0);
  pthread_mutex_unlock(&device->lock);
  if (!code || (run->failed && run->site == NORN_DEVICE_FAILED)) return end;
  run->failed = run->site = run->operands = run->calls = 0;
  norn_device_fail(context, code);
  return NORN_FAILED;
}

#endif
