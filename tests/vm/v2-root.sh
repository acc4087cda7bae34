#!/bin/bash
# cgroup v2 as systemd mounts it, with nsdelegate: as root.

. "$(dirname "$0")/suite"
make_tools vm/v2-root box hostile
run_in_guest vm/v2-root --nsdelegate --uid 0 --owner 54321 -- \
	tests/vm/guest-suite vm/v2-root nsdelegate "$tools" 0 $few
