/* A 32-bit program without a library, to be refused by the name of its architecture. */
void _start(void);

void _start(void)
{
	__asm__ volatile("int $0x80" : : "a"(4), "b"(1), "c"("hello32\n"), "d"(8) : "memory");
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
	for (;;)
		;
}
