// The functions of the interface that libraries for GPUs have besides.
#ifndef NORN_GPU_INTERFACE_H
#define NORN_GPU_INTERFACE_H

void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s) {
  if (cfg) norn_set_text(&cfg->device, s);
}

void futhark_context_config_set_program(struct futhark_context_config *cfg, const char *program) {
  if (cfg) norn_set_text(&cfg->program, program);
}

const char *futhark_context_config_get_program(struct futhark_context_config *cfg) {
  return cfg && cfg->program ? cfg->program : norn_device_text;
}

// OpenCL has no such memory that is used like other memory.
void futhark_context_config_set_unified_memory(struct futhark_context_config *cfg, int flag) {
  if (cfg) cfg->unified = flag;
}

// From how many rows on a nest has a thread for each.
void futhark_context_config_set_default_threshold(struct futhark_context_config *cfg, int num) {
  for (int i = 0; cfg && i < norn_tunable_count; i++) {
    const char *end = strrchr(norn_tunable_names[i], '.');
    if (end && !strcmp(end, ".outer") && cfg->tunable[i] < 0) cfg->tunable[i] = num < 0 ? 0 : num;
  }
}

// The compiler has chosen these for each kernel.
void futhark_context_config_set_default_group_size(struct futhark_context_config *cfg, int size) { (void)cfg, (void)size; }
void futhark_context_config_set_default_num_groups(struct futhark_context_config *cfg, int num) { (void)cfg, (void)num; }
void futhark_context_config_set_default_thread_block_size(struct futhark_context_config *cfg, int size) { (void)cfg, (void)size; }
void futhark_context_config_set_default_grid_size(struct futhark_context_config *cfg, int num) { (void)cfg, (void)num; }
void futhark_context_config_set_default_tile_size(struct futhark_context_config *cfg, int num) { (void)cfg, (void)num; }
void futhark_context_config_set_default_reg_tile_size(struct futhark_context_config *cfg, int num) { (void)cfg, (void)num; }

static void norn_add_option(struct futhark_context_config *cfg, const char *between, const char *opt) {
  if (!cfg || !opt) return;
  char *all = norn_text("%s%s%s", cfg->options ? cfg->options : "", cfg->options ? between : "", opt);
  free(cfg->options);
  cfg->options = all;
}

#if defined(FUTHARK_BACKEND_opencl)

void futhark_context_config_set_platform(struct futhark_context_config *cfg, const char *s) {
  if (cfg) norn_set_text(&cfg->platform, s);
}

void futhark_context_config_select_device_interactively(struct futhark_context_config *cfg) {
  if (!cfg) return;
  norn_set_text(&cfg->platform, NULL);
  norn_set_text(&cfg->device, NULL);
  norn_driver driver = {0};
  norn_device device = {.driver = &driver};
  char platform[256], line[64] = "";
  if (norn_opencl_load(&device) || norn_opencl_choose(&device, cfg, platform, stdout)) {
    printf("%s\n", device.trouble ? device.trouble : "There is no device.");
    free(device.trouble);
    return;
  }
  printf("Which device? #");
  fflush(stdout);
  int number;
  if (!fgets(line, sizeof line, stdin)) return;
  if (sscanf(line, " #%d", &number) != 1 && sscanf(line, "%d", &number) != 1) return;
  snprintf(line, sizeof line, "#%d", number);
  norn_set_text(&cfg->device, line);
}

void futhark_context_config_add_build_option(struct futhark_context_config *cfg, const char *opt) { norn_add_option(cfg, " ", opt); }

void futhark_context_config_load_binary_from(struct futhark_context_config *cfg, const char *path) {
  if (cfg) norn_set_text(&cfg->code_file, path);
}

void futhark_context_config_set_command_queue(struct futhark_context_config *cfg, struct _cl_command_queue *queue) {
  if (cfg) cfg->queue = queue;
}

struct _cl_command_queue *futhark_context_get_command_queue(struct futhark_context *ctx) {
  return norn_is_ready(ctx) ? ctx->device->driver->queue : NULL;
}


// An array in a buffer of somebody else's.
static norn_value *norn_array_raw_buffer(struct futhark_context *context, const norn_type *type, struct _cl_mem *data, const i64 *dims) {
  i64 bytes = 0;
  norn_value *value = norn_array_with(context, type, data, dims, &bytes);
  if (!value) return NULL;
  u64 address = norn_remote_adopt(context, data, bytes);
  norn_block *block = norn_block_at(address, bytes);
  if (!block) {
    if (address) norn_remote_disown(context, address);
    norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array.");
    free(value);
    return NULL;
  }
  block->reserved[NORN_OWNER] = NORN_FOREIGN;
  *value->column->part = (norn_part){(char *)address, block, true};
  return value;
}

// The buffer that has the elements from its beginning on; null if there is no memory for one.
static struct _cl_mem *norn_array_buffer(struct futhark_context *context, void *opaque) {
  norn_part *part = ((norn_value *)opaque)->column->part, moved;
  if (!norn_array_place(context, opaque)) return NULL;
  void *buffer = norn_remote_buffer(context, (u64)part->data);
  if (!buffer) {
    if (norn_part_copy(context, &moved, true, part, norn_array_bytes(opaque))) return NULL;
    norn_block_drop(context, part->block);
    *part = moved;
    buffer = norn_remote_buffer(context, (u64)part->data);
  }
  return buffer;
}

#else

void futhark_context_config_add_nvrtc_option(struct futhark_context_config *cfg, const char *opt) { norn_add_option(cfg, "\n", opt); }

void futhark_context_config_load_ptx_from(struct futhark_context_config *cfg, const char *path) {
  if (cfg) norn_set_text(&cfg->code_file, path);
}

void futhark_context_dump_ptx_to(struct futhark_context_config *cfg, const char *path) {
  if (cfg) norn_set_text(&cfg->ptx_file, path);
}

#endif

#endif
