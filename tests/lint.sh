#!/bin/bash
# The analyzers and the house rules. Started by `make lint` after a build; a line PASS, FAIL or SKIP
# for each, as tests/run has them.
#
#	CC=gcc tests/lint.sh BUILD-FOLDER
set -u
cd "$(dirname "$0")/.." || exit

build=$1
flags=(-std=gnu11 -D_GNU_SOURCE -I. -Wall -Wextra)
mapfile -t sources < <(ls judge.c {base,lang,seccomp,box-root,sandbox,report,grade,cli}/*.c tests/bench/*.c 2>/dev/null)
mapfile -t scripts < <(grep -lE '^#!.*\b(ba|da)?sh$' deploy/* tests/* tests/*/* .ci/* 2>/dev/null)
passed=0 failed=0 skipped=0

# Runs a command for each source, two at a time; {} stands for the source. tests/lint.h is for all but
# the file that defines what it is about.
each() {
	printf '%s\n' "${sources[@]}" | xargs -P2 -I{} "$@"
}

each_knowing() {
	printf '%s\n' "${sources[@]}" | grep -vx base/err.c | xargs -P2 -I{} "$@" -include tests/lint.h &&
		"${@//\{\}/base/err.c}"
}

# gcc 12 takes what a loop fills for unset; clang-tidy looks for the same and sees better.
analyzer() {
	each_knowing "${ANALYZER:-gcc}" "${flags[@]}" -O2 -Werror -fanalyzer \
		-Wno-analyzer-use-of-uninitialized-value -fdiagnostics-path-format=none -c -o /dev/null {}
}

compiler_clang() {
	each clang "${flags[@]}" -Wshadow -Werror -O2 -c -o /dev/null {}
}

tidy() {
	each_knowing clang-tidy --quiet --warnings-as-errors='*' {} -- "${flags[@]}"
}

check_c() {
	cppcheck --quiet --std=c11 --language=c -D_GNU_SOURCE -D__linux__ -D__x86_64__ -D__LP64__ -I. --inline-suppr \
		--enable=warning,performance,portability --error-exitcode=1 -j2 "${sources[@]}"
}

check_shell() {
	shellcheck --external-sources --source-path=SCRIPTDIR "${scripts[@]}"
}

check_includes() {
	tests/check_includes
}

check_symbols() {
	tests/check_symbols "$build"
}

# What a person would have to scroll for; the file that a table makes long may say so here.
shape() {
	awk 'FNR == 400 { print FILENAME ": 400 lines or more"; bad = 1 } END { exit bad }' "${sources[@]}"
}

run() {
	local name=$1 needs=$2 output
	if ! command -v "$needs" >/dev/null; then
		echo "SKIP lint: $name: no $needs"
		skipped=$((skipped + 1))
	elif output=$("$name" 2>&1); then
		echo "PASS lint: $name"
		passed=$((passed + 1))
		grep '^SKIP' <<<"$output" && skipped=$((skipped + 1))
	else
		echo "FAIL lint: $name"
		echo "	${output//$'\n'/$'\n\t'}"
		failed=$((failed + 1))
	fi
}

run analyzer "${ANALYZER:-gcc}"
run compiler_clang clang
run tidy clang-tidy
run check_c cppcheck
run check_shell shellcheck
run check_includes python3
run check_symbols nm
run shape awk
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
