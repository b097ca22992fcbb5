// A device, and its memory: pieces that drivers give, by their addresses.
//
// To ask a driver for memory takes longer than most kernels. So what is given back is kept as a spare piece, and goes to the driver only where it
// is in the way of something else. All that is asked of a device is done in one order, so that a spare piece can be used again at once. There are eight
// sizes for each power of two, so that pieces fit requests that differ a little.
#ifndef NORN_PIECES_H
#define NORN_PIECES_H

#define NORN_LEAST_PIECE 256

typedef struct {
  u64 address, bytes;
  void *buffer;  // what the driver calls it
  bool used;
} norn_piece;

// How the parameters of kernels are described: the bytes of a scalar, or what is done by way of a pointer.
#define NORN_READS 1
#define NORN_WRITES 2
#define NORN_POINTER 16
#define NORN_REGION 32  // of the host

// A kernel of the program's text for the device.
typedef struct {
  const char *name;
  u32 group_size;
  int params;
  const unsigned char *param;
  bool uses_heap;
  int pool;  // the parameter that says how many bytes its groups share; -1: none
} norn_device_kernel;

struct norn_driver;

typedef struct norn_device {
  pthread_mutex_t lock;
  struct norn_driver *driver;
  char *trouble;  // what went wrong, and was not reported yet
  // What the driver says of it.
  u64 memory, largest;
  bool shares_memory;  // with the host
  i64 groups, pool;    // see norn_worker

  norn_piece *piece;  // by their addresses
  int pieces, room;
  u64 live, spare, limit, most_spare;
  i64 peak;  // the most that was live

  u64 state;             // where its norn_state is
  u64 heap, heap_bytes;  // memory for threads
  bool is_wide;          // kernels have indices of 64 bits
  bool busy;             // something was asked for that nobody waited for
  int unseen;            // launches since somebody looked at the state
  norn_state seen;       // what it was
  i32 site;              // of the last launch
  u64 *wanted;           // of each kernel, how many words it has added to a region
} norn_device;

// What a driver does (opencl.h, cuda.h). Functions that return a number return 0, or NORN_TROUBLE when they have called norn_trouble. Everything is
// done in the order in which it is asked for; only `wait` waits, so that what is read is there afterwards.
static int norn_driver_open(struct futhark_context *context);
static void norn_driver_close(norn_device *device);
static int norn_driver_build(struct futhark_context *context, bool wide);
static u64 norn_driver_alloc(norn_device *device, u64 bytes, void **buffer);  // 0 if there is not so much
static void norn_driver_free(norn_device *device, const norn_piece *piece);
static int norn_driver_write(norn_device *device, u64 to, const void *from, u64 bytes);
static int norn_driver_read(norn_device *device, void *to, u64 from, u64 bytes);
static int norn_driver_copy(norn_device *device, u64 to, u64 from, u64 bytes);
static int norn_driver_fill(norn_device *device, u64 to, int byte, u64 bytes);
// The marks are put around the kernel, unless they are null.
static int norn_driver_launch(norn_device *device, int kernel, const u64 *args, u64 groups, void **mark);
static int norn_driver_wait(norn_device *device);

#define NORN_TROUBLE 1

// Notes what went wrong. Of several troubles the first is reported.
__attribute__((format(printf, 2, 3))) static int norn_trouble(norn_device *device, const char *format, ...) {
  if (device->trouble) return NORN_TROUBLE;
  va_list args;
  va_start(args, format);
  device->trouble = norn_text_of(format, args);
  va_end(args);
  return NORN_TROUBLE;
}

// Reports trouble with the device as an error of the context.
static int norn_report(struct futhark_context *context) {
  norn_device *device = context->device;
  norn_error(context, NORN_ERROR, "%s", device->trouble ? device->trouble : "The device cannot be used.");
  free(device->trouble);
  device->trouble = NULL;
  return NORN_ERROR;
}

