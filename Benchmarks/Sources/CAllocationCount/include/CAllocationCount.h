// How often this process has allocated since it started.
#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H
unsigned long allocation_count(void);
#endif
