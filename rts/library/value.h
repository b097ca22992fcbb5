// Values of a library's interface: columns, by the rules of crates/ir/src/skeleton/iface.rs.
//
// A scalar is a word. An array is its dimensions, and a part for the offsets of each irregular dimension and one for the elements, in row-major
// order. A part is memory and the block that it is in; none if the memory is the caller's. Where there is a device, parts are there, but for what the
// processor has computed. Nobody writes to a value but who consumes it, so that values share blocks: records and their fields, rows and their arrays.
//
// A value of a recursive type is a word, the number of a cell, and an array of such has these numbers as elements. The column holds the region of the
// cells; cells.h copies them from one region to another.
#ifndef NORN_VALUE_H
#define NORN_VALUE_H

#define NORN_RANK 8  // the most dimensions of an array

typedef struct {
  unsigned char prim, rank;
  // Of each dimension, whether rows have different lengths.
  unsigned char irregular[NORN_RANK];
  // What the cells are of that it has the numbers of, or null.
  const struct norn_recursive *data;
} norn_column_type;

typedef struct {
  const char *name;
  int columns;
  const norn_column_type *column;
  int rank;    // of an array of values, how many dimensions are its own
  u64 layout;  // a hash of what its columns are, and the cells that they have the numbers of
} norn_type;

typedef struct {
  char *data;  // an address of the device, if it is remote
  norn_block *block;
  bool remote;
} norn_part;

typedef struct {
  u64 word;
  i64 dims[NORN_RANK];  // -1 where it is irregular
  norn_part part[NORN_RANK + 1];
  norn_region *region;  // where its cells are; null if there are none
} norn_column;

typedef struct {
  const norn_type *type;
  norn_column column[];
} norn_value;

// Whether a caller has given a value of this type.
__attribute__((noinline)) static bool norn_is_of(struct futhark_context *context, const void *opaque, const norn_type *type, const char *name) {
  if (!norn_is_given(context, opaque, name)) return false;
  const norn_type *found = ((const norn_value *)opaque)->type;
  if (found != type)
    norn_error(context, NORN_PROGRAM_ERROR, "The argument `%s` is a value of type %s, but one of type %s was expected.", name, found->name, type->name);
  return found == type;
}

__attribute__((noinline)) static int norn_other_constr(struct futhark_context *context, const void *opaque) {
  return norn_error(context, NORN_PROGRAM_ERROR, "The value of type %s has another constructor.", ((const norn_value *)opaque)->type->name);
}

static const int norn_prim_bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};

static int norn_parts(const norn_column_type *type) {
  int parts = type->rank ? 1 : 0;
  for (int i = 1; i < type->rank; i++) parts += type->irregular[i];
  return parts;
}

static void norn_column_retain(const norn_column_type *type, const norn_column *column) {
  for (int i = 0; i < norn_parts(type); i++)
    norn_block_retain(column->part[i].block);
  norn_region_retain(column->region);
}

static void norn_column_drop(struct futhark_context *context, const norn_column_type *type, norn_column *column) {
  for (int i = 0; i < norn_parts(type); i++) norn_block_drop(context, column->part[i].block);
  norn_region_drop(context, column->region);
}

// Copies bytes of a part, from so many behind its beginning on, to the host.
static int norn_part_read(struct futhark_context *context, const norn_part *part, i64 from, void *to, i64 bytes) {
  if (bytes <= 0) return 0;
  if (part->remote) return norn_remote_read(context, to, (u64)part->data + (u64)from, bytes);
  memcpy(to, part->data + from, (size_t)bytes);
  return 0;
}

// One of the offsets in a part; 0 if it cannot be read, which is an error of the context.
static i64 norn_offset(struct futhark_context *context, const norn_part *part, i64 index) {
  i64 offset = 0;
  return norn_part_read(context, part, 8 * index, &offset, 8) ? 0 : offset;
}

// A part with memory of its own, here or on the device.
static int norn_part_new(struct futhark_context *context, norn_part *part, bool remote, i64 bytes) {
  norn_block *block = norn_block_near(context, remote, bytes);
  if (!block) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array of %lld bytes.", (long long)bytes);
  *part = (norn_part){norn_block_data(block), block, remote};
  return 0;
}

