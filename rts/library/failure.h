// Why a call failed, as a text. The sentences are those of crates/ir/src/failure.rs: change both.
#ifndef NORN_FAILURE_H
#define NORN_FAILURE_H

enum {
  NORN_CHECK_TEXT,  // the text is all of it
  NORN_CHECK_INDEX,
  NORN_CHECK_SLICE,
  NORN_CHECK_SIZE,
  NORN_CHECK_ROW_SIZE,
  NORN_CHECK_NONNEGATIVE,
  NORN_CHECK_EXPONENT,
  NORN_CHECK_RANGE,
  NORN_CHECK_NEGATIVE_LENGTH,
  NORN_CHECK_SEGMENTS,
  NORN_CHECK_FLAT,
  NORN_CHECK_CALL,  // no check, but a call: the text is the function
};

enum { NORN_I8, NORN_I16, NORN_I32, NORN_I64, NORN_U8, NORN_U16, NORN_U32, NORN_U64, NORN_F16, NORN_F32, NORN_F64, NORN_BOOL };

// A place in the program where something can fail.
typedef struct {
  unsigned char kind, prim;
  const char *text, *place;
} norn_site;

#define NORN_MESSAGE 512

static __int128 norn_integer(int prim, u64 word) {
  switch (prim) {
    case NORN_I8: return (int8_t)word;
    case NORN_I16: return (int16_t)word;
    case NORN_I32: return (int32_t)word;
    case NORN_I64: return (i64)word;
    default: return word;
  }
}

static void norn_show_integer(char *out, __int128 value) {
  char digits[48];
  int count = 0;
  bool negative = value < 0;
  unsigned __int128 rest = negative ? -(unsigned __int128)value : (unsigned __int128)value;
  do digits[count++] = (char)('0' + (int)(rest % 10));
  while (rest /= 10);
  if (negative) *out++ = '-';
  while (count) *out++ = digits[--count];
  *out = 0;
}

static void norn_describe(char *out, const norn_site *site, const u64 *operand) {
  const i64 *x = (const i64 *)operand;
  char a[48], b[48], c[48];
#define NORN_SAY(...) snprintf(out, NORN_MESSAGE, __VA_ARGS__)
#define NORN_LL(value) ((long long)(value))
  switch (site->kind) {
    case NORN_CHECK_INDEX:
      NORN_SAY("Index %lld is out of bounds for a dimension of length %lld.", NORN_LL(x[0]), NORN_LL(x[1]));
      break;
    case NORN_CHECK_SLICE:
      norn_show_integer(a, (__int128)x[0] + (__int128)x[1] * x[2]);
      if (x[2] == 1 && x[1] < 0)
        NORN_SAY("The slice %lld:%s of a dimension of length %lld has the length %lld, which is negative.", NORN_LL(x[0]), a,
                 NORN_LL(x[3]), NORN_LL(x[1]));
      else if (x[2] == 1)
        NORN_SAY("The slice %lld:%s is out of bounds for a dimension of length %lld.", NORN_LL(x[0]), a, NORN_LL(x[3]));
      else if (x[1] < 0)
        NORN_SAY("The slice from %lld with stride %lld of a dimension of length %lld has the length %lld, which is negative.",
                 NORN_LL(x[0]), NORN_LL(x[2]), NORN_LL(x[3]), NORN_LL(x[1]));
      else
        NORN_SAY("The slice of %lld elements from %lld with stride %lld is out of bounds for a dimension of length %lld.",
                 NORN_LL(x[1]), NORN_LL(x[0]), NORN_LL(x[2]), NORN_LL(x[3]));
      break;
    case NORN_CHECK_SIZE: NORN_SAY("The size is %lld, but %lld was expected.", NORN_LL(x[1]), NORN_LL(x[0])); break;
    case NORN_CHECK_ROW_SIZE: NORN_SAY("A row has the size %lld, but %lld was expected.", NORN_LL(x[1]), NORN_LL(x[0])); break;
    case NORN_CHECK_NONNEGATIVE: NORN_SAY("The size %lld is negative.", NORN_LL(x[0])); break;
    case NORN_CHECK_EXPONENT:
      norn_show_integer(a, norn_integer(site->prim, operand[0]));
      NORN_SAY("The exponent %s of an integer power is negative.", a);
      break;
    case NORN_CHECK_RANGE: {
      __int128 first = norn_integer(site->prim, operand[0]), next = norn_integer(site->prim, operand[1]),
               last = norn_integer(site->prim, operand[2]);
      norn_show_integer(a, first), norn_show_integer(b, next), norn_show_integer(c, last);
      const char *why = next == first                                     ? "its step is 0"
                        : (last - first) / (next - first) >= INT64_MAX ? "it has more elements than an array can have"
                                                                         : "its step leads away from its end";
      NORN_SAY("The range %s..%s..%s is invalid: %s.", a, b, c, why);
      break;
    }
    case NORN_CHECK_NEGATIVE_LENGTH:
      NORN_SAY("The length of row %lld is %lld, which is negative.", NORN_LL(x[0]), NORN_LL(x[1]));
      break;
    case NORN_CHECK_SEGMENTS:
      NORN_SAY("The rows have %lld elements in all, but the array has %lld.", NORN_LL(x[0]), NORN_LL(x[1]));
      break;
    case NORN_CHECK_FLAT:
      NORN_SAY("A view of the elements %lld to %lld is out of bounds for an array of length %lld.", NORN_LL(x[0]), NORN_LL(x[1]),
               NORN_LL(x[2]));
      break;
    case NORN_CHECK_CALL: NORN_SAY("The operation %s failed.", site->text); break;
    default: NORN_SAY("%s", site->text); break;
  }
#undef NORN_SAY
#undef NORN_LL
}

