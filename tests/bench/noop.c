/* The program of the latency benchmark: ends at once. Linked without any library, so that what is
   measured is the box. */
#include <sys/syscall.h>

void _start(void);

void _start(void)
{
#if defined(__x86_64__)
	__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_exit_group;
	register long status __asm__("x0") = 0;

	__asm__ volatile("svc 0" : : "r"(number), "r"(status) : "memory");
#else
#error "say here how this machine makes a system call"
#endif
	__builtin_unreachable();
}
