// Calls of entry points: values as the words that compiled code takes, and what it leaves as values.
#ifndef NORN_CALL_H
#define NORN_CALL_H

enum { NORN_DIM_CONST, NORN_DIM_ARG, NORN_DIM_RESULT, NORN_DIM_IRREGULAR };

typedef struct {
  unsigned char kind;
  i64 value;
} norn_dim;

#define NORN_REGION_ARG 255  // instead of the type of elements: a region

// What an argument or a result of compiled code is. Those of rank 0 are one word, arrays two for each part.
typedef struct {
  unsigned char prim, rank;
  const norn_dim *dim;
  // Of numbers of cells, what these are of, and the argument that is their region.
  const norn_recursive *data;
  int region;
} norn_slot;

typedef struct {
  const char *name;
  int columns;
  bool unique;  // it is consumed
} norn_param;

typedef struct {
  const char *name;
  norn_entry call;
  int args, rets, params, result_columns;
  bool remote;  // its arrays are on the device
  const norn_slot *arg, *ret;
  const norn_param *param;
} norn_entry_point;

static norn_column_type norn_slot_type(const norn_slot *slot) {
  norn_column_type type = {slot->prim, slot->rank, {0}, slot->data};
  for (int i = 0; i < slot->rank; i++) type.irregular[i] = slot->dim[i].kind == NORN_DIM_IRREGULAR;
  return type;
}

static int norn_words(const norn_slot *slot) {
  norn_column_type type = norn_slot_type(slot);
  return slot->rank ? 2 * norn_parts(&type) : 1;
}

// The sizes that the columns of a call tell, which must not contradict each other. What occurs only in rows that are not there can have any
// size.
static int norn_bind(struct futhark_context *context, const norn_entry_point *entry, const norn_column *columns, int first, i64 *sizes,
                     bool *known) {
  for (int p = 0, at = 0; p < entry->params; p++) {
    for (int c = 0; c < entry->param[p].columns; c++, at++) {
      const norn_slot *slot = &entry->arg[first + at];
      // An argument may itself be the size of arrays after it.
      if (!slot->rank && slot->prim == NORN_I64) {
        sizes[first + at] = (i64)columns[at].word;
        known[first + at] = true;
      }
      i64 rows = 1;
      for (int i = 0, part = 0; i < slot->rank; i++) {
        const norn_dim *dim = &slot->dim[i];
        if (i && dim->kind == NORN_DIM_IRREGULAR) {
          if (!rows) break;
          rows = norn_offset(context, &columns[at].part[part++], rows);
          continue;
        }
        i64 found = columns[at].dims[i], expected = found;
        rows *= found;
        if (dim->kind == NORN_DIM_CONST) expected = dim->value;
        if (dim->kind == NORN_DIM_ARG) {
          if (!known[dim->value]) sizes[dim->value] = found, known[dim->value] = true;
          expected = sizes[dim->value];
        }
        if (expected != found)
          return norn_error(context, NORN_PROGRAM_ERROR, "The argument %s has a dimension of size %lld, but %lld was expected.",
                            entry->param[p].name, (long long)found, (long long)expected);
      }
    }
  }
  return 0;
}

// A block that a call may overwrite, and what its count is if the call fails; 0 for a copy that nobody else has.
typedef struct {
  norn_block *block;
  i64 count;
} norn_lent;

// A region that is an argument of a call: that of other arguments, lent, or a new one.
typedef struct {
  norn_moving moving;
  bool is_result;  // results are in it
  // What a region that is lent was before: its end, and the counts of its blocks, of which that of the device is the last.
  i64 next, count[NORN_CHUNKS + 1];
} norn_passed_region;

// The words of a call, and where those of each result begin.
typedef struct {
  u64 *arg, *result, *first_words;
  i64 *sizes;
  int *starts;
  bool *known;
  norn_lent *lent;
  int lents;
  norn_passed_region *region;  // by the number of the argument; null if there are none
  int regions;                 // among the first so many arguments
} norn_frame;

