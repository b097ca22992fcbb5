// A device that is reached by OpenCL (1.2), which is loaded when it is needed: neither its headers nor its library are there when this is compiled.
//
// OpenCL's buffers have no addresses, but programs calculate with them. So each buffer gets some, which are never used again, and an address is
// translated back to its buffer and an offset when it reaches OpenCL. Between buffers many addresses are left out: one that is in front of a
// buffer, or behind it, still leads to that. A kernel takes a pointer as a buffer and an offset; the state and the heap, which are whole
// buffers, without an offset.
#ifndef NORN_OPENCL_H
#define NORN_OPENCL_H

#include <dlfcn.h>

// In the heap, which kernels get as a buffer. No offset is 0, which programs take for null.
#define NORN_HEAP_BEGIN(heap) 256
#define NORN_HEAP_END(heap, bytes) (bytes)
#define NORN_GAP ((u64)1 << 40)       // how far from a buffer its addresses go
#define NORN_SMALL_WRITE (64 << 10)   // what is larger is written while the host waits
#define NORN_UNDER_WAY (4 << 20)      // so many bytes may be on their way

#define NORN_OPENCL_FUNCTIONS(X)                                                                                              \
  X(int, clGetPlatformIDs, (unsigned, void **, unsigned *))                                                                   \
  X(int, clGetPlatformInfo, (void *, unsigned, size_t, void *, size_t *))                                                     \
  X(int, clGetDeviceIDs, (void *, u64, unsigned, void **, unsigned *))                                                        \
  X(int, clGetDeviceInfo, (void *, unsigned, size_t, void *, size_t *))                                                       \
  X(void *, clCreateContext, (const void *, unsigned, void *const *, const void *, void *, int *))                            \
  X(int, clRetainContext, (void *))                                                                                           \
  X(int, clReleaseContext, (void *))                                                                                          \
  X(void *, clCreateCommandQueue, (void *, void *, u64, int *))                                                               \
  X(int, clGetCommandQueueInfo, (void *, unsigned, size_t, void *, size_t *))                                                 \
  X(int, clRetainCommandQueue, (void *))                                                                                      \
  X(int, clReleaseCommandQueue, (void *))                                                                                     \
  X(void *, clCreateBuffer, (void *, u64, size_t, void *, int *))                                                             \
  X(int, clRetainMemObject, (void *))                                                                                         \
  X(int, clReleaseMemObject, (void *))                                                                                        \
  X(int, clEnqueueWriteBuffer, (void *, void *, unsigned, size_t, size_t, const void *, unsigned, void *const *, void **))    \
  X(int, clEnqueueReadBuffer, (void *, void *, unsigned, size_t, size_t, void *, unsigned, void *const *, void **))           \
  X(int, clEnqueueCopyBuffer, (void *, void *, void *, size_t, size_t, size_t, unsigned, void *const *, void **))             \
  X(int, clEnqueueFillBuffer, (void *, void *, const void *, size_t, size_t, size_t, unsigned, void *const *, void **))       \
  X(void *, clCreateProgramWithSource, (void *, unsigned, const char **, const size_t *, int *))                              \
  X(void *, clCreateProgramWithBinary, (void *, unsigned, void *const *, const size_t *, const unsigned char **, int *, int *)) \
  X(int, clBuildProgram, (void *, unsigned, void *const *, const char *, const void *, void *))                               \
  X(int, clGetProgramBuildInfo, (void *, void *, unsigned, size_t, void *, size_t *))                                         \
  X(int, clGetProgramInfo, (void *, unsigned, size_t, void *, size_t *))                                                      \
  X(int, clReleaseProgram, (void *))                                                                                          \
  X(void *, clCreateKernel, (void *, const char *, int *))                                                                    \
  X(int, clReleaseKernel, (void *))                                                                                           \
  X(int, clSetKernelArg, (void *, unsigned, size_t, const void *))                                                            \
  X(int, clEnqueueNDRangeKernel, (void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned, void *const *, void **)) \
  X(int, clGetEventProfilingInfo, (void *, unsigned, size_t, void *, size_t *))                                               \
  X(int, clReleaseEvent, (void *))                                                                                            \
  X(int, clFlush, (void *))                                                                                                   \
  X(int, clFinish, (void *))

