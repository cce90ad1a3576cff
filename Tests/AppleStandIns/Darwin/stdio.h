#pragma once

typedef struct file FILE;
extern FILE *stderr;
int fprintf(FILE *file, const char *format, ...);