// The same with a copy of another part, wherever that is.
static int norn_part_copy(struct futhark_context *context, norn_part *part, bool remote, const norn_part *from, i64 bytes) {
  norn_part copy;
  int code = norn_part_new(context, &copy, remote, bytes);
  if (code) return code;
  if (bytes > 0) {
    if (!remote) code = norn_part_read(context, from, 0, copy.data, bytes);
    else if (from->remote) code = norn_remote_copy(context, (u64)copy.data, (u64)from->data, bytes);
    else code = norn_remote_write(context, (u64)copy.data, from->data, bytes);
  }
  if (code) norn_block_drop(context, copy.block);
  else *part = copy;
  return code;
}

// A value without columns yet; null if there is no memory, which is an error of the context.
static norn_value *norn_value_new(struct futhark_context *context, const norn_type *type) {
  norn_value *value = calloc(1, sizeof *value + ((size_t)type->columns + 1) * sizeof *value->column);
  if (value) value->type = type;
  else norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a value of type %s.", type->name);
  return value;
}

// A value with these columns, which are shared.
static norn_value *norn_value_of(struct futhark_context *context, const norn_type *type, const norn_column *columns) {
  norn_value *value = norn_value_new(context, type);
  if (!value) return NULL;
  for (int i = 0; i < type->columns; i++) {
    value->column[i] = columns[i];
    norn_column_retain(&type->column[i], &columns[i]);
  }
  return value;
}

// A value that takes over these columns. They are dropped if there is no memory.
static norn_value *norn_value_with(struct futhark_context *context, const norn_type *type, norn_column *columns) {
  norn_value *value = norn_value_new(context, type);
  for (int i = 0; i < type->columns; i++) {
    if (value) value->column[i] = columns[i];
    else norn_column_drop(context, &type->column[i], &columns[i]);
  }
  return value;
}

static norn_column norn_scalar(const void *bits, size_t bytes) {
  norn_column column;
  memset(&column, 0, sizeof column);
  memcpy(&column.word, bits, bytes);
  return column;
}

// Columns of a type: zeros, and arrays without elements.
static void norn_nothing(const norn_type *type, norn_column *columns) {
  static i64 zero[1];
  memset(columns, 0, (size_t)type->columns * sizeof *columns);
  for (int i = 0; i < type->columns; i++)
    for (int part = 0; part < norn_parts(&type->column[i]); part++) columns[i].part[part].data = (char *)zero;
}

// Whether columns of an array of values have other sizes in its dimensions, which is an error.
static int norn_misfit(struct futhark_context *context, const norn_type *type, const norn_column *columns) {
  for (int c = 1; c < type->columns; c++)
    for (int i = 0; i < type->rank; i++)
      if (columns[c].dims[i] != columns[0].dims[i])
        return norn_error(context, NORN_PROGRAM_ERROR, "The arrays of a value of type %s have the sizes %lld and %lld.", type->name,
                          (long long)columns[0].dims[i], (long long)columns[c].dims[i]);
  return 0;
}

static int norn_value_free(struct futhark_context *context, void *opaque) {
  norn_value *value = opaque;
  if (!value) return 0;
  for (int i = 0; i < value->type->columns; i++) norn_column_drop(context, &value->type->column[i], &value->column[i]);
  free(value);
  return 0;
}

static i64 norn_count(const norn_column *column, int rank) {
  i64 count = 1;
  for (int i = 0; i < rank; i++) {
    if (column->dims[i] < 0 || __builtin_mul_overflow(count, column->dims[i], &count)) return -1;
  }
  return count;
}

// The bytes of each part of a column.
static void norn_part_bytes(struct futhark_context *context, const norn_column_type *type, const norn_column *column, i64 *bytes) {
  i64 count = 1;
  int part = 0;
  for (int i = 0; i < type->rank; i++) {
    if (i && type->irregular[i]) {
      bytes[part] = (count + 1) * 8;
      count = count ? norn_offset(context, &column->part[part], count) : 0;
      part++;
    } else {
      count *= column->dims[i];
    }
  }
  bytes[part] = type->rank ? count * norn_prim_bytes[type->prim] : 0;
}

