// Values as bytes, and back. What is written is for the same program alone: the name of the type, three words by which other bytes are told from these, then each column, its
// dimensions and its parts with their lengths. Where there are cells, a region with those that the value leads to comes before the columns.
//
// Bytes come from files and networks, and nobody passes how many there are. So the words are a checksum of the length, the length of all that follows, and a checksum of that. Both
// checksums begin with the layout of the type: what another version of the program has stored, whose type is called the same but is not, is refused, too.
#ifndef NORN_STORE_H
#define NORN_STORE_H

#define NORN_STORED "norn2"
#define NORN_STORED_WORDS 3

static u64 norn_checksum(u64 sum, const char *from, size_t bytes) {
  for (u64 word = 0; bytes; word = 0) {
    size_t count = bytes < 8 ? bytes : 8;
    memcpy(&word, from, count);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
    from += count;
    bytes -= count;
  }
  return sum;
}

static size_t norn_head_bytes(const norn_type *type) { return sizeof NORN_STORED + strlen(type->name) + 1 + NORN_STORED_WORDS * sizeof(u64); }

static char *norn_put(char *to, const void *from, size_t bytes) {
  if (to && bytes) memcpy(to, from, bytes);
  return to ? to + bytes : NULL;
}

static bool norn_has_cells(const norn_type *type) {
  bool has = false;
  for (int c = 0; c < type->columns; c++) has |= type->column[c].data != NULL;
  return has;
}

// The region of the first column with cells, or null.
static norn_region *norn_region_of(const norn_value *value) {
  for (int c = 0; c < value->type->columns; c++)
    if (value->type->column[c].data) return value->column[c].region;
  return NULL;
}

// How many words of a region are in the chunks before this one.
static i64 norn_words_before(int chunk) { return ((i64)NORN_FIRST_CHUNK << chunk) - NORN_FIRST_CHUNK; }

// The same value with all its cells, and no others, in one region. Null if there is no memory, which is an error of the context.
static norn_value *norn_compact(struct futhark_context *context, const norn_value *value) {
  const norn_type *type = value->type;
  norn_value *compact = norn_value_new(context, type);
  if (!compact) return NULL;
  norn_moving moving;
  const norn_regions none = {0};
  pthread_mutex_lock(&context->calls);
  int code = norn_moving_begin(context, &moving, &none);
  for (int c = 0; c < type->columns && !code; c++) {
    norn_column *column = &compact->column[c];
    if (type->column[c].data) {
      code = norn_move_column(&moving, &type->column[c], &value->column[c], column);
      column->region = moving.to;
      norn_region_retain(moving.to);
      for (int part = 0; part < norn_parts(&type->column[c]) - 1; part++) norn_block_retain(column->part[part].block);
    } else {
      *column = value->column[c];
      norn_column_retain(&type->column[c], column);
    }
  }
  norn_moving_end(&moving);
  if (moving.to) norn_region_settle(context, moving.to, true);
  norn_region_drop(context, moving.to);
  pthread_mutex_unlock(&context->calls);
  if (!code) return compact;
  norn_value_free(context, compact);
  return NULL;
}

// The region that was written; how many bytes that took.
static norn_region *norn_read_region(struct futhark_context *context, const char *from, size_t *bytes) {
  const norn_regions none = {0};
  norn_moving moving;
  i64 next;
  memcpy(&next, from, 8);
  from += 8;
  *bytes = 8 + 8 * (size_t)next;
  pthread_mutex_lock(&context->calls);
  int code = norn_moving_begin(context, &moving, &none);
  for (i64 at = 0, end; !code && at < next; at = end) {
    int chunk = norn_chunk_of(at);
    end = norn_words_before(chunk + 1) < next ? norn_words_before(chunk + 1) : next;
    if (norn_host_region_grow(&context->thread->worker, moving.to, chunk))
      code = norn_error(context, NORN_MEMORY_ERROR, "There is no memory for the cells of a value.");
    else memcpy(norn_cell(moving.to, (u32)at), from + 8 * at, 8 * (size_t)(end - at));
  }
  if (moving.to) {
    moving.to->next = next;
    norn_region_settle(context, moving.to, true);
    if (code) norn_region_drop(context, moving.to);
  }
  pthread_mutex_unlock(&context->calls);
  return code ? NULL : moving.to;
}

