#!/bin/bash
# The box tests with cgroup v2 as a kernel mounts it by default, without nsdelegate: as an ordinary
# user to whom a cgroup is delegated.

. "$(dirname "$0")/suite"
run_in_guest vm/v2 --uid 0 --owner 54321 -- tests/vm/guest-suite vm/v2 - "$judge" 54321
