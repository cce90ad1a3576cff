#define _GNU_SOURCE
#include <dlfcn.h>
// Defines __GLIBC__ on systems with glibc.
#include <stdlib.h>
#include <unistd.h>

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
    // Large blocks are mapped and not part of the bytes in use.
    return statistics.uordblks + statistics.hblkhd;
}
#else
size_t heap_bytes_in_use(void) { return 0; }
#endif

/// The Swift runtime's hooks for untyped and typed errors. Other versions may have other hooks.
void heap_forget_thrown_errors(void) {
    const char *hooks[] = {"_swift_willThrow", "_swift_willThrowTypedImpl"};
    for (size_t index = 0; index < sizeof hooks / sizeof *hooks; index++) {
        void **hook = dlsym(RTLD_DEFAULT, hooks[index]);
        if (hook != NULL) __atomic_store_n(hook, NULL, __ATOMIC_RELEASE);
    }
}

/// Gives the process of each exit test a deadline, after which the kernel ends it, however many of its threads are stuck. It
/// is so long that the slowest machine does not reach it under the slowest sanitizer.
__attribute__((constructor)) static void set_deadline_of_exit_test(void) {
    if (getenv("SWT_EXIT_TEST_ID") != NULL) alarm(600);
}

/// Read by the address sanitizer. A child process that a test ends retains memory that its threads still use, which is not a
/// leak. The memory tests detect leaks themselves.
__attribute__((used, visibility("default"), no_sanitize("address"))) const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
