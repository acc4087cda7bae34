// One act of a contestant's program, by its name.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static long deep(long n)
{
	volatile long here = n;

	return n ? deep(n - 1) + (here > 0) : 0;
}

static void threads()
{
	std::vector<std::thread> all;
	long part[4] = {}, sum = 0;

	for (long &p : part)
		all.emplace_back([&p] { for (int i = 1; i <= 1000; i++) p += i; });
	for (auto &t : all)
		t.join();
	for (long p : part)
		sum += p;
	std::cout << sum << "\n";
}

static void memory()
{
	std::vector<std::vector<char>> all;

	for (;;)
		all.emplace_back(1 << 20, 1);
}

static void write_tmp()
{
	std::string line;

	std::ofstream("/tmp/act.txt") << "kept\n";
	std::getline(std::ifstream("/tmp/act.txt") >> std::ws, line);
	std::cout << line << "\n";
}

static void reach(int port)
{
	sockaddr_in a = {};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	a.sin_family = AF_INET;
	a.sin_port = htons(port);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	puts(fd >= 0 && connect(fd, (sockaddr *)&a, sizeof(a)) == 0 ? "connected" : "refused");
}

static void child()
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(7);
	if (pid < 0)
		puts("refused");
	else if (waitpid(pid, &status, 0) == pid)
		printf("child %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	std::string act = argc > 1 ? argv[1] : "hello", line;

	if (act == "hello")
		std::cout << "hello, world\n";
	else if (act == "deep")
		std::cout << deep(100000) << "\n";
	else if (act == "endless")
		std::cout << deep(-1) << "\n";
	else if (act == "memory")
		memory();
	else if (act == "loop")
		for (volatile int i = 0;; i = i + 1)
			;
	else if (act == "error")
		throw std::runtime_error("uncaught");
	else if (act == "exit3")
		return 3;
	else if (act == "threads")
		threads();
	else if (act == "missing")
		std::cout << (std::ifstream("missing.txt") ? "there" : "missing") << "\n";
	else if (act == "tmp")
		write_tmp();
	else if (act == "socket")
		reach(std::stoi(argv[2]));
	else if (act == "fork")
		child();
	else if (act == "unicode")
		while (std::getline(std::cin, line))
			std::cout << "\u00e4\u20ac\U0001f600 " << line << "\n";
}
