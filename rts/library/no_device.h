// A library for the processor alone: no memory of it is remote, and nothing of its program runs elsewhere. (gpu/ has the same for GPUs.)
#ifndef NORN_NO_DEVICE_H
#define NORN_NO_DEVICE_H

#define NORN_DEVICE_FUNCTIONS

static u64 norn_remote_new(struct futhark_context *context, i64 bytes) {
  (void)context, (void)bytes;
  return 0;
}

static void norn_remote_free(struct futhark_context *context, u64 address) { (void)context, (void)address; }
static void norn_remote_disown(struct futhark_context *context, u64 address) { (void)context, (void)address; }

static int norn_remote_read(struct futhark_context *context, void *to, u64 from, i64 bytes) {
  (void)context, (void)to, (void)from, (void)bytes;
  return NORN_ERROR;
}

static int norn_remote_write(struct futhark_context *context, u64 to, const void *from, i64 bytes) {
  (void)context, (void)to, (void)from, (void)bytes;
  return NORN_ERROR;
}

static int norn_remote_copy(struct futhark_context *context, u64 to, u64 from, i64 bytes) {
  (void)context, (void)to, (void)from, (void)bytes;
  return NORN_ERROR;
}

static double norn_driver_took(struct futhark_context *context, void *const *mark) {
  (void)context, (void)mark;
  return 0;
}

static void norn_device_settle(struct futhark_context *context) { (void)context; }
static i64 norn_device_peak(struct futhark_context *context) { return context->device ? NORN_ERROR : 0; }

static int norn_device_open(struct futhark_context *context) { return context->device ? NORN_ERROR : 0; }
static void norn_device_close(struct futhark_context *context) { (void)context; }
static int norn_device_sync(struct futhark_context *context) { return context->device ? NORN_ERROR : 0; }
static int norn_device_clear(struct futhark_context *context) { return context->device ? NORN_ERROR : 0; }
static void norn_device_facts(struct futhark_context *context, norn_worker *worker) { (void)context, (void)worker; }
static int norn_report(struct futhark_context *context) { return norn_error(context, NORN_ERROR, "The program failed."); }

static int norn_region_here(struct futhark_context *context, norn_region *region) {
  (void)context, (void)region;
  return 0;
}

static int norn_device_finish(struct futhark_context *context, int end) {
  (void)context;
  return end;
}

#endif
