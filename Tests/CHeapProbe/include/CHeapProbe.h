#ifndef CHEAPPROBE_H
#define CHEAPPROBE_H

#include <stddef.h>

/// The bytes in use on the heap of this process; 0 where that cannot be known.
size_t heap_bytes_in_use(void);

#endif