// An array of scalars without its elements, and how many bytes these have at `data`.
static norn_value *norn_array_with(struct futhark_context *context, const norn_type *type, const void *data, const i64 *dims, i64 *all) {
  int rank = type->column->rank;
  norn_value *value = norn_value_new(context, type);
  if (!value) return NULL;
  norn_column *column = value->column;
  memcpy(column->dims, dims, (size_t)rank * sizeof *dims);
  i64 count = norn_count(column, rank), bytes = -1;
  for (int i = 0; i < rank; i++)
    if (dims[i] < 0) count = -1;
  if (count >= 0 && __builtin_mul_overflow(count, (i64)norn_prim_bytes[type->column->prim], &bytes)) bytes = -1;
  if (bytes < 0) {
    norn_error(context, NORN_PROGRAM_ERROR, "An array of type %s has a dimension that is negative or too large.", type->name);
    free(value);
    return NULL;
  }
  if (bytes && !norn_is_given(context, data, "data")) {
    free(value);
    return NULL;
  }
  *all = bytes;
  return value;
}

// An array of scalars with a copy of the data, on the device if there is one.
static norn_value *norn_array_new(struct futhark_context *context, const norn_type *type, const void *data, const i64 *dims) {
  i64 bytes = 0;
  norn_value *value = norn_array_with(context, type, data, dims, &bytes);
  const norn_part from = {(char *)data, NULL, false};
  if (!value || !norn_part_copy(context, value->column->part, NORN_HAS_DEVICE, &from, bytes)) return value;
  free(value);
  return NULL;
}

// An array of scalars that are where they are.
static norn_value *norn_array_raw(struct futhark_context *context, const norn_type *type, const void *data, const i64 *dims) {
  i64 bytes = 0;
  norn_value *value = norn_array_with(context, type, data, dims, &bytes);
  if (value) *value->column->part = (norn_part){(char *)data, NULL, NORN_HAS_DEVICE};
  return value;
}

static i64 norn_array_bytes(const norn_value *value) {
  return norn_count(value->column, value->type->column->rank) * norn_prim_bytes[value->type->column->prim];
}

static int norn_array_values(struct futhark_context *context, const void *opaque, void *data) {
  const norn_value *value = opaque;
  i64 bytes = norn_array_bytes(value);
  if (bytes && !norn_is_given(context, data, "data")) return NORN_PROGRAM_ERROR;
  return norn_part_read(context, value->column->part, 0, data, bytes);
}

// Where the elements are: on the device, if there is one; null if there is no memory for them there.
static char *norn_array_place(struct futhark_context *context, void *opaque) {
  norn_value *value = opaque;
  norn_part *part = value->column->part, moved;
  if (NORN_HAS_DEVICE && !part->remote) {
    if (norn_part_copy(context, &moved, true, part, norn_array_bytes(value))) return NULL;
    norn_block_drop(context, part->block);
    *part = moved;
  }
  return part->data;
}

static int norn_array_index(struct futhark_context *context, void *out, const void *opaque, const i64 *index) {
  const norn_value *value = opaque;
  const norn_column *column = value->column;
  i64 at = 0;
  for (int i = 0; i < value->type->column->rank; i++) {
    if (index[i] < 0 || index[i] >= column->dims[i])
      return norn_error(context, NORN_PROGRAM_ERROR, "Index %lld is out of bounds for a dimension of length %lld.", (long long)index[i],
                        (long long)column->dims[i]);
    at = at * column->dims[i] + index[i];
  }
  i64 bytes = norn_prim_bytes[value->type->column->prim];
  return norn_part_read(context, column->part, at * bytes, out, bytes);
}

static const i64 *norn_shape(const void *opaque) { return ((const norn_value *)opaque)->column->dims; }

