// Arrays of values: made of their elements, and changed at an index.
//
// The columns of an array are those of its elements, one after the other. Where rows may have different lengths, offsets say where each begins;
// everywhere else all elements have the same sizes.
#ifndef NORN_ARRAY_H
#define NORN_ARRAY_H

// What is known of an element's column while those of all are put together.
typedef struct {
  const norn_column *column;
  i64 rows;  // of the dimensions so far
  int part;  // the next one of the element
} norn_gathered;

// The lengths of an element's rows in a dimension are added to the offsets, if there are such, or must all be `size`, which is -1 until one is known.
static int norn_add_lengths(struct futhark_context *context, const norn_type *type, const norn_column_type *elem, norn_gathered *from, int dim,
                            i64 **offset, i64 *size) {
  bool own = dim && elem->irregular[dim];
  i64 *ends = NULL, all = 0;
  int code = 0;
  if (own && from->rows) {
    ends = malloc((size_t)(from->rows + 1) * sizeof *ends);
    if (!ends) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array of type %s.", type->name);
    code = norn_part_read(context, &from->column->part[from->part], 0, ends, (from->rows + 1) * 8);
  }
  for (i64 row = 0; row < from->rows && !code; row++) {
    i64 length = own ? ends[row + 1] - ends[row] : from->column->dims[dim];
    all += length;
    if (offset) (*offset)[1] = **offset + length, (*offset)++;
    else if (*size < 0) *size = length;
    else if (*size != length)
      code = norn_error(context, NORN_PROGRAM_ERROR, "The elements of an array of type %s have the sizes %lld and %lld.", type->name,
                        (long long)*size, (long long)length);
  }
  free(ends);
  from->part += own;
  from->rows = all;
  return code;
}

// A column of an array: so many elements, which have their columns in `from`.
static int norn_gather(struct futhark_context *context, const norn_type *type, int c, const norn_column_type *elem, norn_gathered *from, i64 count,
                       norn_moving *moving, norn_column *out) {
  const norn_column_type *to = &type->column[c];
  i64 bytes = norn_prim_bytes[to->prim], rows = count, elements = 0;
  int part = 0, code = 0;
  for (int dim = 0; dim < elem->rank && !code; dim++) {
    bool irregular = to->irregular[type->rank + dim];
    i64 size = -1, *offsets = irregular ? calloc((size_t)rows + 1, sizeof *offsets) : NULL, *at = offsets, all = 0;
    if (irregular && !offsets) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array of type %s.", type->name);
    for (i64 i = 0; i < count && !code; i++) {
      code = norn_add_lengths(context, type, elem, &from[i], dim, irregular ? &at : NULL, &size);
      all += from[i].rows;
    }
    const norn_part made = {(char *)offsets, NULL, false};
    if (irregular && !code) code = norn_part_copy(context, &out->part[part++], NORN_HAS_DEVICE, &made, (rows + 1) * 8);
    out->dims[type->rank + dim] = irregular ? -1 : size < 0 ? 0 : size;
    free(offsets);
    rows = all;
  }
  if (code) return code;
  elements = elem->rank ? rows : count;
  char *data = malloc((size_t)(elements * bytes) + 1), *end = data;
  if (!data) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array of type %s.", type->name);
  for (i64 i = 0; i < count && !code; i++) {
    i64 length = (elem->rank ? from[i].rows : 1) * bytes;
    if (elem->rank) code = norn_part_read(context, &from[i].column->part[from[i].part], 0, end, length);
    else memcpy(end, &from[i].column->word, (size_t)bytes);
    if (to->data && !code) code = norn_move_cells(moving, from[i].column->region, to->data, (u32 *)end, length / 4);
    end += length;
  }
  const norn_part made = {data, NULL, false};
  if (!code) code = norn_part_copy(context, &out->part[part], NORN_HAS_DEVICE, &made, elements * bytes);
  free(data);
  return code;
}

