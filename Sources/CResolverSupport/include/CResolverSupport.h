// The few things Swift has no portable spelling for: atomics on a word of plain memory, a thread-local slot,
// retaining an object many times at once, and the extent of the running thread's stack.
#ifndef CRESOLVERSUPPORT_H
#define CRESOLVERSUPPORT_H

#include <stdlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Atomics on a 64-bit word. A pointer fits on every platform, and an instance slot needs 16 bits beside it.

static inline uint64_t resolver_word_load(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void resolver_word_store(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline uint64_t resolver_word_exchange(uint64_t *word, uint64_t value) {
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}
static inline uint64_t resolver_word_subtract(uint64_t *word, uint64_t value) {
    return __atomic_fetch_sub(word, value, __ATOMIC_ACQ_REL);
}
static inline uint64_t resolver_word_add(uint64_t *word, uint64_t value) {
    return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}
static inline bool resolver_word_replace(uint64_t *word, uint64_t *expected, uint64_t value) {
    return __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/// Zero words side by side. (Swift's `allocate` asks Linux for an alignment, and `calloc` takes no memory that was freed a moment
/// ago: both take several times as long.)
static inline uint64_t *resolver_words_make(size_t count) {
    uint64_t *words = (uint64_t *)malloc(count * sizeof(uint64_t));
    if (words == NULL) abort();
    for (size_t index = 0; index < count; index++) words[index] = 0;
    return words;
}
static inline void resolver_words_free(uint64_t *words) { free(words); }

// MARK: Words of the process, each in a cache line of its own. (Swift reaches a global of its own by a call.)

enum { resolver_process_word_count = 13 };
extern uint64_t resolver_process_words[resolver_process_word_count][8];
static inline uint64_t *resolver_process_word(intptr_t index) { return resolver_process_words[index]; }
/// Sets bits, or clears them.
static inline void resolver_word_set(uint64_t *word, uint64_t bits, bool is_set) {
    if (is_set) __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL);
    else __atomic_fetch_and(word, ~bits, __ATOMIC_ACQ_REL);
}

// MARK: The running thread's resolution cycle.

extern __thread void *resolver_thread_cycle;
static inline void *resolver_thread_cycle_get(void) { return resolver_thread_cycle; }
/// Stores the cycle and has `destroy` called with it when the thread exits.
void resolver_thread_cycle_set(void *cycle, void (*destroy)(void *));

// MARK: The running task.

/// Its identity, or NULL outside of tasks.
const void *resolver_task_current(void);
/// Never used again for another one; on systems before 2023 not while the task lives.
uint64_t resolver_task_number(const void *task);
/// Whether it is a child of another task: `async let`, a task group. False for `Task { }`.
bool resolver_task_is_child(const void *task);
/// The value that is bound to the task-local `key`, a `TaskLocal`, for the running code; NULL for none. Valid inside the binding.
const void *resolver_task_local_value(const void *key);

// MARK: The running thread.

/// An address inside the caller's stack frame: the stack grows down from here.
static inline uintptr_t resolver_stack_address(void) { return (uintptr_t)__builtin_frame_address(0); }
/// The lowest usable address of the running thread's stack and its size in bytes; zero where it cannot be known.
void resolver_stack_extent(uintptr_t *lowest, uintptr_t *size);
bool resolver_is_main_thread(void);
/// Nanoseconds since some moment in the past, also those that the machine slept.
int64_t resolver_monotonic_nanoseconds(void);
/// Whether code on this thread runs on the executor that these two words are.
bool resolver_is_current_executor(const void *identity, const void *implementation);
/// Whether this is the executor that the running task is on. What the function above asks where the runtime has no better answer.
bool resolver_is_task_executor(const void *identity);
/// Whether the running code is on the executor of tasks that have no actor and prefer no executor.
bool resolver_is_on_default_executor(void);

// MARK: The process.

/// Writes a line to the standard error.
void resolver_write_error(const char *text);

// MARK: The Swift runtime, part of its stable ABI: take and return many references in one step.

extern void *swift_retain_n(void *object, uint32_t count);
extern void swift_release_n(void *object, uint32_t count);
static inline void resolver_retain(void *object, uint32_t count) { swift_retain_n(object, count); }
static inline void resolver_release(void *object, uint32_t count) { swift_release_n(object, count); }

/// How many references there are to an object that Swift counts; `SIZE_MAX` for one that Objective-C counts, where many are
/// not taken in one step.
size_t resolver_reference_count(void *object);

// MARK: The Swift runtime: does a type conform to a protocol? Used to write suggestions into error messages.

extern const void *swift_conformsToProtocol(const void *type, const void *protocol);

#ifdef __cplusplus
}
#endif

#endif
