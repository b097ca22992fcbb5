// Launches of kernels.
//
// A kernel whose threads allocate, or add cells to a region, may find too little memory. It is waited for, and run again with more, after what it changes in
// place is again what it was.
#ifndef NORN_GPU_LAUNCH_H
#define NORN_GPU_LAUNCH_H

#define NORN_FIRST_HEAP ((u64)64 << 20)
// After so many launches somebody looks: a loop of the host would go on for long after a kernel that has failed.
#define NORN_MOST_UNSEEN 4096

// A region that a launch has as an argument, for one or several parameters.
typedef struct {
  norn_region *region;
  bool adds;
  int slot;
} norn_passed;

// A piece that a kernel changes in place, and a copy of what it was.
typedef struct {
  u64 address, copy, bytes;
} norn_saved;

// A launch that may have to be repeated.
typedef struct {
  norn_worker *w;
  int number;
  u64 groups, args[NORN_MOST_PARAMS];
  norn_passed passed[NORN_MOST_PARAMS];
  norn_saved saved[NORN_MOST_PARAMS];
  int passes, saves;
  bool can_repeat;
} norn_request;

// Sends the regions of a launch to the device: each once, whatever parameters it is passed for.
static int norn_pass_regions(norn_worker *w, const norn_device_kernel *kernel, u64 wanted, norn_request *launch) {
  int code = 0, slots = 0;
  for (int i = 0; i < kernel->params; i++) {
    if (!(kernel->param[i] & NORN_REGION)) continue;
    norn_region *region = (norn_region *)launch->args[i];
    int at = 0;
    while (at < launch->passes && launch->passed[at].region != region) at++;
    if (at == launch->passes) launch->passed[launch->passes++] = (norn_passed){region, false, 0};
    launch->passed[at].adds |= (kernel->param[i] & NORN_WRITES) != 0;
  }
  // Nobody knows how many cells it adds, but it may need as many as it did before.
  u64 room = launch->groups * kernel->group_size * NORN_WORDS_FOR_A_THREAD;
  if (room < NORN_LEAST_WORDS) room = NORN_LEAST_WORDS;
  if (room < wanted) room = wanted;
  for (int i = 0; i < launch->passes && !code; i++) {
    bool adds = launch->passed[i].adds;
    launch->passed[i].slot = adds ? slots++ : 0;
    code = norn_region_send(w, launch->passed[i].region, adds ? room : 0, adds ? NORN_LEAST_WORDS : 0);
  }
  return code;
}

// Copies the memory that a kernel both reads and writes, by whatever pointers. If there is none for the copies, it cannot run again.
static int norn_save(norn_device *device, norn_request *launch) {
  const norn_device_kernel *kernel = &norn_device_kernels[launch->number];
  int code = 0;
  launch->can_repeat = true;
  for (int i = 0; i < kernel->params && !code; i++) {
    norn_piece *piece = kernel->param[i] & NORN_POINTER && launch->args[i] ? norn_piece_at(device, launch->args[i]) : NULL;
    if (!piece) continue;
    unsigned access = 0;
    bool is_first = true;
    for (int other = 0; other < kernel->params; other++) {
      if (!(kernel->param[other] & NORN_POINTER) || norn_piece_at(device, launch->args[other]) != piece) continue;
      access |= kernel->param[other];
      is_first &= other >= i;
    }
    if (!is_first || !(access & NORN_READS) || !(access & NORN_WRITES)) continue;
    // The table of pieces may move.
    norn_saved save = {piece->address, 0, piece->bytes};
    save.copy = norn_obtain(device, save.bytes);
    launch->can_repeat &= save.copy != 0;
    if (!save.copy) continue;
    launch->saved[launch->saves++] = save;
    code = norn_driver_copy(device, save.copy, save.address, save.bytes);
  }
  return code;
}

// Starts a kernel, which is measured and written down if somebody wants that.
static int norn_start_kernel(norn_worker *w, norn_device *device, int number, const u64 *args, u64 groups) {
  struct futhark_context *context = norn_context_of(w);
  norn_event event = {device->site, norn_device_kernels[number].name, (i64)groups, 0, {NULL, NULL}};
  bool is_measured = norn_measures(context);
  norn_log(context, "launch of %s, %s %s, groups of threads: %llu\n", event.kernel, norn_event_name(&event), norn_event_place(&event), (unsigned long long)groups);
  int code = norn_driver_launch(device, number, args, groups, is_measured ? event.mark : NULL);
  if (is_measured && event.mark[0] && (code || !norn_note_event(context, event))) norn_driver_took(context, event.mark);
  if (!code && (context->config->debugging || (is_measured && norn_has_many_marks(context)))) {
    code = norn_driver_wait(device);
    if (!code) norn_settle_events(context);
  }
  return code;
}

// Makes ready for a kernel, and starts it: the heap, where regions are, and their ends.
static int norn_start_allocating(norn_device *device, norn_request *launch) {
  const norn_device_kernel *kernel = &norn_device_kernels[launch->number];
  // Where memory is scarce, less may do.
  for (u64 bytes = NORN_FIRST_HEAP; kernel->uses_heap && !device->heap && bytes >= NORN_FIRST_HEAP / 16; bytes /= 4) norn_set_heap(device, bytes);
  if (kernel->uses_heap && !device->heap) return norn_region_refused(device, NORN_FIRST_HEAP);
  norn_state state = norn_fresh_state(device);
  size_t tail = offsetof(norn_state, heap_begin);
  int code = norn_driver_write(device, device->state + tail, (char *)&state + tail, sizeof state - tail);
  u64 args[NORN_MOST_PARAMS];
  for (int i = 0; i < kernel->params; i++)
    args[i] = kernel->param[i] & NORN_REGION ? norn_region_address((norn_region *)launch->args[i]) : launch->args[i];
  for (int i = 0; i < launch->passes && !code; i++)
    code = norn_region_write_header(device, launch->passed[i].region, launch->passed[i].slot);
  return code ? code : norn_start_kernel(launch->w, device, launch->number, args, launch->groups);
}

