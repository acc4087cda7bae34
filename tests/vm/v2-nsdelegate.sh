#!/bin/bash
# cgroup v2 as systemd mounts it, with nsdelegate: as an ordinary user to whom a cgroup is delegated.

. "$(dirname "$0")/suite"
make_tools vm/v2-nsdelegate box hostile
run_in_guest vm/v2-nsdelegate --nsdelegate --uid 0 --owner 54321 -- \
	tests/vm/guest-suite vm/v2-nsdelegate nsdelegate "$tools" 54321 $some