typedef struct norn_driver {
#define NORN_FIELD(result, name, params) result(*name) params;
  NORN_OPENCL_FUNCTIONS(NORN_FIELD)
#undef NORN_FIELD
  void *chosen, *context, *queue, *program;
  void **kernel;
  char *options;      // of the compiler
  char *identity;     // what a binary depends on beside its text
  bool is_pocl;
  u64 next;           // the next address
  void **under_way;   // what is being written, until somebody waits
  size_t writes, writes_room, write_bytes;
} norn_driver;

static const char *norn_opencl_error(int code) {
  switch (code) {
    case -2: return "CL_DEVICE_NOT_AVAILABLE";
    case -3: return "CL_COMPILER_NOT_AVAILABLE";
    case -4: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case -5: return "CL_OUT_OF_RESOURCES";
    case -6: return "CL_OUT_OF_HOST_MEMORY";
    case -11: return "CL_BUILD_PROGRAM_FAILURE";
    case -14: return "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
    case -30: return "CL_INVALID_VALUE";
    case -34: return "CL_INVALID_CONTEXT";
    case -36: return "CL_INVALID_COMMAND_QUEUE";
    case -38: return "CL_INVALID_MEM_OBJECT";
    case -42: return "CL_INVALID_BINARY";
    case -43: return "CL_INVALID_BUILD_OPTIONS";
    case -45: return "CL_INVALID_PROGRAM_EXECUTABLE";
    case -46: return "CL_INVALID_KERNEL_NAME";
    case -52: return "CL_INVALID_KERNEL_ARGS";
    case -54: return "CL_INVALID_WORK_GROUP_SIZE";
    default: return "an error of OpenCL";
  }
}

static int norn_opencl_check(norn_device *device, const char *doing, int code) {
  return code ? norn_trouble(device, "OpenCL cannot %s: %s (%d).", doing, norn_opencl_error(code), code) : 0;
}