// The number of the last piece that does not begin behind an address, or -1.
static int norn_piece_before(const norn_device *device, u64 address) {
  int low = 0, high = device->pieces;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (device->piece[middle].address <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The piece in which an address lies, or just behind; or null.
static norn_piece *norn_piece_at(const norn_device *device, u64 address) {
  int at = norn_piece_before(device, address);
  return at >= 0 && address - device->piece[at].address <= device->piece[at].bytes ? &device->piece[at] : NULL;
}

// Whether there was room for another piece.
static bool norn_piece_add(norn_device *device, norn_piece piece) {
  if (device->pieces == device->room) {
    int room = device->room ? 2 * device->room : 64;
    norn_piece *larger = realloc(device->piece, (size_t)room * sizeof *larger);
    if (!larger) return false;
    device->piece = larger;
    device->room = room;
  }
  int at = norn_piece_before(device, piece.address) + 1;
  memmove(device->piece + at + 1, device->piece + at, (size_t)(device->pieces - at) * sizeof piece);
  device->piece[at] = piece;
  device->pieces++;
  return true;
}

static void norn_piece_drop(norn_device *device, int at) {
  norn_piece piece = device->piece[at];
  memmove(device->piece + at, device->piece + at + 1, (size_t)(--device->pieces - at) * sizeof piece);
  norn_driver_free(device, &piece);
}

// Gives spare pieces back to the driver until no more than this is left. Large ones go first: they are fewest.
static void norn_shrink(norn_device *device, u64 most) {
  while (device->spare > most) {
    int largest = -1;
    for (int i = 0; i < device->pieces; i++)
      if (!device->piece[i].used && (largest < 0 || device->piece[i].bytes > device->piece[largest].bytes)) largest = i;
    if (largest < 0) return;
    device->spare -= device->piece[largest].bytes;
    norn_piece_drop(device, largest);
  }
}

// At least so many bytes of the device's memory: their address, or 0 if there are not so many.
static u64 norn_obtain(norn_device *device, u64 bytes) {
  if (bytes < NORN_LEAST_PIECE) bytes = NORN_LEAST_PIECE;
  if (bytes > (u64)1 << 60) return 0;
  u64 step = (u64)1 << (63 - __builtin_clzll(bytes)) >> 3;
  if (step < NORN_LEAST_PIECE) step = NORN_LEAST_PIECE;
  u64 size = (bytes + step - 1) / step * step;
  if (device->live > device->limit || size > device->limit - device->live) return 0;
  norn_piece *best = NULL;
  for (int i = 0; device->spare && i < device->pieces; i++) {
    norn_piece *piece = &device->piece[i];
    if (!piece->used && piece->bytes >= size && piece->bytes <= size + size / 4 && (!best || piece->bytes < best->bytes)) best = piece;
  }
  if (best) {
    best->used = true;
    device->spare -= best->bytes;
    device->live += best->bytes;
    norn_note_live((i64)device->live, &device->peak);
    return best->address;
  }
  norn_shrink(device, device->limit - device->live - size);
  norn_piece piece = {0, size, NULL, true};
  piece.address = norn_driver_alloc(device, size, &piece.buffer);
  if (!piece.address && device->spare) {
    norn_shrink(device, 0);
    piece.address = norn_driver_alloc(device, size, &piece.buffer);
  }
  if (!piece.address) return 0;
  if (!norn_piece_add(device, piece)) {
    norn_driver_free(device, &piece);
    return 0;
  }
  device->live += size;
  norn_note_live((i64)device->live, &device->peak);
  return piece.address;
}

static void norn_give_back(norn_device *device, u64 address) {
  int at = norn_piece_before(device, address);
  if (at < 0 || device->piece[at].address != address || !device->piece[at].used) return;
  u64 bytes = device->piece[at].bytes;
  device->piece[at].used = false;
  device->live -= bytes;
  device->spare += bytes;
  norn_shrink(device, device->most_spare);
}

#endif
