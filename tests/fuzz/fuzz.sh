#!/bin/bash
# Fuzzes each target for so many seconds. Started by `make fuzz`, which builds them with libFuzzer.
#
#	tests/fuzz/fuzz.sh BUILD-FOLDER SECONDS [NAME...]
#
# What is found goes to BUILD-FOLDER/corpus/NAME, an input that breaks a target to BUILD-FOLDER/found. A line
# PASS or FAIL for each target, as tests/run has them. What widens a corpus for good is merged by hand:
#
#	build/fuzz/tests/fuzz/fuzz_NAME -merge=1 -max_len=512 tests/fuzz/NAME build/fuzz/corpus/NAME
set -u
cd "$(dirname "$0")/../.." || exit

build=$1 seconds=$2
names=("${@:3}")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(basename -a -s .c tests/fuzz/fuzz_*.c | sed 's/^fuzz_//')
passed=0 failed=0

# The shipped policies are seeds too.
seeds() {
	echo "tests/fuzz/$1"
	[ "$1" != policy ] || echo seccomp
}

fuzz() {
	local name=$1 corpus=$build/corpus/$1 log=$build/found/$1.log
	local options=(-max_len=4096 -timeout=30 -rss_limit_mb=2048 -print_final_stats=1)

	mkdir -p "$corpus" "$build/found"
	mapfile -t folders < <(seeds "$name")
	if "$build/tests/fuzz/fuzz_$name" "${options[@]}" -max_total_time="$seconds" \
		-artifact_prefix="$build/found/$name-" "$corpus" "${folders[@]}" >"$log" 2>&1; then
		echo "PASS fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
		passed=$((passed + 1))
	else
		echo "FAIL fuzz: $name: $(grep -m1 -E 'ERROR|does not hold|runtime error' "$log")"
		grep -E '^artifact_prefix|Test unit written' "$log" | sed 's/^/	/'
		echo "	again: $build/tests/fuzz/fuzz_$name FILE; all of it: $log"
		failed=$((failed + 1))
	fi
}

for name in "${names[@]}"; do
	fuzz "$name"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
