// What a library measures, and what it writes down while it runs.
//
// With profiling, each launch of a kernel is an event: its operator, its place in the program, and its time. On a GPU, the driver measures the time by marks around the launch,
// and knows it when the GPU has passed them: the host does not wait for that before the report. With logging, each call and each launch is a line. With
// debugging, besides, the host waits for each launch, so that the last line names the kernel that does not come back.
#ifndef NORN_PROFILE_H
#define NORN_PROFILE_H

// So many marks of a driver are held at most.
#define NORN_MOST_MARKED 1024

struct norn_event {
  i32 site;
  const char *kernel;  // of a GPU; null for the processor
  i64 size;            // how many groups of threads, or how many elements
  double microseconds;
  void *mark[2];  // of the driver, until it reports the time
};

// The microseconds between the marks, which it releases. The device has passed them.
static double norn_driver_took(struct futhark_context *context, void *const *mark);

static bool norn_measures(const struct futhark_context *context) { return context->config->profiling && !context->paused; }

// The marks become times. The device must have done all that it was asked for.
static void norn_settle_events(struct futhark_context *context) {
  pthread_mutex_lock(&context->events_lock);
  for (i64 i = context->settled; i < context->events; i++) {
    norn_event *event = &context->event[i];
    if (event->mark[0]) event->microseconds = norn_driver_took(context, event->mark);
    event->mark[0] = event->mark[1] = NULL;
  }
  context->settled = context->events;
  pthread_mutex_unlock(&context->events_lock);
}

// Whether so many events wait for their times that it is time to ask.
static bool norn_has_many_marks(struct futhark_context *context) {
  pthread_mutex_lock(&context->events_lock);
  bool has_many = context->events - context->settled >= NORN_MOST_MARKED;
  pthread_mutex_unlock(&context->events_lock);
  return has_many;
}

// Where there is no memory for another event, it is left out: false.
static bool norn_note_event(struct futhark_context *context, norn_event event) {
  pthread_mutex_lock(&context->events_lock);
  bool has_room = context->events < context->event_room;
  if (!has_room) {
    i64 room = context->event_room ? 2 * context->event_room : 256;
    norn_event *larger = realloc(context->event, (size_t)room * sizeof *larger);
    has_room = larger != NULL;
    if (has_room) context->event = larger, context->event_room = room;
  }
  if (has_room) context->event[context->events++] = event;
  pthread_mutex_unlock(&context->events_lock);
  return has_room;
}

static void norn_note_live(i64 live, i64 *peak) {
  i64 before = __atomic_load_n(peak, __ATOMIC_RELAXED);
  while (before < live && !__atomic_compare_exchange_n(peak, &before, live, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

__attribute__((format(printf, 2, 3))) static void norn_log(struct futhark_context *context, const char *format, ...) {
  if (!(context->config->logging || context->config->debugging) || !context->log) return;
  va_list args;
  va_start(args, format);
  vfprintf(context->log, format, args);
  va_end(args);
}

// What a launch belongs to.
static const char *norn_event_name(const norn_event *event) {
  const char *name = event->site >= 0 && event->site < norn_site_count ? norn_sites[event->site].text : "";
  return *name ? name : event->kernel ? event->kernel : "kernel";
}

static const char *norn_event_place(const norn_event *event) {
  return event->site >= 0 && event->site < norn_site_count ? norn_sites[event->site].place : "";
}

// A text that grows.
typedef struct {
  char *text;
  size_t length, room;
  bool failed;
} norn_builder;

__attribute__((format(printf, 2, 3))) static void norn_append(norn_builder *builder, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *more = norn_text_of(format, args);
  va_end(args);
  size_t length = more ? strlen(more) : 0;
  if (builder->length + length + 1 > builder->room) {
    size_t room = 2 * (builder->length + length + 1);
    char *larger = realloc(builder->text, room);
    if (larger) builder->text = larger, builder->room = room;
    builder->failed |= !larger;
  }
  builder->failed |= !more;
  if (!builder->failed) memcpy(builder->text + builder->length, more, length + 1), builder->length += length;
  free(more);
}

// As a string of JSON.
static void norn_append_string(norn_builder *builder, const char *text) {
  norn_append(builder, "\"");
  for (; *text; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\') norn_append(builder, "\\%c", byte);
    else if (byte < ' ') norn_append(builder, "\\u%04x", byte);
    else norn_append(builder, "%c", byte);
  }
  norn_append(builder, "\"");
}

// The most memory that was in use, in bytes, and all events. Null if there is no memory for it.
static char *norn_profile_text(struct futhark_context *context, i64 device_peak) {
  norn_builder builder = {0};
  norn_append(&builder, "{\"memory\":{\"host\":%lld", (long long)context->peak);
  if (NORN_HAS_DEVICE) norn_append(&builder, ",\"device\":%lld", (long long)device_peak);
  norn_append(&builder, "},\"events\":[");
  for (i64 i = 0; i < context->events; i++) {
    const norn_event *event = &context->event[i];
    norn_append(&builder, "%s\n{\"name\":", i ? "," : "");
    norn_append_string(&builder, norn_event_name(event));
    norn_append(&builder, ",\"duration\":%.3f,\"provenance\":", event->microseconds);
    norn_append_string(&builder, norn_event_place(event));
    if (event->kernel) norn_append(&builder, ",\"description\":\"kernel %s, groups of threads: %lld\"}", event->kernel, (long long)event->size);
    else norn_append(&builder, ",\"description\":\"elements: %lld\"}", (long long)event->size);
  }
  norn_append(&builder, "]}");
  if (builder.failed) {
    free(builder.text);
    return NULL;
  }
  return builder.text;
}

#endif
