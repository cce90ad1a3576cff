#ifndef CHEAPPROBE_H
#define CHEAPPROBE_H

#include <stddef.h>

/// Returns the heap bytes in use by this process; 0 if the system does not report them.
size_t heap_bytes_in_use(void);

/// Removes the hooks for thrown Swift errors in this process: Swift Testing retains memory for each error.
void heap_forget_thrown_errors(void);

#endif