// The same for cells, which have to be in one region.
static int norn_gather_cells(struct futhark_context *context, const norn_type *type, int c, const norn_column_type *elem, norn_gathered *from,
                             i64 count, norn_column *out) {
  norn_regions regions = {0};
  norn_moving moving;
  for (i64 i = 0; i < count; i++) norn_add_region(&regions, from[i].column->region);
  pthread_mutex_lock(&context->calls);
  int code = norn_moving_begin(context, &moving, &regions);
  if (!code) {
    code = norn_gather(context, type, c, elem, from, count, &moving, out);
    norn_moving_end(&moving);
    norn_region_settle(context, moving.to, moving.made);
    out->region = moving.to;
  }
  pthread_mutex_unlock(&context->calls);
  return code;
}

// An array of values, in row-major order; null if there is none, which is an error of the context.
static norn_value *norn_array_of(struct futhark_context *context, const norn_type *type, const norn_type *elem, norn_value *const *values,
                                 const i64 *dims) {
  norn_value *array = norn_value_new(context, type);
  i64 count = 1;
  bool is_wrong = false;
  for (int i = 0; i < type->rank; i++) is_wrong |= dims[i] < 0 || __builtin_mul_overflow(count, dims[i], &count);
  if (is_wrong) norn_error(context, NORN_PROGRAM_ERROR, "An array of type %s has a dimension that is negative or too large.", type->name);
  bool is_whole = array && !is_wrong && (!count || norn_is_given(context, values, "elems"));
  for (i64 i = 0; i < count && is_whole; i++) is_whole = norn_is_of(context, values[i], elem, "elems");
  norn_gathered *from = is_whole ? calloc((size_t)count + 1, sizeof *from) : NULL;
  if (is_whole && !from) norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array of type %s.", type->name);
  int code = !from;
  for (int c = 0; c < type->columns && !code; c++) {
    memcpy(array->column[c].dims, dims, (size_t)type->rank * sizeof *dims);
    for (i64 i = 0; i < count; i++) from[i] = (norn_gathered){&values[i]->column[c], 1, 0};
    if (type->column[c].data) code = norn_gather_cells(context, type, c, &elem->column[c], from, count, &array->column[c]);
    else code = norn_gather(context, type, c, &elem->column[c], from, count, NULL, &array->column[c]);
  }
  free(from);
  if (!code) return array;
  norn_value_free(context, array);
  return NULL;
}

// Changes the element at an index. The array may be a part of other values, which stay as they are.
static int norn_array_set(struct futhark_context *context, const norn_type *elem, void *opaque, norn_value *value, const i64 *index) {
  norn_value *array = opaque;
  const norn_type *type = array->type;
  const i64 *dims = array->column->dims;
  i64 count = 1, at = 0, place[NORN_RANK];
  for (int i = 0; i < type->rank; i++) {
    if (index[i] < 0 || index[i] >= dims[i])
      return norn_error(context, NORN_PROGRAM_ERROR, "Index %lld is out of bounds for a dimension of length %lld.", (long long)index[i],
                        (long long)dims[i]);
    at = at * dims[i] + index[i];
    count *= dims[i];
  }
  norn_value **values = calloc((size_t)count + 1, sizeof *values);
  if (!values) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for an array of type %s.", type->name);
  bool is_whole = true;
  for (i64 i = 0; i < count && is_whole; i++) {
    for (i64 d = type->rank - 1, rest = i; d >= 0; rest /= dims[d--]) place[d] = rest % dims[d];
    values[i] = i == at ? value : norn_element(context, elem, array, place);
    is_whole = values[i];
  }
  norn_value *changed = is_whole ? norn_array_of(context, type, elem, values, dims) : NULL;
  for (i64 i = 0; i < count; i++)
    if (i != at) norn_value_free(context, values[i]);
  free(values);
  if (!changed) return NORN_PROGRAM_ERROR;
  for (int c = 0; c < type->columns; c++) {
    norn_column old = array->column[c];
    array->column[c] = changed->column[c];
    changed->column[c] = old;
  }
  return norn_value_free(context, changed);
}

#endif
