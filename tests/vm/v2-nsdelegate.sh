#!/bin/bash
# The box tests with cgroup v2 as systemd mounts it, with nsdelegate: as an ordinary user to whom a
# cgroup is delegated.

. "$(dirname "$0")/suite"
run_in_guest vm/v2-nsdelegate --nsdelegate --uid 0 --owner 54321 -- \
	tests/vm/guest-suite vm/v2-nsdelegate nsdelegate "$judge" 54321
