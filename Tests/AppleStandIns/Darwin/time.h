#pragma once

struct timespec { long tv_sec, tv_nsec; };
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC_RAW = 4, CLOCK_MONOTONIC = 6 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);
