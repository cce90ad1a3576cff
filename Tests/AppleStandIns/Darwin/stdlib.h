#pragma once
#include <stddef.h>

void *malloc(size_t size);
void free(void *memory);
__attribute__((noreturn)) void abort(void);
