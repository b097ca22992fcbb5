// Where the fields of abi.h and state.h are, for comparison with the mirror in Rust.
#include <stddef.h>

const int64_t norn_globals = 0;

int norn_entry_0(norn_worker *w, const uint64_t *args, uint64_t *results) {
  const uint64_t facts[] = {
    sizeof(norn_block), offsetof(norn_block, count), offsetof(norn_block, bytes), offsetof(norn_block, next),
    offsetof(norn_block, length), offsetof(norn_block, address),
    sizeof(norn_region), offsetof(norn_region, base), offsetof(norn_region, next), offsetof(norn_region, unknown),
    sizeof(norn_run), offsetof(norn_run, stop), offsetof(norn_run, failed), offsetof(norn_run, site), offsetof(norn_run, at),
    offsetof(norn_run, operands), offsetof(norn_run, calls), offsetof(norn_run, operand), offsetof(norn_run, trace),
    sizeof(norn_host), offsetof(norn_host, alloc), offsetof(norn_host, free), offsetof(norn_host, launch),
    offsetof(norn_host, region_new), offsetof(norn_host, region_end), offsetof(norn_host, region_grow),
    offsetof(norn_host, yield), offsetof(norn_host, now), offsetof(norn_host, charge), offsetof(norn_host, show),
    offsetof(norn_host, device_alloc), offsetof(norn_host, device_launch),
    offsetof(norn_host, device_launch_within), offsetof(norn_host, device_read), offsetof(norn_host, device_read_all),
    offsetof(norn_host, device_write), offsetof(norn_host, device_copy), offsetof(norn_host, device_fill),
    offsetof(norn_host, device_select), offsetof(norn_host, device_plan),
    offsetof(norn_host, device_part),
    offsetof(norn_host, device_planned), offsetof(norn_host, device_bring), offsetof(norn_host, device_fetch),
    offsetof(norn_host, device_look), offsetof(norn_host, device_cell), offsetof(norn_host, device_place),
    sizeof(norn_worker), offsetof(norn_worker, host), offsetof(norn_worker, run), offsetof(norn_worker, globals),
    offsetof(norn_worker, stack_limit), offsetof(norn_worker, workers), offsetof(norn_worker, profile),
    offsetof(norn_worker, free), offsetof(norn_worker, device_groups), offsetof(norn_worker, device_pool),
    offsetof(norn_worker, tunables),
    sizeof(norn_state), offsetof(norn_state, failed), offsetof(norn_state, site), offsetof(norn_state, operands),
    offsetof(norn_state, operand), offsetof(norn_state, failed_launch), offsetof(norn_state, heap_begin), offsetof(norn_state, heap_end),
    offsetof(norn_state, heap_next), offsetof(norn_state, launch),
    NORN_DONE, NORN_FAILED, NORN_STOPPED, NORN_CHUNKS, NORN_FIRST_CHUNK, NORN_OPERANDS, NORN_TRACE, NORN_CLASSES, NORN_SMALL,
    NORN_KEPT, NORN_OUT_OF_MEMORY, NORN_OUT_OF_STACK, NORN_CANCELLED, NORN_DEVICE_FAILED,
    NORN_STATE_OPERANDS, NORN_OUT_OF_HEAP, NORN_OUT_OF_REGION,
  };
  const int64_t count = sizeof(facts) / sizeof(facts[0]);
  results[0] = count;
  for (int64_t i = 0; i < count; i++) results[i + 1] = facts[i];
  return NORN_DONE;
}
