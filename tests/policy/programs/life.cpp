// What a C++ program may do in a contest: each step must succeed.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

static void threads()
{
	std::vector<std::thread> all;
	std::atomic<int> sum{0};

	for (int i = 0; i < 8; i++)
		all.emplace_back([&] { sum += std::vector<int>(1 << 20, 1)[3]; });
	for (auto &t : all)
		t.join();
	assert(sum == 8 && std::async(std::launch::async, [] { return 5; }).get() == 5);
}

static void exceptions()
{
	volatile size_t too_much = 1ull << 50;
	int caught = 0;

	try {
		throw std::runtime_error("x");
	} catch (const std::exception &) {
		caught++;
	}
	try {
		std::vector<char> big(too_much);
	} catch (const std::bad_alloc &) {
		caught++;
	}
	assert(caught == 2);
}

static void files()
{
	namespace fs = std::filesystem;
	std::string text;

	fs::create_directory("life");
	std::ofstream("life/a") << "hello";
	fs::copy_file("life/a", "life/b");
	std::ifstream("life/b") >> text;
	assert(text == "hello" && std::distance(fs::directory_iterator("life"), fs::directory_iterator()) == 2);
	fs::remove_all("life");
}

int main()
{
	std::vector<int> big(50 << 20, 1);
	int input = 0;

	threads();
	exceptions();
	files();
	(void)std::random_device{}();
	std::this_thread::sleep_for(std::chrono::milliseconds(1));
	std::ios::sync_with_stdio(false);
	std::cin >> input;
	std::cout << "good " << input * big[7] << std::endl;
}
