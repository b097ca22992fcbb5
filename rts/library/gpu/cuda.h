// NVIDIA's GPUs, by way of CUDA's driver and of NVRTC, which compiles kernels. Both are loaded when they are needed: nothing of CUDA is there
// when this is compiled.
//
// Everything is in the device's primary context, which others in the process may use, too, and on one stream.
#ifndef NORN_CUDA_H
#define NORN_CUDA_H

#include <dirent.h>
#include <dlfcn.h>

// The heap is found by way of the state.
#define NORN_HEAP_BEGIN(heap) (heap)
#define NORN_HEAP_END(heap, bytes) ((heap) + (bytes))
#define NORN_CUDA_POOL (52 << 10)  // groups share at most so many bytes with pointers to them
#define NORN_INBOX 8192            // memory for small reads, which the driver copies to without waiting
#define NORN_MOST_ARRIVING 16

// Functions whose names end in `_v2` have another meaning without it.
#define NORN_CUDA_FUNCTIONS(X)                                              \
  X(cuInit, (unsigned))                                                     \
  X(cuDriverGetVersion, (int *))                                            \
  X(cuDeviceGetCount, (int *))                                              \
  X(cuDeviceGet, (int *, int))                                              \
  X(cuDeviceGetName, (char *, int, int))                                    \
  X(cuDeviceGetAttribute, (int *, int, int))                                \
  X(cuDeviceTotalMem_v2, (size_t *, int))                                   \
  X(cuDevicePrimaryCtxRetain, (void **, int))                               \
  X(cuDevicePrimaryCtxRelease_v2, (int))                                    \
  X(cuCtxSetCurrent, (void *))                                              \
  X(cuStreamCreate, (void **, unsigned))                                    \
  X(cuStreamDestroy_v2, (void *))                                           \
  X(cuStreamSynchronize, (void *))                                          \
  X(cuMemAlloc_v2, (u64 *, size_t))                                         \
  X(cuMemAllocManaged, (u64 *, size_t, unsigned))                           \
  X(cuMemFree_v2, (u64))                                                    \
  X(cuMemAllocHost_v2, (void **, size_t))                                   \
  X(cuMemFreeHost, (void *))                                                \
  X(cuMemcpyHtoDAsync_v2, (u64, const void *, size_t, void *))              \
  X(cuMemcpyDtoHAsync_v2, (void *, u64, size_t, void *))                    \
  X(cuMemcpyDtoDAsync_v2, (u64, u64, size_t, void *))                       \
  X(cuMemsetD8Async, (u64, unsigned char, size_t, void *))                  \
  X(cuModuleLoadData, (void **, const void *))                              \
  X(cuModuleUnload, (void *))                                               \
  X(cuModuleGetFunction, (void **, void *, const char *))                   \
  X(cuFuncSetAttribute, (void *, int, int))                                 \
  X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **)) \
  X(cuEventCreate, (void **, unsigned))                                     \
  X(cuEventRecord, (void *, void *))                                        \
  X(cuEventElapsedTime, (float *, void *, void *))                          \
  X(cuEventDestroy_v2, (void *))                                            \
  X(cuGetErrorName, (int, const char **))

#define NORN_NVRTC_FUNCTIONS(X)                                             \
  X(nvrtcVersion, (int *, int *))                                           \
  X(nvrtcGetNumSupportedArchs, (int *))                                     \
  X(nvrtcGetSupportedArchs, (int *))                                        \
  X(nvrtcCreateProgram, (void **, const char *, const char *, int, const char *const *, const char *const *)) \
  X(nvrtcDestroyProgram, (void **))                                         \
  X(nvrtcCompileProgram, (void *, int, const char *const *))                \
  X(nvrtcGetProgramLogSize, (void *, size_t *))                             \
  X(nvrtcGetProgramLog, (void *, char *))                                   \
  X(nvrtcGetCUBINSize, (void *, size_t *))                                  \
  X(nvrtcGetCUBIN, (void *, char *))                                        \
  X(nvrtcGetPTXSize, (void *, size_t *))                                    \
  X(nvrtcGetPTX, (void *, char *))

typedef struct norn_driver {
#define NORN_FIELD(name, params) int(*name) params;
  NORN_CUDA_FUNCTIONS(NORN_FIELD)
  NORN_NVRTC_FUNCTIONS(NORN_FIELD)
#undef NORN_FIELD
  int number, version, arch;
  bool is_managed;  // the processor can access its memory, too
  void *context, *stream, *module;
  void **function;
  char *inbox;
  size_t inbox_used;
  struct {
    void *to;
    const char *from;
    size_t bytes;
  } arriving[NORN_MOST_ARRIVING];
  int arrivals;
} norn_driver;