// Writes the columns of a value, if there is a place for them; how many bytes that takes.
static size_t norn_write(struct futhark_context *context, const norn_value *value, char *to) {
  const norn_type *type = value->type;
  size_t all = 0;
  if (norn_region_of(value)) {
    const norn_region *region = norn_region_of(value);
    to = norn_put(to, &region->next, 8);
    all += 8 + 8 * (size_t)region->next;
    for (i64 from = 0, end; to && from < region->next; from = end) {
      int chunk = norn_chunk_of(from);
      end = norn_words_before(chunk + 1) < region->next ? norn_words_before(chunk + 1) : region->next;
      if (region->base[chunk]) memcpy(to, norn_cell(region, (u32)from), 8 * (size_t)(end - from));
      else memset(to, 0, 8 * (size_t)(end - from));
      to += 8 * (end - from);
    }
  }
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

// Writes what stands before the columns, which are there already.
static void norn_write_head(const norn_type *type, char *to, u64 bytes) {
  const char *columns = to + norn_head_bytes(type);
  const u64 word[NORN_STORED_WORDS] = {norn_checksum(type->layout, (const char *)&bytes, 8), bytes, norn_checksum(type->layout, columns, bytes)};
  to = norn_put(to, NORN_STORED, sizeof NORN_STORED);
  to = norn_put(to, type->name, strlen(type->name) + 1);
  norn_put(to, word, sizeof word);
}

// Whether the bytes are those of a value of this type.
static bool norn_is_stored(const norn_type *type, const char *from) {
  u64 word[NORN_STORED_WORDS];
  if (strncmp(from, NORN_STORED, sizeof NORN_STORED) || strcmp(from + sizeof NORN_STORED, type->name)) return false;
  const char *columns = from + norn_head_bytes(type);
  memcpy(word, columns - sizeof word, sizeof word);
  return word[0] == norn_checksum(type->layout, (const char *)&word[1], 8) && word[2] == norn_checksum(type->layout, columns, word[1]);
}

static int norn_store(struct futhark_context *context, const void *opaque, void **p, size_t *n) {
  norn_value *compact = norn_has_cells(((const norn_value *)opaque)->type) ? norn_compact(context, opaque) : NULL;
  const norn_value *value = compact ? compact : opaque;
  if (norn_has_cells(value->type) && !compact) return NORN_MEMORY_ERROR;
  size_t head = norn_head_bytes(value->type), columns = norn_write(context, value, NULL), bytes = head + columns;
  if (n) *n = bytes;
  if (p && !*p) *p = malloc(bytes);
  if (p && *p) {
    norn_write(context, value, (char *)*p + head);
    norn_write_head(value->type, *p, columns);
  }
  norn_value_free(context, compact);
  if (p && !*p) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for %zu bytes.", bytes);
  return p && context->error ? NORN_ERROR : 0;
}

static void *norn_restore(struct futhark_context *context, const norn_type *type, const void *p) {
  const char *from = p;
  if (!norn_is_stored(type, from)) {
    norn_error(context, NORN_PROGRAM_ERROR, "These are not the bytes of a value of type %s.", type->name);
    return NULL;
  }
  from += norn_head_bytes(type);
  norn_region *region = NULL;
  if (norn_has_cells(type)) {
    size_t bytes;
    region = norn_read_region(context, from, &bytes);
    if (!region) return NULL;
    from += bytes;
  }
  norn_value *value = norn_value_new(context, type);
  for (int c = 0; value && c < type->columns; c++) {
    norn_column *column = &value->column[c];
    if (type->column[c].data) {
      column->region = region;
      norn_region_retain(region);
    }
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
        norn_region_drop(context, region);
        return NULL;
      }
      from += 8 + bytes;
    }
  }
  norn_region_drop(context, region);
  return value;
}

#endif
