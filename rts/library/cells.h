// Values of recursive types: what their cells look like, and cells that are copied, made and taken apart.
//
// A region belongs to the values whose columns hold it, and ends with the last of them. Cells never change, so that a region is lent to calls as it is, and a call may
// add cells to it: its result shares the region of its argument. What nobody needs any more stays in a region until it ends. So one that has
// grown to more than twice of what it was is not lent any more: a call gets copies of the cells that its arguments lead to, in a new region. Where the
// cells of several regions have to be in one, they are copied, too.
//
// The layout of a cell is described in crates/ir/src/imp: the number of the constructor, the columns, and the elements of arrays.
#ifndef NORN_CELLS_H
#define NORN_CELLS_H

// A column of a cell.
typedef struct {
  int at;           // its first byte
  bool has_length;  // of the first dimension
  norn_column_type type;
  i64 size[NORN_RANK];  // of each dimension that always has the same
} norn_field;

typedef struct {
  int words, fields;  // words without the elements of arrays
  const norn_field *field;
} norn_constr;

typedef struct norn_recursive {
  int constrs;
  const norn_constr *constr;
} norn_recursive;

// A part of an array in a cell: so many bytes, behind others that the array does not have.
typedef struct {
  const char *from;
  i64 bytes, before;
} norn_span;

static i64 norn_whole_words(i64 bytes) { return (bytes + 7) / 8; }

// The parts of an array in a cell, from the outside.
static int norn_spans(const norn_field *field, const char *cell, norn_span *span) {
  static const i64 nothing[1];
  const u64 *word = (const u64 *)(cell + field->at);
  i64 rows = field->has_length ? (i64)*word++ : field->size[0], start = 0;
  int part = 0;
  for (int i = 1; i < field->type.rank; i++) {
    if (!field->type.irregular[i]) {
      start *= field->size[i];
      rows *= field->size[i];
      continue;
    }
    const i64 *offset = rows ? (const i64 *)((u64)cell + *word) + start : nothing;
    word++;
    span[part++] = (norn_span){(const char *)offset, 8 * (rows + 1), rows ? 8 * start : 0};
    start = offset[0];
    rows = offset[rows] - start;
  }
  i64 bytes = norn_prim_bytes[field->type.prim];
  span[part] = (norn_span){(const char *)((u64)cell + *word + (u64)(start * bytes)), rows * bytes, start * bytes};
  return part + 1;
}

static const norn_constr *norn_cell_constr(const norn_recursive *data, const char *cell) { return &data->constr[*(const u32 *)cell]; }

static i64 norn_cell_words(const norn_constr *constr, const char *cell) {
  i64 words = constr->words;
  for (int i = 0; i < constr->fields; i++) {
    norn_span span[NORN_RANK + 1];
    int parts = constr->field[i].type.rank ? norn_spans(&constr->field[i], cell, span) : 0;
    for (int part = 0; part < parts; part++) words += norn_whole_words(span[part].bytes);
  }
  return words;
}

// A region whose cells are copied, and the number that each has in the other region, or 0.
typedef struct {
  norn_region *from;
  u32 *moved;
} norn_source;

// A cell that has a place in the other region, but no content yet.
typedef struct {
  const norn_recursive *data;
  u32 old, new;
} norn_pending;

// Cells that are needed in one region.
typedef struct {
  struct futhark_context *context;
  norn_region *to;
  bool made;  // not one of those in which the cells were
  norn_source *source;
  norn_pending *pending;
  int sources, code;
  i64 pendings, room;
} norn_moving;

// The regions of several columns: one of them, and whether there are others.
typedef struct {
  norn_region *one;
  bool others;
} norn_regions;

static void norn_add_region(norn_regions *regions, norn_region *region) {
  if (!region || region == regions->one) return;
  regions->others |= regions->one != NULL;
  regions->one = region;
}

