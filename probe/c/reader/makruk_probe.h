/* libmakruk_probe: the reader of makruk_tb.h as a library. */
#include "makruk_tb.h"