// The words of an array. One that is consumed is lent itself if nobody else has it, and is copied otherwise; so is one that is not where the entry
// point has its arrays.
static int norn_pass(struct futhark_context *context, const norn_column_type *type, const norn_column *column, bool unique, bool remote,
                     u64 *words, norn_lent *lent, int *lents) {
  i64 bytes[NORN_RANK + 1];
  norn_part_bytes(context, type, column, bytes);
  for (int i = 0; i < norn_parts(type); i++) {
    norn_part part = column->part[i];
    bool is_near = part.remote == remote;
    if (unique || !is_near) {
      i64 count = part.block ? __atomic_load_n(&part.block->count, __ATOMIC_ACQUIRE) : 0;
      if (count != 1 || !is_near || part.block->reserved[NORN_OWNER] == NORN_FOREIGN) {
        count = 0;
        int code = norn_part_copy(context, &part, remote, &column->part[i], bytes[i]);
        if (code) return code;
      }
      lent[(*lents)++] = (norn_lent){part.block, count};
    }
    words[2 * i] = (u64)part.data;
    words[2 * i + 1] = unique ? (u64)part.block : 0;
  }
  return 0;
}

static norn_block *norn_region_block(const norn_region *region, int number) {
  return number < NORN_CHUNKS ? norn_chunk_block(region, number) : (norn_block *)region->reserved[NORN_REGION_BLOCK];
}

// The regions of a call. Those whose cells only the device has are fetched, unless the call has arrays there: then its host asks for what it needs.
static int norn_pass_all_regions(struct futhark_context *context, const norn_entry_point *entry, const norn_column *columns, int count,
                                 norn_frame *frame) {
  int first = entry->args - count;
  for (int at = 0; at < first; at++) {
    if (entry->arg[at].prim != NORN_REGION_ARG) continue;
    if (!frame->region) frame->region = calloc((size_t)first, sizeof *frame->region), frame->regions = first;
    if (!frame->region) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a call of `%s`.", entry->name);
    norn_regions regions = {0};
    for (int c = 0; c < count; c++)
      if (entry->arg[first + c].data && entry->arg[first + c].region == at) norn_add_region(&regions, columns[c].region);
    norn_passed_region *passed = &frame->region[at];
    int code = norn_moving_begin(context, &passed->moving, &regions);
    norn_region *region = passed->moving.to;
    if (!code && !passed->moving.made && !entry->remote) code = norn_region_here(context, region);
    if (code) return code;
    passed->next = region->next;
    for (int i = 0; i <= NORN_CHUNKS; i++) {
      norn_block *block = norn_region_block(region, i);
      passed->count[i] = block ? block->count : 0;
    }
  }
  return 0;
}

// A region that was lent ends where it did before, unless somebody has arrays of its newest cells.
static void norn_region_shrink(norn_region *region, i64 next) {
  for (int i = norn_chunk_of(next); i <= NORN_CHUNKS; i++) {
    norn_block *block = norn_region_block(region, i);
    if (block && __atomic_load_n(&block->count, __ATOMIC_ACQUIRE) > 1) return;
  }
  region->next = next;
  if (region->unknown >= next) region->unknown = INT64_MAX;
  if (region->reserved[NORN_REGION_WORDS] > next) region->reserved[NORN_REGION_WORDS] = next;
}

// Ends what a call has of regions, before what it has left behind is freed if it failed: then regions that were lent become what they were, and new ones are
// among what is freed.
static void norn_end_regions(struct futhark_context *context, norn_frame *frame, bool failed) {
  for (int at = 0; frame->region && at < frame->regions; at++) {
    norn_passed_region *passed = &frame->region[at];
    norn_region *region = passed->moving.to;
    norn_moving_end(&passed->moving);
    if (!region || (failed && passed->moving.made)) continue;
    norn_region_settle(context, region, passed->moving.made);
    for (int i = 0; failed && i <= NORN_CHUNKS; i++) {
      norn_block *block = norn_region_block(region, i);
      if (block) block->count = passed->count[i] ? passed->count[i] : 1;
    }
    if (!passed->moving.made && !passed->is_result) norn_region_shrink(region, passed->next);
    norn_region_drop(context, region);
  }
  free(frame->region);
  frame->region = NULL;
}

// The words of a column with cells, whose region is passed as this one.
static int norn_pass_cells(struct futhark_context *context, norn_moving *moving, const norn_column_type *type, const norn_column *column, bool unique,
                           bool remote, u64 *words, norn_lent *lent, int *lents) {
  if (!column->region || column->region == moving->to) {
    if (type->rank) return norn_pass(context, type, column, unique, remote, words, lent, lents);
    *words = column->word;
    return 0;
  }
  norn_column moved;
  int code = norn_move_column(moving, type, column, &moved);
  norn_block *cells = type->rank ? moved.part[norn_parts(type) - 1].block : NULL;
  if (cells) lent[(*lents)++] = (norn_lent){cells, 0};
  if (code) return code;
  if (type->rank) return norn_pass(context, type, &moved, unique, remote, words, lent, lents);
  *words = moved.word;
  return 0;
}