// Cells of these regions will be in one: their own, if they have one that is not full, or a new one. It is held by the caller.
static int norn_moving_begin(struct futhark_context *context, norn_moving *moving, const norn_regions *regions) {
  memset(moving, 0, sizeof *moving);
  moving->context = context;
  norn_region *one = regions->others ? NULL : regions->one;
  moving->made = !one || one->next > one->reserved[NORN_REGION_FULL];
  moving->to = moving->made ? norn_host_region_new(&context->thread->worker) : one;
  if (!moving->made) norn_region_retain(one);
  return moving->to ? 0 : norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a region.");
}

// Values may hold the region now.
static void norn_region_settle(struct futhark_context *context, norn_region *region, bool made) {
  norn_region_detach(context, region);
  if (made) region->reserved[NORN_REGION_FULL] = 2 * region->next + 4096;
}

static void norn_moving_end(norn_moving *moving) {
  for (int i = 0; i < moving->sources; i++) free(moving->source[i].moved);
  free(moving->source);
  free(moving->pending);
  moving->source = NULL;
  moving->pending = NULL;
  moving->sources = 0;
}

static u32 norn_no_room(norn_moving *moving) {
  moving->code = norn_error(moving->context, NORN_MEMORY_ERROR, "There is no memory for the cells of a value.");
  return 0;
}

static norn_source *norn_source_of(norn_moving *moving, norn_region *from) {
  for (int i = 0; i < moving->sources; i++)
    if (moving->source[i].from == from) return &moving->source[i];
  moving->code = norn_region_here(moving->context, from);
  norn_source *grown = moving->code ? NULL : realloc(moving->source, ((size_t)moving->sources + 1) * sizeof *grown);
  u32 *moved = grown ? calloc((size_t)from->next, sizeof *moved) : NULL;
  if (grown) moving->source = grown;
  if (!moved) {
    if (!moving->code) norn_no_room(moving);
    return NULL;
  }
  moving->source[moving->sources] = (norn_source){from, moved};
  return &moving->source[moving->sources++];
}

// The number that a cell has in the other region. It gets a place there if it has none.
static u32 norn_place_cell(norn_moving *moving, norn_source *source, const norn_recursive *data, u32 old) {
  if (!old || moving->code) return 0;
  if (source->moved[old]) return source->moved[old];
  const char *cell = (const char *)norn_cell(source->from, old);
  i64 words = norn_cell_words(norn_cell_constr(data, cell), cell);
  if (moving->pendings == moving->room) {
    i64 room = 2 * moving->room + 64;
    norn_pending *grown = realloc(moving->pending, (size_t)room * sizeof *grown);
    if (!grown) return norn_no_room(moving);
    moving->pending = grown;
    moving->room = room;
  }
  u32 new = norn_cell_new(&moving->context->thread->worker, moving->to, words);
  if (!new) return norn_no_room(moving);
  moving->pending[moving->pendings++] = (norn_pending){data, old, new};
  return source->moved[old] = new;
}

static void norn_place_cells(norn_moving *moving, norn_source *source, const norn_recursive *data, u32 *cells, i64 count) {
  for (i64 i = 0; i < count; i++) cells[i] = norn_place_cell(moving, source, data, cells[i]);
}

static void norn_copy_cell(norn_moving *moving, norn_source *source, norn_pending cell) {
  const char *from = (const char *)norn_cell(source->from, cell.old);
  char *to = (char *)norn_cell(moving->to, cell.new);
  const norn_constr *constr = norn_cell_constr(cell.data, from);
  i64 at = 8 * (i64)constr->words;
  memcpy(to, from, (size_t)at);
  for (int i = 0; i < constr->fields; i++) {
    const norn_field *field = &constr->field[i];
    if (!field->type.rank) {
      if (field->type.data) norn_place_cells(moving, source, field->type.data, (u32 *)(to + field->at), 1);
      continue;
    }
    norn_span span[NORN_RANK + 1];
    int parts = norn_spans(field, from, span);
    u64 *word = (u64 *)(to + field->at) + field->has_length;
    for (int part = 0; part < parts; part++) {
      if (span[part].bytes) memcpy(to + at, span[part].from, (size_t)span[part].bytes);
      word[part] = (u64)(at - span[part].before);
      if (part == parts - 1 && field->type.data)
        norn_place_cells(moving, source, field->type.data, (u32 *)(to + at), span[part].bytes / 4);
      at += 8 * norn_whole_words(span[part].bytes);
    }
  }
}

