#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CResolverSupport.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// What each is, and why the first does not begin with zero: see ProcessWord in AtomicWord.swift.
uint64_t resolver_process_words[resolver_process_word_count][8] __attribute__((aligned(64))) = {{1 | 2}};

__thread void *resolver_thread_cycle;

// A `_Thread_local` has no destructor in C; a pthread key has one, and is only touched once per thread.
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static void (*exit_destroy)(void *);

static void thread_exits(void *cycle) {
    // User code that runs while the cycle is torn down starts a cycle of its own.
    resolver_thread_cycle = NULL;
    __atomic_load_n(&exit_destroy, __ATOMIC_ACQUIRE)(cycle);
}
static void create_exit_key(void) { pthread_key_create(&exit_key, thread_exits); }

void resolver_thread_cycle_set(void *cycle, void (*destroy)(void *)) {
    __atomic_store_n(&exit_destroy, destroy, __ATOMIC_RELEASE);
    pthread_once(&exit_once, create_exit_key);
    pthread_setspecific(exit_key, cycle);
    resolver_thread_cycle = cycle;
}

void resolver_write_error(const char *text) { fprintf(stderr, "%s\n", text); }

int64_t resolver_monotonic_nanoseconds(void) {
    struct timespec now;
#if defined(__linux__)
    clock_gettime(CLOCK_BOOTTIME, &now);
#else
    // What `ContinuousClock` reads there: no adjustment, and sleep counts.
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
#endif
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void resolver_stack_extent(uintptr_t *lowest, uintptr_t *size) {
    *lowest = 0;
    *size = 0;
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    *size = pthread_get_stacksize_np(thread);
    *lowest = (uintptr_t)pthread_get_stackaddr_np(thread) - *size;
#elif defined(__linux__)
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void *address = NULL;
    size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &address, &bytes) == 0) {
        *lowest = (uintptr_t)address;
        *size = bytes;
    }
    pthread_attr_destroy(&attributes);
#endif
}

typedef struct {
    const void *identity;
    const void *implementation;
} resolver_executor;

// Part of the stable ABI since Swift 5.5.
extern __attribute__((swiftcall)) resolver_executor swift_task_getCurrentExecutor(void);
// Swift 6.0 and later: the executor that the running task prefers, which does not matter while it is on an actor.
extern __attribute__((swiftcall, weak)) resolver_executor swift_task_getPreferredTaskExecutor(void);
// Swift 6.2 and later. Without a flag it answers, and does not trap.
extern __attribute__((swiftcall, weak)) bool swift_task_isCurrentExecutorWithFlags(
    resolver_executor executor, uintptr_t flags);

bool resolver_is_current_executor(const void *identity, const void *implementation) {
    if (swift_task_isCurrentExecutorWithFlags == NULL) return resolver_is_task_executor(identity);
    return swift_task_isCurrentExecutorWithFlags((resolver_executor){identity, implementation}, 0);
}

bool resolver_is_task_executor(const void *identity) {
    return swift_task_getCurrentExecutor().identity == identity;
}

bool resolver_is_on_default_executor(void) {
    if (swift_task_getCurrentExecutor().identity != NULL) return false;
    return swift_task_getPreferredTaskExecutor == NULL || swift_task_getPreferredTaskExecutor().identity == NULL;
}

bool resolver_is_main_thread(void) {
#if defined(__APPLE__)
    return pthread_main_np() != 0;
#elif defined(__linux__)
    return getpid() == (pid_t)syscall(SYS_gettid);
#else
    return false;
#endif
}

// Part of the stable ABI since Swift 5.5. The flag is the runtime's Task_IsChildTask.
extern __attribute__((swiftcall)) const void *swift_task_getCurrent(void);
extern __attribute__((swiftcall)) size_t swift_task_getJobFlags(const void *task);
extern __attribute__((swiftcall)) const void *swift_task_localValueGet(const void *key);
// Not on systems before 2023.
extern __attribute__((swiftcall, weak)) uint64_t swift_task_getJobTaskId(const void *task);

const void *resolver_task_current(void) { return swift_task_getCurrent(); }
const void *resolver_task_local_value(const void *key) { return swift_task_localValueGet(key); }
bool resolver_task_is_child(const void *task) { return (swift_task_getJobFlags(task) >> 24) & 1; }
uint64_t resolver_task_number(const void *task) {
    return swift_task_getJobTaskId == NULL ? (uint64_t)(uintptr_t)task : swift_task_getJobTaskId(task);
}

extern size_t swift_retainCount(void *object);

#if defined(__APPLE__)
// Part of the stable ABI: the start of an object, and that of the class that it belongs to.
typedef struct {
    const void *kind, *superclass, *cache[2];
    uintptr_t data;
    uint32_t flags;
} resolver_class;

extern const void *object_getClass(void *object);

size_t resolver_reference_count(void *object) {
    const resolver_class *class = object_getClass(object);
    bool is_swift = (class->data & 3) != 0;
    bool is_counted_by_swift = is_swift && (class->flags & 2) != 0;
    return is_counted_by_swift ? swift_retainCount(object) : SIZE_MAX;
}
#else
size_t resolver_reference_count(void *object) { return swift_retainCount(object); }
#endif