static bool norn_is_in(norn_block *block, bool remote, const char *data) {
  if (!block || !block->address == remote || data < norn_block_data(block)) return false;
  // Pieces of a device may be side by side.
  return remote ? data < norn_block_data(block) + block->length : data <= norn_block_data(block) + block->bytes;
}

// The block of the arguments that memory is in, if there is one.
static norn_block *norn_block_of(const norn_entry_point *entry, const norn_column *columns, int count, const norn_frame *frame,
                                 const char *data) {
  int first = entry->args - count;
  for (int i = 0; i < frame->lents; i++)
    if (norn_is_in(frame->lent[i].block, entry->remote, data)) return frame->lent[i].block;
  for (int i = 0; i < count; i++) {
    norn_column_type type = norn_slot_type(&entry->arg[first + i]);
    for (int part = 0; part < norn_parts(&type); part++) {
      norn_block *block = columns[i].part[part].block;
      if (norn_is_in(block, entry->remote, data)) return block;
    }
  }
  return NULL;
}

// An array that a call has left, as a column that holds its memory: the block that it is in, if nobody else of the program has it, or that of
// an argument. Everything else is copied. Blocks that are taken are no longer among the words.
static int norn_take(struct futhark_context *context, const norn_entry_point *entry, const norn_column *columns, int count,
                     const norn_frame *frame, const norn_column_type *type, u64 *words, norn_column *out) {
  bool copied[NORN_RANK + 1];
  for (int i = 0; i < norn_parts(type); i++) {
    char *data = (char *)words[2 * i];
    norn_block *block = (norn_block *)words[2 * i + 1];
    if (!block) {
      block = norn_block_of(entry, columns, count, frame, data);
      if (block) __atomic_fetch_add(&block->count, 1, __ATOMIC_RELAXED);
    } else if (block->reserved[NORN_OWNER] < 0 || block->count == 1) {
      norn_detach(context, block);
      words[2 * i + 1] = 0;
    } else {
      block = NULL;
    }
    copied[i] = !block;
    out->part[i] = (norn_part){data, block, entry->remote};
  }
  int code = norn_begin_at(context, type, out, 0);
  i64 bytes[NORN_RANK + 1];
  if (!code) norn_part_bytes(context, type, out, bytes);
  for (int i = 0; i < norn_parts(type) && !code; i++) {
    // Offsets may have been copied already.
    if (!copied[i] || out->part[i].block) continue;
    const norn_part from = out->part[i];
    code = norn_part_copy(context, &out->part[i], entry->remote, &from, bytes[i]);
  }
  if (code) norn_column_drop(context, type, out);
  return code;
}

static i64 norn_size(const norn_dim *dim, const u64 *first_words, const u64 *results, const int *starts) {
  i64 size = -1;
  switch (dim->kind) {
    case NORN_DIM_CONST: size = dim->value; break;
    case NORN_DIM_ARG: size = (i64)first_words[dim->value]; break;
    case NORN_DIM_RESULT: size = (i64)results[starts[dim->value]]; break;
    default: return -1;
  }
  // A size that is not there has no meaning, but is none that is negative.
  return size < 0 ? 0 : size;
}

static int norn_arguments(struct futhark_context *context, const norn_entry_point *entry, const norn_column *columns, int count,
                          norn_frame *frame) {
  int first = entry->args - count, at = 0, i = 0;
  int code = norn_bind(context, entry, columns, first, frame->sizes, frame->known);
  if (!code) code = norn_pass_all_regions(context, entry, columns, count, frame);
  for (; i < first && !code; i++, at++) {
    bool is_region = entry->arg[i].prim == NORN_REGION_ARG;
    frame->arg[at] = frame->first_words[i] = is_region ? (u64)frame->region[i].moving.to : (u64)frame->sizes[i];
  }
  for (int p = 0; p < entry->params; p++) {
    for (int c = 0; c < entry->param[p].columns && !code; c++, i++) {
      norn_column_type type = norn_slot_type(&entry->arg[i]);
      const norn_column *column = &columns[i - first];
      if (type.data)
        code = norn_pass_cells(context, &frame->region[entry->arg[i].region].moving, &type, column, entry->param[p].unique, entry->remote,
                               frame->arg + at, frame->lent, &frame->lents);
      else if (type.rank)
        code = norn_pass(context, &type, column, entry->param[p].unique, entry->remote, frame->arg + at, frame->lent, &frame->lents);
      else frame->arg[at] = column->word;
      frame->first_words[i] = frame->arg[at];
      at += norn_words(&entry->arg[i]);
    }
  }
  return code;
}