// Copies cells of a region with all that they lead to, unless they are in the right one already. Their new numbers are in the place of the old.
static int norn_move_cells(norn_moving *moving, norn_region *from, const norn_recursive *data, u32 *cells, i64 count) {
  if (!from || from == moving->to) return 0;
  norn_source *source = norn_source_of(moving, from);
  if (!source) return moving->code;
  norn_place_cells(moving, source, data, cells, count);
  while (moving->pendings && !moving->code) norn_copy_cell(moving, source, moving->pending[--moving->pendings]);
  return moving->code;
}

// The same for a column of this type. Of an array, the numbers are in memory of the host then, whose block `out` holds: the last one, and nothing else.
static int norn_move_column(norn_moving *moving, const norn_column_type *type, const norn_column *column, norn_column *out) {
  *out = *column;
  out->region = NULL;
  if (!type->rank) {
    u32 cell = (u32)column->word;
    int code = norn_move_cells(moving, column->region, type->data, &cell, 1);
    out->word = cell;
    return code;
  }
  int last = norn_parts(type) - 1;
  i64 bytes[NORN_RANK + 1];
  norn_part_bytes(moving->context, type, column, bytes);
  int code = norn_part_copy(moving->context, &out->part[last], false, &column->part[last], bytes[last]);
  if (code) {
    memset(out, 0, sizeof *out);
    return code;
  }
  return norn_move_cells(moving, column->region, type->data, (u32 *)out->part[last].data, bytes[last] / 4);
}

// The cell of a value of a recursive type, on the host; null if it cannot be read, which is an error of the context.
static const char *norn_cell_of(struct futhark_context *context, const void *opaque) {
  const norn_column *column = ((const norn_value *)opaque)->column;
  pthread_mutex_lock(&context->calls);
  int code = column->region ? norn_region_here(context, column->region) : NORN_ERROR;
  pthread_mutex_unlock(&context->calls);
  return code ? NULL : (const char *)norn_cell(column->region, (u32)column->word);
}

// The number of its constructor, or -1.
static int norn_cell_variant(struct futhark_context *context, const void *opaque) {
  const char *cell = norn_cell_of(context, opaque);
  return cell ? (int)*(const u32 *)cell : -1;
}

static void norn_drop_columns(struct futhark_context *context, const norn_constr *constr, norn_column *columns, int count) {
  for (int i = 0; i < count; i++) norn_column_drop(context, &constr->field[i].type, &columns[i]);
}

// The columns of a cell with this constructor. Arrays stay where they are in the region.
static int norn_cell_take(struct futhark_context *context, const void *opaque, int number, norn_column *out) {
  const norn_column *column = ((const norn_value *)opaque)->column;
  const char *cell = norn_cell_of(context, opaque);
  if (!cell) return NORN_ERROR;
  if (*(const u32 *)cell != (u32)number)
    return norn_other_constr(context, opaque);
  const norn_constr *constr = &((const norn_value *)opaque)->type->column->data->constr[number];
  for (int i = 0; i < constr->fields; i++) {
    const norn_field *field = &constr->field[i];
    memset(&out[i], 0, sizeof out[i]);
    if (field->type.data) out[i].region = column->region;
    if (field->type.rank) {
      const u64 *word = (const u64 *)(cell + field->at);
      for (int d = 0; d < field->type.rank; d++) out[i].dims[d] = field->type.irregular[d] ? -1 : field->size[d];
      if (field->has_length) out[i].dims[0] = (i64)*word++;
      for (int part = 0; part < norn_parts(&field->type); part++)
        out[i].part[part] = (norn_part){(char *)((u64)cell + word[part]), norn_cell_block(column->region, (u32)column->word), false};
    } else {
      memcpy(&out[i].word, cell + field->at, (size_t)norn_prim_bytes[field->type.prim]);
    }
    norn_column_retain(&field->type, &out[i]);
    int code = field->type.rank ? norn_begin_at(context, &field->type, &out[i], 0) : 0;
    if (!code) continue;
    norn_drop_columns(context, constr, out, i + 1);
    return code;
  }
  return 0;
}

