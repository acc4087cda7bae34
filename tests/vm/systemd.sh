#!/bin/bash
# The judge under systemd: a delegated cgroup from the user manager, in a login session and in a service.

. "$(dirname "$0")/suite"
make_tools vm/systemd
run_in_guest vm/systemd --systemd --uid 0 --owner 54321 -- tests/vm/guest-systemd vm/systemd "$tools/judge"