static int norn_opencl_load(norn_device *device) {
#if defined(__APPLE__)
  void *library = dlopen("/System/Library/Frameworks/OpenCL.framework/OpenCL", RTLD_NOW);
#else
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (!library) library = dlopen("libOpenCL.so", RTLD_NOW);
#endif
  if (!library) return norn_trouble(device, "There is no OpenCL: %s.", dlerror());
  // Drivers have threads and state that they do not find again, so the library stays.
#define NORN_FIND(result, name, params)                            \
  *(void **)&device->driver->name = dlsym(library, #name);         \
  if (!device->driver->name) return norn_trouble(device, "This OpenCL has no " #name ".");
  NORN_OPENCL_FUNCTIONS(NORN_FIND)
#undef NORN_FIND
  return 0;
}

// A text about a device or its platform; empty if there is none.
static void norn_opencl_text(norn_driver *cl, bool of_platform, void *of, unsigned which, char *text, size_t room) {
  memset(text, 0, room);
  if (of_platform) cl->clGetPlatformInfo(of, which, room - 1, text, NULL);
  else cl->clGetDeviceInfo(of, which, room - 1, text, NULL);
}

// Numbers have 4 or 8 bytes.
static u64 norn_opencl_number(norn_driver *cl, void *of, unsigned which) {
  unsigned char bytes[8] = {0};
  size_t length = 0;
  if (cl->clGetDeviceInfo(of, which, sizeof bytes, bytes, &length)) return 0;
  u64 number = 0;
  u32 half = 0;
  if (length == 8) return memcpy(&number, bytes, 8), number;
  memcpy(&half, bytes, 4);
  return half;
}

// Whether a text has a word in it, whatever its letters' case; or whether the word is `#N`, the number that is counted down.
static bool norn_is_named(const char *text, const char *word, int *number) {
  if (!word || !*word) return true;
  if (*word == '#') return atoi(word + 1) == (*number)++;
  for (; *text; text++) {
    size_t i = 0;
    while (word[i] && text[i] && (text[i] | 32) == (word[i] | 32)) i++;
    if (!word[i]) return true;
  }
  return false;
}

// PoCL makes its devices ready when it is first asked about them, and crashes if two threads ask at once.
static pthread_mutex_t norn_opencl_looking = PTHREAD_MUTEX_INITIALIZER;

// PoCL keeps the variables of all threads of a group on the stack of the thread that runs them, and makes its threads when it is first asked about devices, with
// the stacks that are usual then.
static size_t norn_opencl_stacks(size_t bytes) {
#if defined(__linux__) && defined(__GLIBC__)
  pthread_attr_t attributes;
  size_t usual = 0;
  if (pthread_getattr_default_np(&attributes)) return 0;
  if (!pthread_attr_getstacksize(&attributes, &usual) && bytes && !pthread_attr_setstacksize(&attributes, bytes))
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  return usual;
#else
  (void)bytes;
  return 0;
#endif
}

#define NORN_MOST_LISTED 64

// The first GPU that is meant, else the first device; those that may be meant are shown, if somebody wants to see them.
static int norn_opencl_choose(norn_device *device, struct futhark_context_config *config, char *platform_name, FILE *shown) {
  norn_driver *cl = device->driver;
  void *platforms[NORN_MOST_LISTED];
  unsigned platform_count = 0;
  pthread_mutex_lock(&norn_opencl_looking);
  size_t usual = norn_opencl_stacks((size_t)64 << 20);
  if (cl->clGetPlatformIDs(NORN_MOST_LISTED, platforms, &platform_count)) platform_count = 0;
  if (platform_count > NORN_MOST_LISTED) platform_count = NORN_MOST_LISTED;
  bool is_gpu = false;
  int platform_number = 0, device_number = 0;
  for (unsigned p = 0; p < platform_count; p++) {
    char name[256], device_name[256];
    norn_opencl_text(cl, true, platforms[p], 0x0902, name, sizeof name);
    if (!norn_is_named(name, config->platform, &platform_number)) continue;
    void *devices[NORN_MOST_LISTED];
    unsigned count = 0;
    if (cl->clGetDeviceIDs(platforms[p], 0xffffffff, NORN_MOST_LISTED, devices, &count)) continue;
    for (unsigned d = 0; d < count && d < NORN_MOST_LISTED; d++) {
      norn_opencl_text(cl, false, devices[d], 0x102b, device_name, sizeof device_name);
      if (shown) fprintf(shown, "#%d: %s, %s\n", device_number++, name, device_name);
      else if (!norn_is_named(device_name, config->device, &device_number)) continue;
      bool gpu = norn_opencl_number(cl, devices[d], 0x1000) & 4;
      if (cl->chosen && (is_gpu || !gpu)) continue;
      cl->chosen = devices[d];
      is_gpu = gpu;
      memcpy(platform_name, name, sizeof name);
    }
  }
  if (usual) norn_opencl_stacks(usual);
  pthread_mutex_unlock(&norn_opencl_looking);
  if (cl->chosen) return 0;
  return config->device || config->platform ? norn_trouble(device, "OpenCL has no device that is called so.")
                                            : norn_trouble(device, "OpenCL has no device.");
}

// The major version of the newest OpenCL C: atomics with an order are not in the older ones.
static int norn_opencl_language(norn_driver *cl) {
  // Since OpenCL 3.0 there is a list of names of 64 bytes, each after its version, whose major part is the upper 10 bits.
  unsigned char list[68 * 32];
  size_t length = 0;
  int newest = 1;
  if (!cl->clGetDeviceInfo(cl->chosen, 0x1066, sizeof list, list, &length)) {
    for (size_t at = 0; at + 68 <= length && at + 68 <= sizeof list; at += 68) {
      u32 version;
      memcpy(&version, list + at, 4);
      if ((int)(version >> 22) > newest) newest = (int)(version >> 22);
    }
  }
  // Before, it is in `OpenCL C 1.2 ..`.
  char text[256];
  norn_opencl_text(cl, false, cl->chosen, 0x103d, text, sizeof text);
  if (!strncmp(text, "OpenCL C ", 9) && text[9] - '0' > newest) newest = text[9] - '0';
  return newest;
}

static int norn_driver_open(struct futhark_context *context) {
  norn_device *device = context->device;
  norn_driver *cl = device->driver = calloc(1, sizeof *cl);
  if (!cl) return norn_trouble(device, "There is no memory for a device.");
  cl->next = NORN_GAP;
  if (norn_opencl_load(device)) return NORN_TROUBLE;
  char platform[256] = "", name[256], driver[256];
  int code = 0;
  if (context->config->queue) {
    cl->queue = context->config->queue;
    code = cl->clGetCommandQueueInfo(cl->queue, 0x1090, sizeof cl->context, &cl->context, NULL);
    if (!code) code = cl->clGetCommandQueueInfo(cl->queue, 0x1091, sizeof cl->chosen, &cl->chosen, NULL);
    void *of = NULL;
    if (!code) code = cl->clGetDeviceInfo(cl->chosen, 0x1031, sizeof of, &of, NULL);
    if (!code) norn_opencl_text(cl, true, of, 0x0902, platform, sizeof platform);
    if (code) cl->context = cl->queue = NULL;
    if (norn_opencl_check(device, "use this queue", code)) return NORN_TROUBLE;
    cl->clRetainContext(cl->context);
    cl->clRetainCommandQueue(cl->queue);
  } else {
    if (norn_opencl_choose(device, context->config, platform, NULL)) return NORN_TROUBLE;
    cl->context = cl->clCreateContext(NULL, 1, &cl->chosen, NULL, NULL, &code);
    if (norn_opencl_check(device, "open the device", code)) return NORN_TROUBLE;
    cl->queue = cl->clCreateCommandQueue(cl->context, cl->chosen, context->config->profiling ? 2 : 0, &code);
    if (norn_opencl_check(device, "make a queue", code)) return NORN_TROUBLE;
  }
  u64 kind = norn_opencl_number(cl, cl->chosen, 0x1000);
  i64 units = (i64)norn_opencl_number(cl, cl->chosen, 0x1002);
  device->memory = norn_opencl_number(cl, cl->chosen, 0x101f);
  device->largest = norn_opencl_number(cl, cl->chosen, 0x1010);
  device->shares_memory = kind & 2 || norn_opencl_number(cl, cl->chosen, 0x1035);
  // OpenCL does not tell. A processor runs one group on each core; a unit of a GPU holds 2048 threads or so.
  device->groups = units < 1 ? 1 : kind & 2 ? units : 8 * units;
  cl->is_pocl = !strcmp(platform, "Portable Computing Language");
  int language = norn_opencl_language(cl);
  bool rounds = norn_opencl_number(cl, cl->chosen, 0x101b) & 128;
  // PoCL 3.1 with LLVM 15 gives loops wrong ends if it optimises kernels in which threads may return before they meet.
  cl->options = norn_text("-cl-std=%s%s%s%s%s", language > 2 ? "CL3.0" : language == 2 ? "CL2.0" : "CL1.2",
                          rounds ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", cl->is_pocl ? " -cl-opt-disable" : "",
                          context->config->options ? " " : "", context->config->options ? context->config->options : "");
  norn_opencl_text(cl, false, cl->chosen, 0x102b, name, sizeof name);
  norn_opencl_text(cl, false, cl->chosen, 0x102d, driver, sizeof driver);
  cl->identity = norn_text("%s\n%s\n%s\n%s", platform, name, driver, cl->options ? cl->options : "");
  cl->kernel = calloc((size_t)norn_device_kernel_count + 1, sizeof *cl->kernel);
  if (!cl->options || !cl->identity || !cl->kernel) return norn_trouble(device, "There is no memory for a device.");
  return 0;
}

static void norn_opencl_unload(norn_driver *cl) {
  for (int i = 0; cl->kernel && i < norn_device_kernel_count; i++)
    if (cl->kernel[i]) cl->clReleaseKernel(cl->kernel[i]), cl->kernel[i] = NULL;
  if (cl->program) cl->clReleaseProgram(cl->program);
  cl->program = NULL;
}

static void norn_driver_close(norn_device *device) {
  norn_driver *cl = device->driver;
  norn_opencl_unload(cl);
  if (cl->queue) cl->clReleaseCommandQueue(cl->queue);
  if (cl->context) cl->clReleaseContext(cl->context);
  free(cl->under_way);
  free(cl->kernel);
  free(cl->options);
  free(cl->identity);
  free(cl);
  device->driver = NULL;
}

// Builds a program, which is released if that fails.
static int norn_opencl_build(norn_device *device, void *program, const char *options) {
  norn_driver *cl = device->driver;
  int code = cl->clBuildProgram(program, 1, &cl->chosen, options, NULL, NULL);
  if (!code) {
    cl->program = program;
    return 0;
  }
  char log[4096] = "";
  size_t length = 0;
  cl->clGetProgramBuildInfo(program, cl->chosen, 0x1183, 0, NULL, &length);
  char *whole = calloc(1, length + 1);
  if (whole && !cl->clGetProgramBuildInfo(program, cl->chosen, 0x1183, length, whole, NULL)) snprintf(log, sizeof log, "%s", whole);
  free(whole);
  cl->clReleaseProgram(program);
  return norn_trouble(device, "OpenCL cannot compile the kernels: %s (%d).\n%s", norn_opencl_error(code), code, log);
}

static int norn_opencl_build_text(norn_device *device, const char *before, const char *text, const char *options, bool wide) {
  norn_driver *cl = device->driver;
  const char *parts[] = {wide ? "#define NORN_WIDE\n" : "", before, text};
  int code = 0;
  void *program = cl->clCreateProgramWithSource(cl->context, 3, parts, NULL, &code);
  return norn_opencl_check(device, "take the kernels", code) ? NORN_TROUBLE : norn_opencl_build(device, program, options);
}

static int norn_opencl_build_binary(norn_device *device, const unsigned char *binary, size_t length) {
  norn_driver *cl = device->driver;
  int code = 0, status = 0;
  void *program = cl->clCreateProgramWithBinary(cl->context, 1, &cl->chosen, &length, &binary, &status, &code);
  return norn_opencl_check(device, "load the kernels", code) ? NORN_TROUBLE : norn_opencl_build(device, program, cl->options);
}

static int norn_opencl_build_file(norn_device *device, const char *name) {
  size_t length = 0;
  unsigned char *binary = norn_code_read(name, &length);
  if (!binary) return norn_trouble(device, "The file `%s` cannot be read.", name);
  int code = norn_opencl_build_binary(device, binary, length);
  free(binary);
  return code;
}

// The binary of the program is kept for the next time.
static void norn_opencl_keep(struct futhark_context *context, const char *text, bool wide) {
  norn_driver *cl = context->device->driver;
  size_t length = 0;
  if (!context->config->cache_file || cl->clGetProgramInfo(cl->program, 0x1165, sizeof length, &length, NULL)) return;
  unsigned char *binary = malloc(length + 1);
  if (binary && !cl->clGetProgramInfo(cl->program, 0x1166, sizeof binary, &binary, NULL))
    norn_cache_write(context, text, cl->identity, wide, binary, length);
  free(binary);
}

static int norn_driver_build(struct futhark_context *context, bool wide) {
  norn_device *device = context->device;
  norn_driver *cl = device->driver;
  const char *text = context->config->program ? context->config->program : norn_device_text;
  // Kernels that are queued keep what they need.
  norn_opencl_unload(cl);
  if (!norn_device_kernel_count) return 0;
  // What the user has is for arrays that 31 bits can count.
  if (context->config->code_file && !wide) {
    if (norn_opencl_build_file(device, context->config->code_file)) return NORN_TROUBLE;
  } else if (cl->is_pocl) {
    // It compiles each kernel when it is first launched, and keeps that on disk itself. With our declarations, that takes a tenth of the time; should another
    // version not accept them, it gets all that there are.
    char *options = norn_text("%s -D_OPENCL_H_", cl->options);
    if (!options) return norn_trouble(device, "There is no memory for a device.");
    int code = norn_opencl_build_text(device, norn_pocl_declarations, text, options, wide);
    free(options);
    if (code) {
      free(device->trouble);
      device->trouble = NULL;
      if (norn_opencl_build_text(device, "", text, cl->options, wide)) return NORN_TROUBLE;
    }
  } else {
    size_t length = 0;
    unsigned char *binary = norn_cache_read(context, text, cl->identity, wide, &length);
    if (binary && norn_opencl_build_binary(device, binary, length)) {
      free(device->trouble);
      device->trouble = NULL;
    }
    free(binary);
    if (!cl->program) {
      if (norn_opencl_build_text(device, "", text, cl->options, wide)) return NORN_TROUBLE;
      norn_opencl_keep(context, text, wide);
    }
  }
  for (int i = 0; i < norn_device_kernel_count; i++) {
    int code = 0;
    cl->kernel[i] = cl->clCreateKernel(cl->program, norn_device_kernels[i].name, &code);
    if (norn_opencl_check(device, "find a kernel", code)) return NORN_TROUBLE;
  }
  return 0;
}

// Addresses for a buffer of so many bytes.
static u64 norn_opencl_address(norn_driver *cl, u64 bytes) {
  u64 address = cl->next;
  cl->next += (bytes + 255) / 256 * 256 + 2 * NORN_GAP;
  return address;
}

static u64 norn_driver_alloc(norn_device *device, u64 bytes, void **buffer) {
  norn_driver *cl = device->driver;
  if (bytes > device->largest) return 0;
  int code = 0;
  *buffer = cl->clCreateBuffer(cl->context, 1, (size_t)bytes, NULL, &code);
  if (code == -61 || code == -4 || code == -5 || code == -6) return 0;
  return norn_opencl_check(device, "allocate memory", code) ? 0 : norn_opencl_address(cl, bytes);
}

// Kernels that are queued keep the buffer.
static void norn_driver_free(norn_device *device, const norn_piece *piece) { device->driver->clReleaseMemObject(piece->buffer); }

// The buffer in which an address lies, and how far behind its beginning; null if there is none.
static void *norn_opencl_find(norn_device *device, u64 address, size_t *offset) {
  norn_piece *piece = norn_piece_at(device, address);
  if (!piece) return norn_trouble(device, "Nothing is at address %#llx of the device.", (unsigned long long)address), NULL;
  *offset = (size_t)(address - piece->address);
  return piece->buffer;
}

static int norn_driver_write(norn_device *device, u64 to, const void *from, u64 bytes) {
  norn_driver *cl = device->driver;
  size_t offset = 0;
  void *buffer = norn_opencl_find(device, to, &offset);
  if (!buffer) return NORN_TROUBLE;
  void *kept = bytes <= NORN_SMALL_WRITE ? malloc((size_t)bytes) : NULL;
  if (kept && cl->writes == cl->writes_room) {
    size_t room = cl->writes_room ? 2 * cl->writes_room : 64;
    void **larger = realloc(cl->under_way, room * sizeof *larger);
    if (larger) cl->under_way = larger, cl->writes_room = room;
    else free(kept), kept = NULL;
  }
  if (kept) {
    memcpy(kept, from, (size_t)bytes);
    cl->under_way[cl->writes++] = kept;
    cl->write_bytes += (size_t)bytes;
  }
  int code = cl->clEnqueueWriteBuffer(cl->queue, buffer, !kept, offset, (size_t)bytes, kept ? kept : from, 0, NULL, NULL);
  if (norn_opencl_check(device, "copy to the device", code)) return NORN_TROUBLE;
  return cl->write_bytes > NORN_UNDER_WAY ? norn_driver_wait(device) : 0;
}

static int norn_driver_read(norn_device *device, void *to, u64 from, u64 bytes) {
  norn_driver *cl = device->driver;
  size_t offset = 0;
  void *buffer = norn_opencl_find(device, from, &offset);
  if (!buffer) return NORN_TROUBLE;
  int code = cl->clEnqueueReadBuffer(cl->queue, buffer, 0, offset, (size_t)bytes, to, 0, NULL, NULL);
  return norn_opencl_check(device, "copy from the device", code);
}

static int norn_driver_copy(norn_device *device, u64 to, u64 from, u64 bytes) {
  norn_driver *cl = device->driver;
  size_t begin = 0, end = 0;
  void *source = norn_opencl_find(device, from, &begin), *target = norn_opencl_find(device, to, &end);
  if (!source || !target) return NORN_TROUBLE;
  int code = cl->clEnqueueCopyBuffer(cl->queue, source, target, begin, end, (size_t)bytes, 0, NULL, NULL);
  return norn_opencl_check(device, "copy within the device", code);
}

static int norn_driver_fill(norn_device *device, u64 to, int byte, u64 bytes) {
  norn_driver *cl = device->driver;
  size_t offset = 0;
  void *buffer = norn_opencl_find(device, to, &offset);
  if (!buffer) return NORN_TROUBLE;
  // Drivers are faster at patterns of words, which have to fit.
  unsigned char pattern[8];
  memset(pattern, byte, sizeof pattern);
  size_t width = (offset | bytes) % 8 ? 1 : 8;
  int code = cl->clEnqueueFillBuffer(cl->queue, buffer, pattern, width, offset, (size_t)bytes, 0, NULL, NULL);
  return norn_opencl_check(device, "fill memory", code);
}

// Passes a pointer: the buffer to which an address leads, and how far that is from its beginning.
static int norn_opencl_pass(norn_device *device, void *kernel, unsigned *next, u64 address, bool is_whole) {
  norn_driver *cl = device->driver;
  void *buffer = NULL;
  i64 offset = 0;
  if (address) {
    int at = norn_piece_before(device, address + NORN_GAP - 1);
    if (at < 0 || address >= device->piece[at].address + device->piece[at].bytes + NORN_GAP)
      return norn_trouble(device, "Nothing is near address %#llx of the device.", (unsigned long long)address);
    buffer = device->piece[at].buffer;
    offset = (i64)(address - device->piece[at].address);
  }
  int code = cl->clSetKernelArg(kernel, (*next)++, sizeof buffer, buffer ? &buffer : NULL);
  if (!code && !is_whole) code = cl->clSetKernelArg(kernel, (*next)++, sizeof offset, &offset);
  return norn_opencl_check(device, "pass arguments to a kernel", code);
}

static int norn_driver_launch(norn_device *device, int number, const u64 *args, u64 groups, void **mark) {
  norn_driver *cl = device->driver;
  const norn_device_kernel *kernel = &norn_device_kernels[number];
  void *handle = cl->kernel[number];
  unsigned next = 0;
  if (norn_opencl_pass(device, handle, &next, device->state, true)) return NORN_TROUBLE;
  if (kernel->uses_heap && norn_opencl_pass(device, handle, &next, device->heap, true)) return NORN_TROUBLE;
  for (int i = 0; i < kernel->params; i++) {
    int code = 0;
    if (kernel->param[i] & (NORN_POINTER | NORN_REGION)) code = norn_opencl_pass(device, handle, &next, args[i], false);
    // The low bytes come first.
    else code = norn_opencl_check(device, "pass arguments to a kernel", cl->clSetKernelArg(handle, next++, kernel->param[i], &args[i]));
    if (code) return NORN_TROUBLE;
  }
  size_t local = kernel->group_size, global = local * (size_t)groups;
  int code = cl->clEnqueueNDRangeKernel(cl->queue, handle, 1, NULL, &global, &local, 0, NULL, mark);
  if (code) return norn_trouble(device, "OpenCL cannot launch the kernel %s: %s (%d).", kernel->name, norn_opencl_error(code), code);
  return norn_opencl_check(device, "begin", cl->clFlush(cl->queue));
}

// One mark is enough: the event of the kernel. A queue that somebody else made may not measure.
static double norn_driver_took(struct futhark_context *context, void *const *mark) {
  norn_driver *cl = context->device->driver;
  u64 begin = 0, end = 0;
  bool is_known = !cl->clGetEventProfilingInfo(mark[0], 0x1282, sizeof begin, &begin, NULL) && !cl->clGetEventProfilingInfo(mark[0], 0x1283, sizeof end, &end, NULL);
  cl->clReleaseEvent(mark[0]);
  return is_known ? (double)(end - begin) / 1000 : 0;
}

static int norn_driver_wait(norn_device *device) {
  norn_driver *cl = device->driver;
  if (!cl->queue) return 0;
  int code = cl->clFinish(cl->queue);
  while (cl->writes) free(cl->under_way[--cl->writes]);
  cl->write_bytes = 0;
  return norn_opencl_check(device, "finish", code);
}

// A buffer of somebody else's as a piece of memory, which is held as long as it is there; 0 if it cannot be had.
static u64 norn_remote_adopt(struct futhark_context *context, void *buffer, i64 bytes) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  norn_piece piece = {norn_opencl_address(device->driver, (u64)bytes), (u64)bytes, buffer, true};
  int code = norn_opencl_check(device, "use this buffer", device->driver->clRetainMemObject(buffer));
  if (code) norn_report(context);
  else if (!norn_piece_add(device, piece)) device->driver->clReleaseMemObject(buffer), code = NORN_TROUBLE;
  pthread_mutex_unlock(&device->lock);
  return code ? 0 : piece.address;
}

static void norn_remote_disown(struct futhark_context *context, u64 address) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  int at = norn_piece_before(device, address);
  if (at >= 0 && device->piece[at].address == address) norn_piece_drop(device, at);
  pthread_mutex_unlock(&device->lock);
}

// The buffer that begins at an address; null if none does.
static void *norn_remote_buffer(struct futhark_context *context, u64 address) {
  norn_device *device = context->device;
  pthread_mutex_lock(&device->lock);
  norn_piece *piece = norn_piece_at(device, address);
  void *buffer = piece && piece->address == address ? piece->buffer : NULL;
  pthread_mutex_unlock(&device->lock);
  return buffer;
}

#endif