// Writes the columns of a new cell.
static int norn_cell_fill(norn_moving *moving, const norn_constr *constr, const norn_column *in, i64 (*bytes)[NORN_RANK + 1], char *cell) {
  int code = 0;
  i64 at = 8 * (i64)constr->words;
  for (int i = 0; i < constr->fields && !code; i++) {
    const norn_field *field = &constr->field[i];
    if (!field->type.rank) {
      memcpy(cell + field->at, &in[i].word, (size_t)norn_prim_bytes[field->type.prim]);
      if (field->type.data) code = norn_move_cells(moving, in[i].region, field->type.data, (u32 *)(cell + field->at), 1);
      continue;
    }
    u64 *word = (u64 *)(cell + field->at);
    if (field->has_length) *word++ = (u64)in[i].dims[0];
    int parts = norn_parts(&field->type);
    for (int part = 0; part < parts && !code; part++) {
      i64 size = bytes[i][part];
      word[part] = (u64)at;
      code = norn_part_read(moving->context, &in[i].part[part], 0, cell + at, size);
      if (!code && part == parts - 1 && field->type.data)
        code = norn_move_cells(moving, in[i].region, field->type.data, (u32 *)(cell + at), size / 4);
      at += 8 * norn_whole_words(size);
    }
  }
  return code;
}

// A value of a recursive type: a new cell with this constructor and these columns. Null if there is no memory, which is an error of the context.
static norn_value *norn_cell_value(struct futhark_context *context, const norn_type *type, int number, const norn_column *in) {
  const norn_constr *constr = &type->column->data->constr[number];
  i64 (*bytes)[NORN_RANK + 1] = calloc((size_t)constr->fields + 1, sizeof *bytes), words = constr->words;
  if (!bytes) norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a value of type %s.", type->name);
  if (!bytes) return NULL;
  norn_regions regions = {0};
  for (int i = 0; i < constr->fields; i++) {
    const norn_field *field = &constr->field[i];
    if (field->type.data) norn_add_region(&regions, in[i].region);
    if (field->type.rank) norn_part_bytes(context, &field->type, &in[i], bytes[i]);
    for (int part = 0; part < norn_parts(&field->type); part++) words += norn_whole_words(bytes[i][part]);
  }
  norn_column column;
  memset(&column, 0, sizeof column);
  norn_moving moving;
  pthread_mutex_lock(&context->calls);
  int code = norn_moving_begin(context, &moving, &regions);
  if (!code) {
    u32 made = norn_cell_new(&context->thread->worker, moving.to, words);
    if (made) {
      char *cell = (char *)norn_cell(moving.to, made);
      memset(cell, 0, 8 * (size_t)constr->words);
      *(u32 *)cell = (u32)number;
      code = norn_cell_fill(&moving, constr, in, bytes, cell);
    } else {
      norn_no_room(&moving);
      code = NORN_MEMORY_ERROR;
    }
    norn_moving_end(&moving);
    norn_region_settle(context, moving.to, moving.made);
    column.word = made;
    column.region = moving.to;
  }
  pthread_mutex_unlock(&context->calls);
  free(bytes);
  if (!code) return norn_value_with(context, type, &column);
  norn_column_drop(context, type->column, &column);
  return NULL;
}

#endif