// The error of a run that has failed: what happened, where, and the calls that led there, innermost first.
static int norn_run_error(struct futhark_context *context, const norn_site *sites, int count) {
  norn_run *run = &context->run;
  char message[NORN_MESSAGE], trace[2048] = "";
  const char *place = NULL;
  int code = NORN_PROGRAM_ERROR, first = 0;
  if (run->site == NORN_OUT_OF_MEMORY) {
    code = NORN_MEMORY_ERROR;
    if (context->refused_by_device)
      snprintf(message, sizeof message, "Cannot allocate %llu bytes on the GPU.", (unsigned long long)run->operand[0]);
    else
      snprintf(message, sizeof message, "Cannot allocate %llu bytes: %lld bytes are in use.", (unsigned long long)run->operand[0],
               (long long)context->live);
    if (run->at >= 0 && run->at < count) place = sites[run->at].place;
  } else if (run->site == NORN_OUT_OF_STACK) {
    snprintf(message, sizeof message, "The recursion is too deep: more than %d calls are active.", run->calls ? run->calls - 1 : 0);
    if (run->calls && run->trace[0] >= 0 && run->trace[0] < count) place = sites[run->trace[0]].place;
    first = 1;
  } else if (run->site >= 0 && run->site < count) {
    norn_describe(message, &sites[run->site], run->operand);
    place = sites[run->site].place;
  } else {
    snprintf(message, sizeof message, "The program failed.");
  }
  size_t used = 0;
  for (int i = first; i < run->calls && i < NORN_TRACE && i < first + 10; i++) {
    int number = run->trace[i];
    if (number < 0 || number >= count || sites[number].kind != NORN_CHECK_CALL) continue;
    // What is in many places has the place of the call.
    if (place && !*place) place = sites[number].place;
    // A function that the compiler has made is in no trace.
    if (!*sites[number].text) continue;
    int added = snprintf(trace + used, sizeof trace - used, "\nin `%s`, called at %s", sites[number].text, sites[number].place);
    if (added < 0 || (size_t)added >= sizeof trace - used) break;
    used += (size_t)added;
  }
  return place && *place ? norn_error(context, code, "%s\n --> %s%s", message, place, trace) : norn_error(context, code, "%s%s", message, trace);
}

#endif