// Offsets have to begin with 0: those from `start` on, which are one more than rows, are copied if they do not.
static int norn_rebase(struct futhark_context *context, norn_part *part, i64 start, i64 rows, i64 *first, i64 *count) {
  *first = *count = 0;
  if (rows) {
    *first = norn_offset(context, part, start);
    *count = norn_offset(context, part, start + rows) - *first;
    if (*first == 0) {
      part->data += 8 * start;
      return 0;
    }
  }
  norn_part rebased;
  if (norn_part_new(context, &rebased, false, (rows + 1) * 8)) return NORN_MEMORY_ERROR;
  i64 *copy = (i64 *)rebased.data;
  copy[0] = 0;
  int code = rows ? norn_part_read(context, part, 8 * start, copy, (rows + 1) * 8) : 0;
  for (i64 i = 0; i <= rows && rows; i++) copy[i] -= *first;
  if (!code && part->remote) {
    norn_part here = rebased;
    code = norn_part_copy(context, &rebased, true, &here, (rows + 1) * 8);
    norn_block_drop(context, here.block);
  } else if (code) {
    norn_block_drop(context, rebased.block);
  }
  if (code) return code;
  norn_block_drop(context, part->block);
  *part = rebased;
  return 0;
}

// Has the parts of a column, whose blocks it holds, begin with the row that has this number: offsets begin with 0, elements where they do.
static int norn_begin_at(struct futhark_context *context, const norn_column_type *type, norn_column *column, i64 start) {
  i64 count = 1;
  int part = 0;
  for (int i = 0; i < type->rank; i++) {
    if (i && type->irregular[i]) {
      i64 first, rows = count;
      column->dims[i] = -1;
      if (norn_rebase(context, &column->part[part++], start, rows, &first, &count)) return NORN_MEMORY_ERROR;
      start = first;
    } else {
      if (i) start *= column->dims[i];
      count *= column->dims[i];
    }
  }
  if (type->rank) column->part[part].data += start * norn_prim_bytes[type->prim];
  return 0;
}

// The row at an index of a column, which has this type then. It shares its memory.
static int norn_column_row(struct futhark_context *context, const norn_column_type *type, const norn_column *from,
                           const norn_column_type *row_type, norn_column *row, i64 index) {
  memset(row, 0, sizeof *row);
  row->region = from->region;
  if (!row_type->rank) norn_region_retain(row->region);
  if (!row_type->rank)
    return norn_part_read(context, from->part, index * norn_prim_bytes[type->prim], &row->word, norn_prim_bytes[type->prim]);
  int skipped = 0;
  i64 start = index;
  row->dims[0] = from->dims[1];
  if (type->irregular[1]) {
    start = norn_offset(context, from->part, index);
    row->dims[0] = norn_offset(context, from->part, index + 1) - start;
    skipped = 1;
  } else {
    start *= from->dims[1];
  }
  for (int i = 1; i < row_type->rank; i++) row->dims[i] = from->dims[i + 1];
  for (int i = 0; i < norn_parts(row_type); i++) row->part[i] = from->part[i + skipped];
  norn_column_retain(row_type, row);
  return norn_begin_at(context, row_type, row, start);
}

// The element of an array of values, at an index for each dimension of the array.
static norn_value *norn_element(struct futhark_context *context, const norn_type *type, const void *opaque, const i64 *index) {
  const norn_value *array = opaque;
  norn_value *element = norn_value_new(context, type);
  if (!element) return NULL;
  int failed = 0;
  for (int c = 0; c < type->columns && !failed; c++) {
    norn_column_type from_type = array->type->column[c];
    norn_column from = array->column[c];
    norn_column_retain(&from_type, &from);
    for (int i = 0; i < array->type->rank && !failed; i++) {
      norn_column_type row_type = from_type;
      row_type.rank--;
      memmove(row_type.irregular, row_type.irregular + 1, NORN_RANK - 1);
      row_type.irregular[0] = 0;
      norn_column row;
      memset(&row, 0, sizeof row);
      if (index[i] < 0 || index[i] >= from.dims[0])
        failed = norn_error(context, NORN_PROGRAM_ERROR, "Index %lld is out of bounds for a dimension of length %lld.",
                            (long long)index[i], (long long)from.dims[0]);
      else
        failed = norn_column_row(context, &from_type, &from, &row_type, &row, index[i]);
      norn_column_drop(context, &from_type, &from);
      from_type = row_type;
      from = row;
    }
    element->column[c] = from;
  }
  if (!failed) return element;
  norn_value_free(context, element);
  return NULL;
}

#endif
