// What the library calls of Apple's pthread.h. All of it is older than the oldest system that the library supports.
#pragma once
#include <stddef.h>

typedef struct _opaque_pthread_t *pthread_t;
pthread_t pthread_self(void);
int pthread_main_np(void);
void *pthread_get_stackaddr_np(pthread_t thread);
size_t pthread_get_stacksize_np(pthread_t thread);

typedef unsigned long pthread_key_t;
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_setspecific(pthread_key_t key, const void *value);

typedef struct { long signature; char opaque[8]; } pthread_once_t;
#define PTHREAD_ONCE_INIT {0x30B1BCBA, {0}}
int pthread_once(pthread_once_t *once, void (*routine)(void));

typedef struct { long signature; char opaque[56]; } pthread_mutex_t;
typedef struct { long signature; char opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

typedef struct { long signature; char opaque[40]; } pthread_cond_t;
typedef struct { long signature; char opaque[8]; } pthread_condattr_t;
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
