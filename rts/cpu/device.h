// Blocks in the memory of a GPU, for its host.
#ifndef NORN_DEVICE_H
#define NORN_DEVICE_H

NORN_INLINE u64 norn_remote(const norn_block *block) { return block ? block->address : 0; }

#endif
