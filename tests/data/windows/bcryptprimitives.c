/* Windows 10 has this library, Wine 8 has not. Rust's standard library asks it for random numbers. For tests alone. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID to, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) {
    return SystemFunction036(to, (ULONG)length);
}
