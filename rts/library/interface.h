// The functions of the interface that every library has. What they do is documented by Futhark, whose libraries have the same.
#ifndef NORN_INTERFACE_H
#define NORN_INTERFACE_H

struct futhark_context_config *futhark_context_config_new(void) {
  struct futhark_context_config *cfg = calloc(1, sizeof *cfg);
  for (int i = 0; cfg && i < NORN_TUNABLES; i++) cfg->tunable[i] = -1;
  return cfg;
}

void futhark_context_config_free(struct futhark_context_config *cfg) {
  if (!cfg) return;
  char *texts[] = {cfg->cache_file, cfg->device, cfg->platform, cfg->options, cfg->program, cfg->code_file, cfg->ptx_file};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
  free(cfg);
}

static void norn_set_text(char **place, const char *text) {
  free(*place);
  *place = text ? strdup(text) : NULL;
}

// A configuration is null where there was no memory for it.
void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag) {
  if (cfg) cfg->debugging = flag;
}

void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag) {
  if (cfg) cfg->profiling = flag;
}

void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag) {
  if (cfg) cfg->logging = flag;
}

void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n) {
  if (cfg) cfg->threads = n;
}

void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname) {
  if (cfg) norn_set_text(&cfg->cache_file, fname);
}

// The thresholds between versions of the program, by the names that `norn dev --tunables` shows.
int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg, const char *param_name, size_t new_value) {
  for (int i = 0; cfg && param_name && i < norn_tunable_count; i++) {
    if (strcmp(norn_tunable_names[i], param_name)) continue;
    cfg->tunable[i] = new_value > INT64_MAX ? INT64_MAX : (i64)new_value;
    return 0;
  }
  return 1;
}

int futhark_get_tuning_param_count(void) { return norn_tunable_count; }
const char *futhark_get_tuning_param_name(int i) { return i >= 0 && i < norn_tunable_count ? norn_tunable_names[i] : NULL; }
const char *futhark_get_tuning_param_class(int i) { return i >= 0 && i < norn_tunable_count ? "threshold" : NULL; }

struct futhark_context *futhark_context_new(struct futhark_context_config *cfg) {
  struct futhark_context *ctx = cfg ? calloc(1, sizeof *ctx) : NULL;
  if (!ctx) return NULL;
  ctx->config = cfg;
  ctx->log = stderr;
  pthread_mutex_init(&ctx->calls, NULL);
  pthread_mutex_init(&ctx->jobs_lock, NULL);
  pthread_mutex_init(&ctx->spare_lock, NULL);
  pthread_mutex_init(&ctx->events_lock, NULL);
  pthread_cond_init(&ctx->jobs_there, NULL);
  pthread_cond_init(&ctx->job_left, NULL);
  if (cfg->in_use) {
    norn_error(ctx, NORN_ERROR, "The configuration is that of another context.");
    return ctx;
  }
  cfg->in_use = 1;
  int threads = cfg->threads > 0 ? cfg->threads : norn_processors();
  ctx->globals = calloc(1, (size_t)norn_globals + 8);
  ctx->thread = calloc((size_t)threads, sizeof *ctx->thread);
  if (!ctx->globals || !ctx->thread) {
    norn_error(ctx, NORN_MEMORY_ERROR, "There is no memory for a context.");
    return ctx;
  }
  if (norn_device_open(ctx)) return ctx;
  ctx->threads = threads;
  for (int i = 0; i < threads; i++) norn_thread_init(ctx, i);
  norn_start_threads(ctx);
  return ctx;
}

void futhark_context_free(struct futhark_context *ctx) {
  if (!ctx) return;
  if (ctx->thread) {
    norn_end_threads(ctx);
    norn_sweep(ctx, false);
    norn_device_close(ctx);
    for (int i = 0; i < ctx->threads; i++) pthread_mutex_destroy(&ctx->thread[i].lock);
    ctx->config->in_use = 0;
  }
  norn_drop_spare(ctx);
  pthread_cond_destroy(&ctx->job_left);
  pthread_cond_destroy(&ctx->jobs_there);
  pthread_mutex_destroy(&ctx->events_lock);
  pthread_mutex_destroy(&ctx->spare_lock);
  pthread_mutex_destroy(&ctx->jobs_lock);
  pthread_mutex_destroy(&ctx->calls);
  free(ctx->thread);
  free(ctx->globals);
  free(ctx->event);
  free(ctx->error);
  free(ctx);
}

// What the processor does has ended when a call returns.
int futhark_context_sync(struct futhark_context *ctx) { return norn_is_ready(ctx) ? norn_device_sync(ctx) : NORN_ERROR; }

char *futhark_context_get_error(struct futhark_context *ctx) {
  char *error = ctx ? ctx->error : NULL;
  if (ctx) ctx->error = NULL;
  return error;
}

void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f) {
  if (ctx) ctx->log = f;
}

static void norn_set_paused(struct futhark_context *ctx, bool paused) {
  if (!norn_is_ready(ctx)) return;
  pthread_mutex_lock(&ctx->calls);
  ctx->paused = paused;
  for (int i = 0; i < ctx->threads; i++) ctx->thread[i].worker.profile = norn_measures(ctx);
  pthread_mutex_unlock(&ctx->calls);
}

void futhark_context_pause_profiling(struct futhark_context *ctx) { norn_set_paused(ctx, true); }
void futhark_context_unpause_profiling(struct futhark_context *ctx) { norn_set_paused(ctx, false); }

char *futhark_context_report(struct futhark_context *ctx) {
  if (!norn_is_ready(ctx)) return NULL;
  pthread_mutex_lock(&ctx->calls);
  norn_device_settle(ctx);
  char *text = norn_profile_text(ctx, norn_device_peak(ctx));
  pthread_mutex_unlock(&ctx->calls);
  if (!text) norn_error(ctx, NORN_MEMORY_ERROR, "There is no memory for a report.");
  return text;
}

int futhark_context_clear_caches(struct futhark_context *ctx) {
  if (!norn_is_ready(ctx)) return NORN_ERROR;
  norn_drop_spare(ctx);
  return norn_device_clear(ctx);
}

#endif
