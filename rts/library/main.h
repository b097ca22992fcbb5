// An executable: reads the arguments of an entry point from standard input, and writes its result to standard output. Values are scalars and
// arrays of scalars, as text or in binary, in the formats that Futhark documents; results that are tuples are written part by part.
#ifndef NORN_MAIN_H
#define NORN_MAIN_H

#include <ctype.h>
#include <errno.h>
#include <math.h>

// A value that can be read or written; any other has a rank of -1.
typedef struct {
  signed char rank;
  unsigned char prim, columns;
} norn_plain;

typedef struct {
  int params, results;
  const norn_plain *param, *result;
} norn_signature;

static const char *const norn_prim_names[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"};
// In binary.
static const char norn_prim_codes[][5] = {"  i8", " i16", " i32", " i64", "  u8", " u16", " u32", " u64", " f16", " f32", " f64", "bool"};

static __attribute__((noreturn, format(printf, 1, 2))) void norn_quit(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("error: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(3);
}

// Standard input, as a whole.
typedef struct {
  char *text;
  size_t length, at;
} norn_input;

static norn_input norn_read_all(FILE *file) {
  norn_input input = {NULL, 0, 0};
  size_t room = 0;
  for (;;) {
    if (room - input.length < 4096) {
      room = room ? 2 * room : 1 << 16;
      char *larger = realloc(input.text, room + 1);
      if (!larger) norn_quit("there is no memory for the input");
      input.text = larger;
    }
    size_t count = fread(input.text + input.length, 1, room - input.length, file);
    input.length += count;
    if (!count) break;
  }
  input.text[input.length] = 0;
  return input;
}

static void norn_skip(norn_input *in) {
  while (in->at < in->length) {
    if (isspace((unsigned char)in->text[in->at])) in->at++;
    else if (in->text[in->at] == '-' && in->text[in->at + 1] == '-')
      while (in->at < in->length && in->text[in->at] != '\n') in->at++;
    else break;
  }
}

static bool norn_accept(norn_input *in, char c) {
  norn_skip(in);
  if (in->at >= in->length || in->text[in->at] != c) return false;
  in->at++;
  return true;
}

// The elements of an array that is being read.
typedef struct {
  char *data;
  i64 count, room;
} norn_elements;

static void norn_push(norn_elements *elements, const void *bits, int bytes) {
  if (elements->count == elements->room) {
    elements->room = elements->room ? 2 * elements->room : 256;
    char *larger = realloc(elements->data, (size_t)(elements->room * bytes));
    if (!larger) norn_quit("there is no memory for an array");
    elements->data = larger;
  }
  memcpy(elements->data + elements->count++ * bytes, bits, (size_t)bytes);
}

// Half of a float, rounded to the nearest, and back.
static uint16_t norn_half_bits(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double x = fabs(value);
  if (isnan(x)) return 0x7e00;
  if (x >= 65520) return sign | 0x7c00;
  int exponent;
  frexp(x, &exponent);
  exponent = exponent - 1 < -14 ? -14 : exponent - 1;
  double units = nearbyint(ldexp(x, 10 - exponent));
  uint16_t bits = (uint16_t)(units < 1024 ? units : units - 1024 + (exponent + 15) * 1024.0);
  return sign | bits;
}

static double norn_half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double x = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
  return bits & 0x8000 ? -x : x;
}

static void norn_read_scalar(norn_input *in, int prim, void *out) {
  norn_skip(in);
  char word[512];
  size_t length = 0;
  while (in->at < in->length && length + 1 < sizeof word) {
    char c = in->text[in->at];
    if (!isalnum((unsigned char)c) && !strchr("+-._", c)) break;
    if (c != '_') word[length++] = c;
    in->at++;
  }
  word[length] = 0;
  const char *name = norn_prim_names[prim];
  size_t suffix = strlen(name);
  char original[sizeof word];
  strcpy(original, word);
  if (prim == NORN_BOOL) {
    bool value = !strcmp(word, "true");
    if (!value && strcmp(word, "false")) norn_quit("expected a value of type bool, found `%s`", word);
    memcpy(out, &value, 1);
    return;
  }
  bool negative = word[0] == '-';
  char *digits = word + (negative || word[0] == '+');
  // `f32.inf`, `f32.nan`
  if (!strncmp(digits, name, suffix) && digits[suffix] == '.') memmove(digits, digits + suffix + 1, strlen(digits + suffix + 1) + 1);
  else if (strlen(digits) > suffix && !strcmp(digits + strlen(digits) - suffix, name)) digits[strlen(digits) - suffix] = 0;
  char *end = digits;
  errno = 0;
  if (prim >= NORN_F16) {
    double value = strtod(digits, &end);
    if (*end || end == digits) norn_quit("expected a value of type %s, found `%s`", name, original);
    if (negative) value = -value;
    if (prim == NORN_F64) memcpy(out, &value, 8);
    if (prim == NORN_F32) {
      float single = strtof(digits, NULL);
      if (negative) single = -single;
      memcpy(out, &single, 4);
    }
    if (prim == NORN_F16) {
      uint16_t half = norn_half_bits(value);
      memcpy(out, &half, 2);
    }
    return;
  }
  int base = 10;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) base = 16, digits += 2;
  else if (digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B')) base = 2, digits += 2;
  unsigned long long value = strtoull(digits, &end, base);
  if (*end || end == digits || errno) norn_quit("expected a value of type %s, found `%s`", name, original);
  if (negative) value = -value;
  memcpy(out, &value, (size_t)norn_prim_bytes[prim]);
}

static void norn_read_text(norn_input *in, int prim, int rank, i64 *dims, int level, norn_elements *elements) {
  if (level == rank) {
    u64 word = 0;
    norn_read_scalar(in, prim, &word);
    norn_push(elements, &word, norn_prim_bytes[prim]);
    return;
  }
  norn_skip(in);
  // `empty([0][3]i32)`
  if (level == 0 && !strncmp(in->text + in->at, "empty(", 6)) {
    in->at += 6;
    for (int i = 0; i < rank; i++) {
      if (!norn_accept(in, '[')) norn_quit("expected the sizes of an empty array of %d dimensions", rank);
      dims[i] = strtoll(in->text + in->at, NULL, 10);
      while (in->at < in->length && in->text[in->at] != ']') in->at++;
      in->at++;
    }
    while (in->at < in->length && in->text[in->at] != ')') in->at++;
    in->at++;
    return;
  }
  if (prim == NORN_U8 && level == rank - 1 && norn_accept(in, '"')) {
    i64 count = 0;
    for (; in->at < in->length && in->text[in->at] != '"'; in->at++, count++) norn_push(elements, in->text + in->at, 1);
    in->at++;
    if (dims[level] >= 0 && dims[level] != count) norn_quit("the rows of an array have different lengths");
    dims[level] = count;
    return;
  }
  if (!norn_accept(in, '[')) norn_quit("expected an array of %d dimensions of type %s", rank, norn_prim_names[prim]);
  i64 count = 0;
  if (!norn_accept(in, ']')) {
    do {
      norn_read_text(in, prim, rank, dims, level + 1, elements);
      count++;
    } while (norn_accept(in, ','));
    if (!norn_accept(in, ']')) norn_quit("expected `]` or `,` in an array");
  }
  if (dims[level] >= 0 && dims[level] != count) norn_quit("the rows of an array have different lengths");
  dims[level] = count;
}

// The next value: in binary if it begins with a `b` and a version.
static norn_column norn_read_value(struct futhark_context *context, norn_input *in, norn_plain plain) {
  int prim = plain.prim, rank = plain.rank, bytes = norn_prim_bytes[prim];
  norn_column column;
  memset(&column, 0, sizeof column);
  norn_elements elements = {NULL, 0, 0};
  const char *data;
  norn_skip(in);
  if (in->at + 7 <= in->length && in->text[in->at] == 'b' && in->text[in->at + 1] == 2) {
    const char *head = in->text + in->at;
    if (head[2] != rank || memcmp(head + 3, norn_prim_codes[prim], 4))
      norn_quit("expected a value of type %s with %d dimensions, found %.4s with %d", norn_prim_names[prim], rank, head + 3, head[2]);
    in->at += 7;
    i64 count = 1;
    for (int i = 0; i < rank; i++, in->at += 8) {
      if (in->at + 8 > in->length) norn_quit("the input ends in a value");
      memcpy(&column.dims[i], in->text + in->at, 8);
      if (column.dims[i] < 0 || __builtin_mul_overflow(count, column.dims[i], &count)) norn_quit("a size is too large");
    }
    if (count > (i64)(in->length - in->at) / bytes) norn_quit("the input ends in a value");
    data = in->text + in->at;
    in->at += (size_t)(count * bytes);
    elements.count = count;
  } else {
    for (int i = 0; i < rank; i++) column.dims[i] = -1;
    norn_read_text(in, prim, rank, column.dims, 0, &elements);
    for (int i = 0; i < rank; i++)
      if (column.dims[i] < 0) column.dims[i] = 0;
    data = elements.data;
  }
  if (!rank) {
    memcpy(&column.word, data, (size_t)bytes);
  } else {
    const norn_part from = {(char *)data, NULL, false};
    if (norn_part_copy(context, column.part, NORN_HAS_DEVICE, &from, elements.count * bytes)) norn_quit("%s", context->error);
  }
  free(elements.data);
  return column;
}

static void norn_write_float(double value, int digits, const char *name) {
  if (isnan(value)) {
    printf("%s.nan", name);
  } else if (isinf(value)) {
    printf("%s%s.inf", value < 0 ? "-" : "", name);
  } else {
    char text[64];
    // As few digits as lead back to it.
    for (int i = 1; i <= digits; i++) {
      snprintf(text, sizeof text, "%.*g", i, value);
      if (digits == 9 ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
    }
    printf("%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", name);
  }
}

static void norn_write_scalar(int prim, const void *bits) {
  u64 word = 0;
  memcpy(&word, bits, (size_t)norn_prim_bytes[prim]);
  float single;
  double real;
  memcpy(&single, bits, prim == NORN_F32 ? 4 : 0);
  memcpy(&real, bits, prim == NORN_F64 ? 8 : 0);
  char digits[48];
  switch (prim) {
    case NORN_BOOL: fputs(word & 255 ? "true" : "false", stdout); break;
    case NORN_F16: norn_write_float(norn_half_value((uint16_t)word), 5, "f16"); break;
    case NORN_F32: norn_write_float(single, 9, "f32"); break;
    case NORN_F64: norn_write_float(real, 17, "f64"); break;
    default:
      norn_show_integer(digits, norn_integer(prim, word));
      printf("%s%s", digits, norn_prim_names[prim]);
  }
}

static const char *norn_write_rows(const norn_column *column, int prim, int rank, int level, const char *data) {
  if (level == rank) {
    norn_write_scalar(prim, data);
    return data + norn_prim_bytes[prim];
  }
  putchar('[');
  for (i64 i = 0; i < column->dims[level]; i++) {
    if (i) fputs(", ", stdout);
    data = norn_write_rows(column, prim, rank, level + 1, data);
  }
  putchar(']');
  return data;
}

static void norn_write_value(struct futhark_context *context, const norn_column *column, norn_plain plain, bool binary) {
  int prim = plain.prim, rank = plain.rank;
  i64 count = norn_count(column, rank), bytes = count * norn_prim_bytes[prim];
  const char *data = rank ? column->part[0].data : (const char *)&column->word;
  char *copy = NULL;
  if (rank && column->part[0].remote) {
    data = copy = malloc((size_t)bytes + 1);
    if (!copy || norn_part_read(context, column->part, 0, copy, bytes)) norn_quit("%s", context->error ? context->error : "there is no memory for a result");
  }
  if (binary) {
    printf("b%c%c%.4s", 2, rank, norn_prim_codes[prim]);
    fwrite(column->dims, 8, (size_t)rank, stdout);
    fwrite(data, (size_t)norn_prim_bytes[prim], (size_t)count, stdout);
    free(copy);
    return;
  }
  if (rank && !count) {
    fputs("empty(", stdout);
    for (int i = 0; i < rank; i++) printf("[%lld]", (long long)column->dims[i]);
    printf("%s)", norn_prim_names[prim]);
  } else {
    norn_write_rows(column, prim, rank, 0, data);
  }
  putchar('\n');
  free(copy);
}

static void norn_usage(const char *program) {
  printf("Usage: %s [-e ENTRY] [-b] [-r RUNS] [-t FILE] [--threads N]\n\n"
         "Reads the arguments of an entry point from standard input and writes its result to standard output.\n\n"
         "  -e, --entry-point ENTRY  the entry point; `main` if there is one\n"
         "  -b, --binary-output      write the result in binary\n"
         "  -r, --runs RUNS          call it so many times\n"
         "  -t, --write-runtime-to FILE  write the microseconds of each call\n"
         "      --threads N          use so many threads\n"
         "%s",
         program,
         NORN_HAS_DEVICE ? "  -d, --device DEVICE      use the first device whose name has this in it, or the one with a number, as #1\n"
                           "      --cache-file FILE    keep compiled kernels in this file\n"
                         : "");
}

// The number of an entry point, or -1. Not inlined: GCC 12 with -O3 takes names to differ from all that are not as long as "main".
static __attribute__((noinline)) int norn_find_entry(const norn_entry_point *entries, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(entries[i].name, name)) return i;
  return -1;
}

static int norn_main(int argc, char **argv, const norn_entry_point *entries, const norn_signature *signatures, int count) {
  const char *name = NULL, *times = NULL;
  bool binary = false;
  int runs = 1;
  struct futhark_context_config *config = futhark_context_config_new();
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    bool takes = true;
    if (!strcmp(option, "-h") || !strcmp(option, "--help")) return norn_usage(argv[0]), 0;
    if (!strcmp(option, "-b") || !strcmp(option, "--binary-output")) binary = true, takes = false;
    else if (!value) norn_quit("the option `%s` is unknown, or needs a value", option);
    else if (!strcmp(option, "-e") || !strcmp(option, "--entry-point")) name = value;
    else if (!strcmp(option, "-r") || !strcmp(option, "--runs")) runs = atoi(value);
    else if (!strcmp(option, "-t") || !strcmp(option, "--write-runtime-to")) times = value;
    else if (!strcmp(option, "--threads")) futhark_context_config_set_num_threads(config, atoi(value));
    else if (NORN_HAS_DEVICE && (!strcmp(option, "-d") || !strcmp(option, "--device"))) norn_set_text(&config->device, value);
    else if (NORN_HAS_DEVICE && !strcmp(option, "--cache-file")) futhark_context_config_set_cache_file(config, value);
    else norn_quit("the option `%s` is unknown", option);
    i += takes;
  }
  int chosen = norn_find_entry(entries, count, name ? name : "main");
  if (chosen < 0 && count == 1 && !name) chosen = 0;
  if (chosen < 0) norn_quit("there is no entry point `%s`", name ? name : "main");
  const norn_signature *signature = &signatures[chosen];
  for (int i = 0; i < signature->params; i++)
    if (signature->param[i].rank < 0) norn_quit("the parameter %s is of a type whose values only programs can make", entries[chosen].param[i].name);

  struct futhark_context *context = futhark_context_new(config);
  if (!context) norn_quit("there is no memory for a context");
  if (context->error) norn_quit("%s", context->error);
  norn_input in = norn_read_all(stdin);
  norn_column *args = calloc((size_t)signature->params + 1, sizeof *args);
  norn_column *results = calloc((size_t)entries[chosen].result_columns + 1, sizeof *results);
  if (!args || !results) norn_quit("there is no memory for a call");
  for (int i = 0; i < signature->params; i++) args[i] = norn_read_value(context, &in, signature->param[i]);
  norn_skip(&in);
  if (in.at < in.length) norn_quit("there is more than the %d arguments", signature->params);
  free(in.text);

  FILE *log = times ? fopen(times, "w") : NULL;
  if (times && !log) norn_quit("`%s` cannot be written", times);
  static const norn_column_type any = {0, 1, {0}};
  for (int run = 0; run < runs; run++) {
    norn_column *given = args;
    // What is consumed is needed again.
    for (int i = 0; i < signature->params; i++)
      if (signature->param[i].rank) norn_column_retain(&any, &given[i]);
    i64 begin = norn_host_now();
    int code = norn_call(context, &entries[chosen], given, signature->params, results);
    if (!code) code = futhark_context_sync(context);
    if (log) fprintf(log, "%lld\n", (long long)(norn_host_now() - begin) / 1000);
    for (int i = 0; i < signature->params; i++)
      if (signature->param[i].rank) norn_column_drop(context, &any, &given[i]);
    if (code) {
      fprintf(stderr, "error: %s\n", context->error ? context->error : "The program failed.");
      return 2;
    }
    int column = 0;
    for (int i = 0; i < signature->results; i++) {
      if (run + 1 == runs && signature->result[i].rank >= 0) norn_write_value(context, &results[column], signature->result[i], binary);
      else if (run + 1 == runs) puts("#<opaque>");
      column += signature->result[i].columns;
    }
    for (int i = 0; i < entries[chosen].result_columns; i++) {
      norn_column_type type = norn_slot_type(&entries[chosen].ret[entries[chosen].rets - entries[chosen].result_columns + i]);
      norn_column_drop(context, &type, &results[i]);
    }
  }
  if (log) fclose(log);
  for (int i = 0; i < signature->params; i++)
    if (signature->param[i].rank) norn_column_drop(context, &any, &args[i]);
  free(args);
  free(results);
  futhark_context_free(context);
  futhark_context_config_free(config);
  return fflush(stdout) || ferror(stdout) ? 3 : 0;
}

#endif