static int norn_cuda_check(norn_device *device, const char *doing, int code) {
  if (!code) return 0;
  const char *name = NULL;
  if (device->driver->cuGetErrorName(code, &name) || !name) name = "an error of CUDA";
  return norn_trouble(device, "CUDA cannot %s: %s (%d).", doing, name, code);
}

// Every thread has to say which context it means.
static int norn_cuda_enter(norn_device *device) {
  return norn_cuda_check(device, "use the GPU", device->driver->cuCtxSetCurrent(device->driver->context));
}

static int norn_cuda_load(norn_device *device) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) library = dlopen("libcuda.so", RTLD_NOW);
  if (!library) return norn_trouble(device, "There is no CUDA: %s.", dlerror());
#define NORN_FIND(name, params)                                    \
  *(void **)&device->driver->name = dlsym(library, #name);         \
  if (!device->driver->name) return norn_trouble(device, "This CUDA has no " #name ".");
  NORN_CUDA_FUNCTIONS(NORN_FIND)
#undef NORN_FIND
  return 0;
}

// Whether this library is an NVRTC that the driver can use.
static bool norn_nvrtc_open(norn_driver *cuda, const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library) return false;
#define NORN_FIND(name, params)                        \
  *(void **)&cuda->name = dlsym(library, #name);       \
  if (!cuda->name) return dlclose(library), false;
  NORN_NVRTC_FUNCTIONS(NORN_FIND)
#undef NORN_FIND
  int major = 0, minor = 0;
  if (!cuda->nvrtcVersion(&major, &minor) && major <= cuda->version / 1000) return true;
  cuda->nvrtcVersion = NULL;
  return dlclose(library), false;
}

// What a folder has that is called so, if that is one.
static bool norn_nvrtc_in(norn_driver *cuda, const char *folder) {
  DIR *entries = opendir(folder);
  bool found = false;
  for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
    char path[4096];
    if (strncmp(entry->d_name, "libnvrtc.so", 11)) continue;
    if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path) found = norn_nvrtc_open(cuda, path);
  }
  if (entries) closedir(entries);
  return found;
}

