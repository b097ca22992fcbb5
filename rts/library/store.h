// Values as bytes, and back. What is written is for the same program alone: the name of the type, then each column, its dimensions and its
// parts with their lengths.
#ifndef NORN_STORE_H
#define NORN_STORE_H

#define NORN_STORED "norn1"

static char *norn_put(char *to, const void *from, size_t bytes) {
  if (to && bytes) memcpy(to, from, bytes);
  return to ? to + bytes : NULL;
}

// Writes a value, if there is a place for it; how many bytes that takes.
static size_t norn_write(struct futhark_context *context, const norn_value *value, char *to) {
  const norn_type *type = value->type;
  size_t all = sizeof NORN_STORED + strlen(type->name) + 1;
  to = norn_put(to, NORN_STORED, sizeof NORN_STORED);
  to = norn_put(to, type->name, strlen(type->name) + 1);
  for (int c = 0; c < type->columns; c++) {
    const norn_column *column = &value->column[c];
    i64 bytes[NORN_RANK + 1];
    norn_part_bytes(context, &type->column[c], column, bytes);
    to = norn_put(to, &column->word, 8);
    to = norn_put(to, column->dims, (size_t)type->column[c].rank * 8);
    all += 8 + (size_t)type->column[c].rank * 8;
    for (int part = 0; part < norn_parts(&type->column[c]); part++) {
      to = norn_put(to, &bytes[part], 8);
      if (to && !norn_part_read(context, &column->part[part], 0, to, bytes[part])) to += bytes[part];
      all += 8 + (size_t)bytes[part];
    }
  }
  return all;
}

static int norn_store(struct futhark_context *context, const void *opaque, void **p, size_t *n) {
  size_t bytes = norn_write(context, opaque, NULL);
  if (n) *n = bytes;
  if (!p) return 0;
  if (!*p) *p = malloc(bytes);
  if (!*p) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for %zu bytes.", bytes);
  norn_write(context, opaque, *p);
  return context->error ? NORN_ERROR : 0;
}

static void *norn_restore(struct futhark_context *context, const norn_type *type, const void *p) {
  const char *from = p;
  if (memcmp(from, NORN_STORED, sizeof NORN_STORED) || strcmp(from + sizeof NORN_STORED, type->name)) {
    norn_error(context, NORN_PROGRAM_ERROR, "These are not the bytes of a value of type %s.", type->name);
    return NULL;
  }
  from += sizeof NORN_STORED + strlen(type->name) + 1;
  norn_value *value = norn_value_new(context, type);
  for (int c = 0; value && c < type->columns; c++) {
    norn_column *column = &value->column[c];
    memcpy(&column->word, from, 8);
    from += 8;
    memcpy(column->dims, from, (size_t)type->column[c].rank * 8);
    from += (size_t)type->column[c].rank * 8;
    for (int part = 0; part < norn_parts(&type->column[c]); part++) {
      i64 bytes;
      memcpy(&bytes, from, 8);
      const norn_part stored = {(char *)from + 8, NULL, false};
      if (norn_part_copy(context, &column->part[part], NORN_HAS_DEVICE, &stored, bytes)) {
        norn_value_free(context, value);
        return NULL;
      }
      from += 8 + bytes;
    }
  }
  return value;
}

#endif
