// What programs of contests have at their top, and none of it is the judge's business.
#pragma GCC optimize("O3,unroll-loops")
#pragma GCC target("avx2,bmi,popcnt")
#include <bits/stdc++.h>
#include <immintrin.h>
#pragma comment(linker, "/STACK:268435456")
#define asm_count 4
using namespace std;
typedef long long ll;
#ifdef LOCAL
#include "debug.h"
#endif

__attribute__((noinline)) static ll add(ll a, ll b)
{
	return a + b;
}

int main()
{
	alignas(32) int in[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[8];
	mt19937_64 random(chrono::steady_clock::now().time_since_epoch().count());
	ll sum = 0;

	random();
	if (__builtin_cpu_supports("avx2"))
		_mm256_store_si256((__m256i *)out, _mm256_load_si256((__m256i *)in));
	else
		copy(in, in + 8, out);
	for (int x : out)
		sum = add(sum, x);
	cout << sum << ' ' << asm_count << endl;
}
