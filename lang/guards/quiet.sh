#!/bin/sh
# Checks of syntax that say "syntax OK": what they say counts only where it is not. Runs in the box.
#
#	quiet.sh COMMAND...
if said=$("$@" 2>&1); then
	exit 0
else
	status=$?
	printf '%s\n' "$said" >&2
	exit $status
fi