// It belongs to no driver: it comes with the toolkit, or in a package of Python, and its name has its version in it.
static int norn_nvrtc_load(norn_device *device) {
  norn_driver *cuda = device->driver;
  const char *names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
  const char *folders[] = {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"};
  const char *toolkits[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"};
  const char *given = getenv("NORN_NVRTC");
  if (given && norn_nvrtc_open(cuda, given)) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (norn_nvrtc_open(cuda, names[i])) return 0;
  for (size_t i = 0; i < sizeof toolkits / sizeof *toolkits; i++) {
    for (size_t j = 0; toolkits[i] && j < sizeof folders / sizeof *folders; j++) {
      char folder[4096];
      if (snprintf(folder, sizeof folder, "%s/%s", toolkits[i], folders[j]) < (int)sizeof folder && norn_nvrtc_in(cuda, folder)) return 0;
    }
  }
  return norn_trouble(device, "There is no NVRTC, which compiles kernels for CUDA, that the driver can use: the variable NORN_NVRTC can have its path.");
}

static int norn_cuda_choose(struct futhark_context *context) {
  norn_device *device = context->device;
  norn_driver *cuda = device->driver;
  const char *wanted = context->config->device;
  int count = 0;
  if (norn_cuda_check(device, "start", cuda->cuInit(0)) || norn_cuda_check(device, "count GPUs", cuda->cuDeviceGetCount(&count)))
    return NORN_TROUBLE;
  for (int number = 0; number < count; number++) {
    char name[256] = "";
    int handle = 0;
    if (cuda->cuDeviceGet(&handle, number) || cuda->cuDeviceGetName(name, sizeof name - 1, handle)) continue;
    bool is_meant = !wanted || !*wanted || (*wanted == '#' ? atoi(wanted + 1) == number : strcasestr(name, wanted) != NULL);
    if (!is_meant) continue;
    cuda->number = handle;
    return 0;
  }
  return norn_trouble(device, count && wanted ? "CUDA has no GPU that is called so." : "CUDA sees no GPU.");
}

static int norn_driver_open(struct futhark_context *context) {
  norn_device *device = context->device;
  norn_driver *cuda = device->driver = calloc(1, sizeof *cuda);
  if (!cuda) return norn_trouble(device, "There is no memory for a device.");
  if (norn_cuda_load(device) || norn_cuda_choose(context)) return NORN_TROUBLE;
  enum { PROCESSORS = 16, INTEGRATED = 18, THREADS = 39, MAJOR = 75, MINOR = 76, MANAGED = 83 };
  int which[] = {PROCESSORS, INTEGRATED, THREADS, MAJOR, MINOR, MANAGED}, value[6] = {0};
  for (int i = 0; i < 6; i++)
    if (norn_cuda_check(device, "ask for an attribute", cuda->cuDeviceGetAttribute(&value[i], which[i], cuda->number))) return NORN_TROUBLE;
  size_t memory = 0;
  if (norn_cuda_check(device, "ask for memory", cuda->cuDeviceTotalMem_v2(&memory, cuda->number))) return NORN_TROUBLE;
  if (norn_cuda_check(device, "ask for its version", cuda->cuDriverGetVersion(&cuda->version))) return NORN_TROUBLE;
  device->memory = device->largest = memory;
  device->shares_memory = value[1];
  device->groups = (i64)value[0] * (value[2] / 256);
  device->pool = NORN_CUDA_POOL;
  cuda->arch = 10 * value[3] + value[4];
  cuda->is_managed = context->config->unified == 1 || (context->config->unified == 2 && value[5]);
  cuda->function = calloc((size_t)norn_device_kernel_count + 1, sizeof *cuda->function);
  if (!cuda->function) return norn_trouble(device, "There is no memory for a device.");
  if (norn_cuda_check(device, "make a context", cuda->cuDevicePrimaryCtxRetain(&cuda->context, cuda->number))) return NORN_TROUBLE;
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  if (norn_cuda_check(device, "make a stream", cuda->cuStreamCreate(&cuda->stream, 1))) return NORN_TROUBLE;
  return norn_cuda_check(device, "allocate memory", cuda->cuMemAllocHost_v2((void **)&cuda->inbox, NORN_INBOX));
}

static void norn_driver_close(norn_device *device) {
  norn_driver *cuda = device->driver;
  if (cuda->context) {
    if (!cuda->cuCtxSetCurrent(cuda->context)) {
      if (cuda->module) cuda->cuModuleUnload(cuda->module);
      if (cuda->inbox) cuda->cuMemFreeHost(cuda->inbox);
      if (cuda->stream) cuda->cuStreamDestroy_v2(cuda->stream);
    }
    cuda->cuDevicePrimaryCtxRelease_v2(cuda->number);
  }
  free(cuda->function);
  free(cuda);
  device->driver = NULL;
}

// Machine code for this architecture; or PTX, which the driver can translate for it, if it is newer than the compiler, or if the user wants to see it.
static unsigned char *norn_nvrtc_compile(struct futhark_context *context, const char *text, bool wide, size_t *length) {
  norn_device *device = context->device;
  norn_driver *cuda = device->driver;
  int archs[256], count = 0, newest = 0;
  if (cuda->nvrtcGetNumSupportedArchs(&count) || count > 256 || cuda->nvrtcGetSupportedArchs(archs)) count = 0;
  for (int i = 0; i < count; i++)
    if (archs[i] <= cuda->arch && archs[i] > newest) newest = archs[i];
  bool is_known = newest == cuda->arch && !context->config->ptx_file;
  char arch[64];
  snprintf(arch, sizeof arch, "--gpu-architecture=%s_%d", is_known ? "sm" : "compute", newest ? newest : cuda->arch);
  // What the user adds is one option in each line.
  char *more = norn_text("%s", context->config->options ? context->config->options : "");
  const char *options[32] = {"--device-as-default-execution-space", "--std=c++17", arch};
  int given = 3;
  for (char *option = more ? strtok(more, "\n") : NULL; option && given < 32; option = strtok(NULL, "\n")) options[given++] = option;
  char *whole = norn_text("%s%s", wide ? "#define NORN_WIDE\n" : "", text);
  void *unit = NULL;
  unsigned char *code = NULL;
  int failed = !whole || !more || cuda->nvrtcCreateProgram(&unit, whole, "kernels.cu", 0, NULL, NULL);
  if (!failed && cuda->nvrtcCompileProgram(unit, given, options)) {
    size_t bytes = 0;
    cuda->nvrtcGetProgramLogSize(unit, &bytes);
    char *log = calloc(1, bytes + 1);
    if (log) cuda->nvrtcGetProgramLog(unit, log);
    norn_trouble(device, "NVRTC cannot compile the kernels.\n%.4000s", log ? log : "");
    free(log);
    failed = 1;
  }
  if (!failed) failed = is_known ? cuda->nvrtcGetCUBINSize(unit, length) : cuda->nvrtcGetPTXSize(unit, length);
  // What is text has to end in a zero, which does no harm to the rest.
  if (!failed) code = calloc(1, *length + 1);
  if (code && (is_known ? cuda->nvrtcGetCUBIN(unit, (char *)code) : cuda->nvrtcGetPTX(unit, (char *)code))) free(code), code = NULL;
  if (unit) cuda->nvrtcDestroyProgram(&unit);
  free(whole);
  free(more);
  if (!code) norn_trouble(device, "NVRTC cannot compile the kernels.");
  return code;
}

// The kernels as PTX, in a file.
static int norn_ptx_write(norn_device *device, const char *name, const char *ptx) {
  FILE *file = fopen(name, "wb");
  bool written = file && fputs(ptx, file) >= 0;
  if (file) written &= !fclose(file);
  return written ? 0 : norn_trouble(device, "The file `%s` cannot be written.", name);
}

static int norn_driver_build(struct futhark_context *context, bool wide) {
  norn_device *device = context->device;
  norn_driver *cuda = device->driver;
  const char *text = context->config->program ? context->config->program : norn_device_text;
  if (!norn_device_kernel_count) return 0;
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  // Kernels of the old module may still run.
  if (cuda->module) cuda->cuStreamSynchronize(cuda->stream), cuda->cuModuleUnload(cuda->module);
  cuda->module = NULL;
  char *identity = norn_text("sm_%d driver %d %s", cuda->arch, cuda->version, context->config->options ? context->config->options : "");
  if (!identity) return norn_trouble(device, "There is no memory for a device.");
  size_t length = 0;
  // What the user has is for arrays that 31 bits can count.
  const char *given = wide ? NULL : context->config->code_file, *ptx = wide ? NULL : context->config->ptx_file;
  unsigned char *code = given ? norn_code_read(given, &length) : ptx ? NULL : norn_cache_read(context, text, identity, wide, &length);
  int failed = code ? cuda->cuModuleLoadData(&cuda->module, code) : 0;
  if (failed) cuda->module = NULL;
  if (given && !code) norn_trouble(device, "The file `%s` cannot be read.", given);
  if (given && failed) norn_cuda_check(device, "load the kernels", failed);
  free(code);
  if (!cuda->module && !given) {
    code = cuda->nvrtcVersion || !norn_nvrtc_load(device) ? norn_nvrtc_compile(context, text, wide, &length) : NULL;
    if (code && !norn_cuda_check(device, "load the kernels", cuda->cuModuleLoadData(&cuda->module, code)))
      norn_cache_write(context, text, identity, wide, code, length);
    failed = cuda->module && ptx && norn_ptx_write(device, ptx, (const char *)code);
    free(code);
  }
  free(identity);
  if (!cuda->module || failed) return NORN_TROUBLE;
  for (int i = 0; i < norn_device_kernel_count; i++) {
    const norn_device_kernel *kernel = &norn_device_kernels[i];
    failed = cuda->cuModuleGetFunction(&cuda->function[i], cuda->module, kernel->name);
    if (norn_cuda_check(device, "find a kernel", failed)) return NORN_TROUBLE;
    // 8: how much memory it can share that is not of a fixed size.
    if (kernel->pool >= 0) failed = cuda->cuFuncSetAttribute(cuda->function[i], 8, NORN_CUDA_POOL);
    if (norn_cuda_check(device, "let a kernel share memory", failed)) return NORN_TROUBLE;
  }
  return 0;
}

static u64 norn_driver_alloc(norn_device *device, u64 bytes, void **buffer) {
  u64 address = 0;
  *buffer = NULL;
  if (norn_cuda_enter(device)) return 0;
  norn_driver *cuda = device->driver;
  // 1: for all streams.
  int code = cuda->is_managed ? cuda->cuMemAllocManaged(&address, (size_t)bytes, 1) : cuda->cuMemAlloc_v2(&address, (size_t)bytes);
  // 2: there is not so much.
  return code == 2 || norn_cuda_check(device, "allocate memory", code) ? 0 : address;
}

// The driver waits for kernels that use it.
static void norn_driver_free(norn_device *device, const norn_piece *piece) {
  if (!norn_cuda_enter(device)) device->driver->cuMemFree_v2(piece->address);
}

// Memory of the host that is not the driver's is copied before this returns.
static int norn_driver_write(norn_device *device, u64 to, const void *from, u64 bytes) {
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  norn_driver *cuda = device->driver;
  return norn_cuda_check(device, "copy to the device", cuda->cuMemcpyHtoDAsync_v2(to, from, (size_t)bytes, cuda->stream));
}

static int norn_driver_read(norn_device *device, void *to, u64 from, u64 bytes) {
  norn_driver *cuda = device->driver;
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  void *place = to;
  if (cuda->arrivals < NORN_MOST_ARRIVING && bytes <= NORN_INBOX - cuda->inbox_used) {
    place = cuda->inbox + cuda->inbox_used;
    cuda->inbox_used = (cuda->inbox_used + (size_t)bytes + 63) / 64 * 64;
    cuda->arriving[cuda->arrivals].to = to;
    cuda->arriving[cuda->arrivals].from = place;
    cuda->arriving[cuda->arrivals++].bytes = (size_t)bytes;
  }
  return norn_cuda_check(device, "copy from the device", cuda->cuMemcpyDtoHAsync_v2(place, from, (size_t)bytes, cuda->stream));
}

static int norn_driver_copy(norn_device *device, u64 to, u64 from, u64 bytes) {
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  norn_driver *cuda = device->driver;
  return norn_cuda_check(device, "copy within the device", cuda->cuMemcpyDtoDAsync_v2(to, from, (size_t)bytes, cuda->stream));
}

static int norn_driver_fill(norn_device *device, u64 to, int byte, u64 bytes) {
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  norn_driver *cuda = device->driver;
  return norn_cuda_check(device, "fill memory", cuda->cuMemsetD8Async(to, (unsigned char)byte, (size_t)bytes, cuda->stream));
}

// A mark is an event in the stream. Without events, nothing is measured.
static void norn_cuda_mark(norn_driver *cuda, void **mark) {
  if (cuda->cuEventCreate(mark, 0)) *mark = NULL;
  else cuda->cuEventRecord(*mark, cuda->stream);
}

static double norn_driver_took(struct futhark_context *context, void *const *mark) {
  norn_driver *cuda = context->device->driver;
  float milliseconds = 0;
  if (norn_cuda_enter(context->device)) return 0;
  if (!mark[0] || !mark[1] || cuda->cuEventElapsedTime(&milliseconds, mark[0], mark[1])) milliseconds = 0;
  for (int i = 0; i < 2; i++)
    if (mark[i]) cuda->cuEventDestroy_v2(mark[i]);
  return 1000 * (double)milliseconds;
}

static int norn_driver_launch(norn_device *device, int number, const u64 *args, u64 groups, void **mark) {
  norn_driver *cuda = device->driver;
  const norn_device_kernel *kernel = &norn_device_kernels[number];
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  if (groups > INT32_MAX) return norn_trouble(device, "CUDA cannot launch %llu groups.", (unsigned long long)groups);
  // The low bytes of a scalar come first.
  void *places[NORN_MOST_PARAMS + 1] = {&device->state};
  for (int i = 0; i < kernel->params; i++) places[i + 1] = (void *)&args[i];
  unsigned shared = kernel->pool >= 0 ? (unsigned)args[kernel->pool] : 0;
  if (mark) norn_cuda_mark(cuda, &mark[0]);
  int code = cuda->cuLaunchKernel(cuda->function[number], (unsigned)groups, 1, 1, kernel->group_size, 1, 1, shared, cuda->stream, places, NULL);
  if (mark && mark[0]) norn_cuda_mark(cuda, &mark[1]);
  return norn_cuda_check(device, "launch a kernel", code);
}

static int norn_driver_wait(norn_device *device) {
  norn_driver *cuda = device->driver;
  if (!cuda->stream) return 0;
  if (norn_cuda_enter(device)) return NORN_TROUBLE;
  int code = norn_cuda_check(device, "finish", cuda->cuStreamSynchronize(cuda->stream));
  for (int i = 0; i < cuda->arrivals && !code; i++) memcpy(cuda->arriving[i].to, cuda->arriving[i].from, cuda->arriving[i].bytes);
  cuda->arrivals = 0;
  cuda->inbox_used = 0;
  return code;
}

// Addresses are what they are.
static void norn_remote_disown(struct futhark_context *context, u64 address) { (void)context, (void)address; }

#endif
