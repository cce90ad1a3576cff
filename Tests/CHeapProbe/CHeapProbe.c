// Defines __GLIBC__, where it is.
#include <stdlib.h>

#include "CHeapProbe.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
size_t heap_bytes_in_use(void) {
    struct mstats statistics = mstats();
    return statistics.bytes_used;
}
#elif defined(__GLIBC__)
#include <malloc.h>
size_t heap_bytes_in_use(void) {
    struct mallinfo2 statistics = mallinfo2();
    // Large blocks are mapped and not counted among those in use.
    return statistics.uordblks + statistics.hblkhd;
}
#else
size_t heap_bytes_in_use(void) { return 0; }
#endif