static int norn_results(struct futhark_context *context, const norn_entry_point *entry, const norn_column *columns, int count,
                        norn_frame *frame, norn_column *out) {
  int first = entry->rets - entry->result_columns, code = 0, done = 0;
  for (; done < entry->result_columns && !code; done++) {
    const norn_slot *slot = &entry->ret[first + done];
    norn_column_type type = norn_slot_type(slot);
    u64 *words = frame->result + frame->starts[first + done];
    memset(&out[done], 0, sizeof out[done]);
    for (int d = 0; d < slot->rank; d++)
      out[done].dims[d] = norn_size(&slot->dim[d], frame->first_words, frame->result, frame->starts);
    if (slot->rank) code = norn_take(context, entry, columns, count, frame, &type, words, &out[done]);
    else out[done].word = type.data ? (u32)words[0] : words[0];
    if (!type.data || code) continue;
    norn_passed_region *passed = &frame->region[slot->region];
    passed->is_result = true;
    out[done].region = passed->moving.to;
    norn_region_retain(out[done].region);
  }
  for (int i = 0; code && i < done - 1; i++) {
    norn_column_type type = norn_slot_type(&entry->ret[first + i]);
    norn_column_drop(context, &type, &out[i]);
  }
  // What nobody took.
  for (int r = 0; r < entry->rets; r++)
    for (int word = 1; entry->ret[r].rank && word < norn_words(&entry->ret[r]); word += 2)
      norn_host_release(&context->thread->worker, (norn_block *)frame->result[frame->starts[r] + word]);
  return code;
}

// Calls an entry point with the columns of its arguments. The columns of its result are the caller's to drop.
static int norn_call(struct futhark_context *context, const norn_entry_point *entry, const norn_column *columns, int count,
                     norn_column *out) {
  size_t words = 0, result_words = 0, args = (size_t)entry->args, rets = (size_t)entry->rets;
  for (size_t i = 0; i < args; i++) words += (size_t)norn_words(&entry->arg[i]);
  for (size_t i = 0; i < rets; i++) result_words += (size_t)norn_words(&entry->ret[i]);
  norn_frame frame = {0};
  frame.lent = calloc(1, words * sizeof(norn_lent) + (words + result_words + 2 * args) * sizeof(u64) + rets * sizeof(int) + args + 1);
  if (!frame.lent) return norn_error(context, NORN_MEMORY_ERROR, "There is no memory for a call of `%s`.", entry->name);
  frame.arg = (u64 *)(frame.lent + words);
  frame.result = frame.arg + words;
  frame.first_words = frame.result + result_words;
  frame.sizes = (i64 *)(frame.first_words + args);
  frame.starts = (int *)(frame.sizes + args);
  frame.known = (bool *)(frame.starts + rets);
  for (int i = 0, at = 0; i < entry->rets; at += norn_words(&entry->ret[i++])) frame.starts[i] = at;

  pthread_mutex_lock(&context->calls);
  int code = norn_arguments(context, entry, columns, count, &frame);
  if (!code) {
    norn_run *run = &context->run;
    run->failed = run->site = run->at = run->operands = run->calls = 0;
    __atomic_store_n(&run->stop, 0, __ATOMIC_RELAXED);
    context->refused_by_device = false;
    i64 begin = norn_host_now();
    int end = norn_enter(&context->thread->worker, entry->call, frame.arg, frame.result, norn_recurses);
    norn_log(context, "call of %s: %.3f us\n", entry->name, (double)(norn_host_now() - begin) / 1000);
    if (norn_device_finish(context, end) == NORN_DONE) {
      code = norn_results(context, entry, columns, count, &frame, out);
    } else {
      code = run->site == NORN_DEVICE_FAILED ? norn_report(context) : norn_run_error(context, norn_sites, norn_site_count);
      norn_end_regions(context, &frame, true);
      norn_sweep(context, true);
      for (int i = 0; i < frame.lents; i++) frame.lent[i].block->count = 1;
    }
  }
  norn_end_regions(context, &frame, false);
  for (int i = 0; i < frame.lents; i++)
    if (!frame.lent[i].count) norn_block_drop(context, frame.lent[i].block);
  pthread_mutex_unlock(&context->calls);
  free(frame.lent);
  return code;
}

#endif
