#!/bin/sh
# C and C++ at level strict, in two steps, so that the judge sees the assembly between them. Runs in the box.
#
#	assembly.sh COMPILER OPTIONS... -- SOURCES...		each to assembly/N/NAME.s
#	assembly.sh -link COMPILER OPTIONS... -- MORE...	all of these to a program
#
# N keeps sources of one name in two folders apart. A folder of that name that is there already is the contestant's:
# what lies in it was not made here, so it is not used.
set -eu

mode="compile"
if [ "$1" = -link ]; then
	mode="link"
	shift
fi
compiler=
options=
while [ "$1" != -- ]; do
	case $compiler in
	'') compiler=$1 ;;
	*) options="$options $1" ;;
	esac
	shift
done
shift

# shellcheck disable=SC2086 # the options are judge's own words, without blanks
if [ "$mode" = link ]; then
	exec "$compiler" $options assembly/*/*.s "$@"
fi
if ! mkdir assembly; then
	echo "a folder called assembly is in the way: give it another name" >&2
	exit 1
fi
number=0
status=0
for source; do
	number=$((number + 1))
	mkdir "assembly/$number"
	# shellcheck disable=SC2086
	"$compiler" $options -S -o "assembly/$number/${source##*/}.s" "./$source" || status=1
done
exit $status
