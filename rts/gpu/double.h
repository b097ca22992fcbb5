// f64, for programs that have it: not all devices do.
#ifndef NORN_DOUBLE_H
#define NORN_DOUBLE_H

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef double f64 NORN_ANY_TYPE;

#endif
