// Compiled kernels in a file that the user names (`futhark_context_config_set_cache_file`): what identifies them, and their code. And code of the user's own, in a file of its own.
#ifndef NORN_CACHE_H
#define NORN_CACHE_H

#define NORN_CACHED "norn kernels 1\n"

// A text in memory of its own; null if there is none.
__attribute__((format(printf, 1, 2))) static char *norn_text(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = norn_text_of(format, args);
  va_end(args);
  return text;
}

// FNV-1a
static u64 norn_hash(u64 hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return (hash ^ 255) * 0x100000001b3;
}

// What stands in front of code that was compiled of a text for a device. Two hashes of different seeds are as good as one of twice the length.
typedef struct {
  char magic[sizeof NORN_CACHED];
  u64 key[2], length;
} norn_cache_head;

static norn_cache_head norn_cache_head_of(const char *text, const char *identity, bool wide, size_t length) {
  norn_cache_head head;
  memset(&head, 0, sizeof head);
  memcpy(head.magic, NORN_CACHED, sizeof NORN_CACHED);
  for (int i = 0; i < 2; i++) head.key[i] = norn_hash(norn_hash(0xcbf29ce484222325 + (u64)i + 2 * wide, text), identity);
  head.length = length;
  return head;
}

// The code, if the file has it; null otherwise.
static unsigned char *norn_cache_read(struct futhark_context *context, const char *text, const char *identity, bool wide, size_t *length) {
  const char *name = context->config->cache_file;
  FILE *file = name ? fopen(name, "rb") : NULL;
  if (!file) return NULL;
  norn_cache_head head, expected = norn_cache_head_of(text, identity, wide, 0);
  unsigned char *code = NULL;
  if (fread(&head, sizeof head, 1, file) == 1) {
    expected.length = head.length;
    if (!memcmp(&head, &expected, sizeof head) && head.length < (u64)1 << 32) code = malloc((size_t)head.length + 1);
    if (code && fread(code, 1, (size_t)head.length, file) != (size_t)head.length) free(code), code = NULL;
    if (code) code[head.length] = 0, *length = (size_t)head.length;
  }
  fclose(file);
  return code;
}

// Code that the user has, which is taken as it is; null if it cannot be read.
static unsigned char *norn_code_read(const char *name, size_t *length) {
  FILE *file = fopen(name, "rb");
  long bytes = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
  unsigned char *code = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
  if (code) rewind(file), *length = fread(code, 1, (size_t)bytes, file), code[*length] = 0;
  if (file) fclose(file);
  return code;
}

// Who cannot write it compiles again the next time. Nobody sees a file that is half written.
static void norn_cache_write(struct futhark_context *context, const char *text, const char *identity, bool wide, const void *code, size_t length) {
  if (!context->config->cache_file) return;
  char *name = norn_text("%s.%ld", context->config->cache_file, (long)getpid());
  FILE *file = name ? fopen(name, "wb") : NULL;
  if (file) {
    norn_cache_head head = norn_cache_head_of(text, identity, wide, length);
    bool written = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(code, 1, length, file) == length;
    written &= !fclose(file);
    if (!written || rename(name, context->config->cache_file)) remove(name);
  }
  free(name);
}

#endif
