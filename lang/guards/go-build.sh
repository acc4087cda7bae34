#!/bin/sh
# Go without `go build`, which compiles the standard library each time its cache is empty. The compiler is given the
# list of the packages that there are; at level strict those that are allowed, so that it enforces the list itself.
# Runs in the box.
#
#	go-build.sh LEVEL GO PROGRAM SOURCES...		to a program
#	go-build.sh warm GO FOLDER			the standard library's archives, for later runs
#
# The archives are those of the distribution, where it ships them (Go before 1.20), or what `warm` left in the folder
# that JUDGE_GO_WARM names; one of another version is not used. Without either, and for what needs more than one
# package, it is `go build` after all.
set -eu

# Not at level strict; with a slash, all below. lang/scan_go.c has the same list, for a message with a line.
denied='C unsafe syscall plugin embed net net/ os/exec os/user os/signal log/syslog runtime/cgo runtime/race
	runtime/msan runtime/asan runtime/metrics runtime/coverage runtime/pprof runtime/trace internal/ vendor/ cmd/
	debug/ go/ testing testing/ database/ crypto/tls crypto/x509 expvar'

level=$1 go=$2
shift 2
root=$(readlink -f "$go")
root=${root%/bin/go}
case $(uname -m) in
x86_64) platform=linux_amd64 ;;
aarch64) platform=linux_arm64 ;;
*) platform=unknown ;;
esac
tools=$root/pkg/tool/$platform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOCACHE="$work/cache" GOPATH="$work/path" GO111MODULE=off GOFLAGS='' GOENV=off GOROOT="$root" \
	CGO_ENABLED=0 GOTOOLCHAIN=local GOTELEMETRY=off

# Package and archive, a line each, as the compiler wants them.
list_archives() {
	if [ -n "${JUDGE_GO_WARM:-}" ] && cmp -s "$root/VERSION" "$JUDGE_GO_WARM/VERSION"; then
		sed "s|=|=$JUDGE_GO_WARM/|" "$JUDGE_GO_WARM/importcfg"
	elif [ -e "$root/pkg/$platform/runtime.a" ]; then
		find "$root/pkg/$platform/" -name '*.a' ! -path "$root/pkg/$platform/cmd/*" |
			sed "s|^$root/pkg/$platform/\(.*\)\.a\$|packagefile \1=&|"
	fi
}

# Of the list, what a contestant may import; unsafe has no archive and is mapped to what there is not.
keep_allowed() {
	pattern=
	for package in $denied; do
		case $package in
		*/) pattern="$pattern|$package.*" ;;
		*) pattern="$pattern|$package" ;;
		esac
	done
	echo 'importmap unsafe=not-allowed'
	grep -Ev "^packagefile (${pattern#|})="
}

# The archives of the distribution's net and os/user want the C library.
is_simple() {
	for source; do
		case ${source#./} in
		*/*) return 1 ;;
		esac
	done
	# shellcheck disable=SC2016 # backquotes are Go's
	[ -n "${JUDGE_GO_WARM:-}" ] || ! grep -qE '"(net|net/.*|os/user|plugin|C)"|`(net|net/.*|os/user|plugin|C)`' "$@"
}

warm() {
	"$go" list -export -f '{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}' std >"$work/list"
	number=0
	while read -r package archive; do
		number=$((number + 1))
		cp "$archive" "$1/$number.a"
		echo "packagefile $package=$number.a"
	done <"$work/list" >"$1/importcfg"
	cp "$root/VERSION" "$1/VERSION"
}

if [ "$level" = warm ]; then
	warm "$1"
	exit
fi
program=$1
shift
list_archives >"$work/all"
if [ ! -s "$work/all" ] || ! [ -x "$tools/compile" ] || { [ "$level" != strict ] && ! is_simple "$@"; }; then
	"$go" build -ldflags '-s -w' -o "$program" "$@"
	exit
fi
if [ "$level" = strict ]; then
	keep_allowed <"$work/all" >"$work/allowed"
else
	cp "$work/all" "$work/allowed"
fi
"$tools/compile" -p main -complete -pack -trimpath "$PWD" -importcfg "$work/allowed" -o "$work/main.a" "$@"
"$tools/link" -importcfg "$work/all" -buildmode exe -s -w -o "$program" "$work/main.a"