// Makes larger what was too small. `end` is to where the threads have come in each region.
static int norn_enlarge(norn_device *device, norn_request *launch, const u64 *end) {
  u64 asked = device->seen.operands > 0 ? device->seen.operand[0] : 0;
  if (device->seen.site == NORN_OUT_OF_HEAP) {
    u64 bytes = 2 * device->heap_bytes;
    return launch->can_repeat && norn_set_heap(device, bytes) ? 0 : norn_region_refused(device, bytes);
  }
  int slot = device->seen.operands > 2 ? (int)device->seen.operand[2] : 0;
  for (int i = 0; i < launch->passes; i++) {
    norn_passed *passed = &launch->passed[i];
    if (!passed->adds || passed->slot != slot) continue;
    u64 limit = norn_region_limit(passed->region), needed = end[i] + asked / 8;
    // Up to some size memory matters little, and runs in vain much; beyond another, the other way round.
    u64 words = limit * (limit < 1 << 19 ? 8 : limit < 32 << 20 ? 4 : 2);
    if (words < needed + needed / 4) words = needed + needed / 4;
    if (words > NORN_MOST_WORDS) words = NORN_MOST_WORDS;
    if (!launch->can_repeat || words <= limit) return norn_region_refused(device, 8 * words);
    return norn_region_move(launch->w, passed->region, words, limit + limit / 4);
  }
  return norn_trouble(device, "A kernel has run out of memory that is not said to need some.");
}

// Launches a kernel until there is enough memory for its threads.
static int norn_repeat(norn_device *device, norn_request *launch) {
  int code = norn_save(device, launch);
  while (!code) {
    u64 end[NORN_MOST_PARAMS] = {0};
    code = norn_start_allocating(device, launch);
    for (int i = 0; i < launch->passes && !code; i++)
      if (launch->passed[i].adds) code = norn_driver_read(device, &end[i], norn_region_address(launch->passed[i].region) + 8, sizeof *end);
    // In any case: nothing may be written to `end` later.
    int waited = norn_device_wait(device, NULL, 0);
    if (code || waited != NORN_EXHAUSTED) {
      for (int i = 0; i < launch->passes && !code && !waited; i++) {
        norn_region *region = launch->passed[i].region;
        if (!launch->passed[i].adds) continue;
        u64 added = end[i] - (u64)region->next, *wanted = &device->wanted[launch->number];
        if (added > *wanted) *wanted = added;
        norn_region_grown(region, end[i]);
      }
      code = code ? code : waited;
      break;
    }
    code = norn_enlarge(device, launch, end);
    for (int i = 0; i < launch->saves && !code; i++)
      code = norn_driver_copy(device, launch->saved[i].address, launch->saved[i].copy, launch->saved[i].bytes);
  }
  for (int i = 0; i < launch->saves; i++) norn_give_back(device, launch->saved[i].copy);
  return code;
}

static int norn_start(norn_worker *w, norn_device *device, int number, const u64 *args, u64 groups) {
  const norn_device_kernel *kernel = &norn_device_kernels[number];
  device->busy = true;
  bool has_regions = false;
  int code = 0;
  for (int i = 0; i < kernel->params; i++) has_regions |= (kernel->param[i] & NORN_REGION) != 0;
  if (kernel->uses_heap || has_regions) {
    norn_request launch = {.w = w, .number = number, .groups = groups};
    for (int i = 0; i < kernel->params; i++) launch.args[i] = args[i];
    code = norn_pass_regions(w, kernel, device->wanted[number], &launch);
    bool may_run_out = kernel->uses_heap;
    for (int i = 0; i < launch.passes; i++) may_run_out |= launch.passed[i].adds;
    if (!code && may_run_out) return norn_repeat(device, &launch);
    if (!code) code = norn_start_allocating(device, &launch);
  } else {
    code = norn_start_kernel(w, device, number, args, groups);
  }
  if (!code && norn_kernels_fail && ++device->unseen >= NORN_MOST_UNSEEN) code = norn_device_wait(device, NULL, 0);
  return code;
}

static int norn_device_launch(norn_worker *w, i32 kernel, const u64 *args, i64 groups, i32 site) {
  if (groups <= 0) return NORN_DONE;
  NORN_ASK((device->site = site, norn_start(w, device, kernel, args, (u64)groups)));
}

// What it reads and writes does not matter to a single device.
static int norn_device_launch_within(norn_worker *w, i32 kernel, const u64 *args, const i64 *within, i64 groups, i32 site) {
  (void)within;
  return norn_device_launch(w, kernel, args, groups, site);
}

// A library has one device: the rest is never asked for.
#define NORN_DEVICE_FUNCTIONS                        \
  .device_alloc = norn_device_alloc,                 \
  .device_launch = norn_device_launch,               \
  .device_launch_within = norn_device_launch_within, \
  .device_read = norn_device_read,                   \
  .device_read_all = norn_device_read_all,           \
  .device_write = norn_device_write,                 \
  .device_copy = norn_device_copy,                   \
  .device_fill = norn_device_fill,                   \
  .device_fetch = norn_device_fetch,                 \
  .device_look = norn_device_look,                   \
  .device_cell = norn_device_cell,                   \
  .device_place = norn_device_place,

#endif
