#pragma once
#include <stdint.h>

typedef struct { uint32_t _os_unfair_lock_opaque; } os_unfair_lock_s, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t lock);
void os_unfair_lock_unlock(os_unfair_lock_t lock);
