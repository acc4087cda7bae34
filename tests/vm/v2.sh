#!/bin/bash
# cgroup v2 as a kernel mounts it by default, without nsdelegate: as an ordinary user to whom a cgroup
# is delegated. What that option changes, and a sample of the rest.

. "$(dirname "$0")/suite"
make_tools vm/v2 box hostile
run_in_guest vm/v2 --uid 0 --owner 54321 -- \
	tests/vm/guest-suite vm/v2 - "$tools" 54321 $few
