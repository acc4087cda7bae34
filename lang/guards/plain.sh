#!/bin/sh
# For compilers that take a byte order mark for an error: takes it away. Runs in the box.
#
#	plain.sh COMMAND... -- SOURCES...	COMMAND, with the sources behind it
set -eu

mark=$(printf '\357\273\277')
count=$#
command=1
while [ "$count" -gt 0 ]; do
	word=$1
	shift
	count=$((count - 1))
	if [ "$command" = 1 ] && [ "$word" = -- ]; then
		command=0
		continue
	fi
	if [ "$command" = 0 ]; then
		line=
		IFS= read -r line <"$word" || :	# a last line without its end
		case $line in
		"$mark"*) LC_ALL=C sed -i '1s/^...//' "./$word" ;;
		esac
	fi
	set -- "$@" "$word"
done
exec "$@"
