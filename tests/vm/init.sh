#!/bin/bash
# The first process of the guest that tests/vm/rig boots: makes a usual system of a User-mode
# Linux whose root is the host's tree, read-only; runs the rig's program in a delegated cgroup;
# leaves its exit status in the exchange folder and powers off.

. "$(dirname "$0")/guest-lib"

mount_scratch() {
	mount -t tmpfs -o mode=1777 tmpfs /tmp
	mount -t tmpfs -o mode=1777 tmpfs /var/tmp
	mount -t tmpfs -o mode=1777 tmpfs /dev/shm
}

# The first folder above the project that the program's user may not pass through, if any.
closed_ancestor() {
	local path='' part parts
	IFS=/ read -ra parts <<<"${1#/}"
	for part in "${parts[@]}"; do
		path+=/$part
		[ "$path" != "$1" ] || return 1
		setpriv --reuid "$owner" --regid "$owner" --clear-groups test -x "$path" || break
	done
	echo "$path"
}

# The project at the host's path, also where the host keeps it below /tmp or in a closed home.
show_project() {
	local closed
	if closed=$(closed_ancestor "$project"); then
		[ -d "$closed" ] && mount -t tmpfs -o mode=755 tmpfs "$closed"
	fi
	[ -d "$project" ] && return
	mkdir -p "$project"
	mount -t hostfs -o "ro,$project" none "$project"
}

# A folder the owner may do with as he likes, with all controllers the kernel has: what a user manager delegates.
delegate_v2() {
	local root=/sys/fs/cgroup controller controllers
	mount -t cgroup2 ${cgroup_options:+-o "$cgroup_options"} cgroup2 $root
	read -ra controllers <$root/cgroup.controllers
	for controller in "${controllers[@]}"; do
		echo "+$controller" >$root/cgroup.subtree_control
	done
	mkdir $root/delegated
	chown "$owner:$owner" $root/delegated $root/delegated/cgroup.{procs,subtree_control,threads}
	delegated=("$root/delegated")
}

delegate_v1() {
	local root=/sys/fs/cgroup set folder
	mount -t tmpfs -o mode=755 tmpfs $root
	for set in cpu,cpuacct memory pids freezer devices blkio; do
		folder=$root/$set/delegated
		mkdir $root/$set
		mount -t cgroup -o $set cgroup $root/$set || continue
		mkdir $folder
		chown "$owner:$owner" "$folder" "$folder"/{cgroup.procs,tasks}
		delegated+=("$folder")
	done
	ln -s cpu,cpuacct $root/cpu
	ln -s cpu,cpuacct $root/cpuacct
}

# No shell stays in the delegated cgroup: with a process in it, its subtree_control says EBUSY. Root
# needs none and stays in the top one, which has no such rule and may make cgroups for others.
run_program() (
	for folder in "${delegated[@]}"; do
		[ "$uid" = 0 ] || echo "$BASHPID" >"$folder/cgroup.procs"
	done
	become_program
)

# What the program left running may hold the FIFOs open. All but this script and the two cats; the
# kernel's own threads ignore signals.
kill_all() {
	local folder pid
	for folder in /proc/[0-9]*; do
		pid=${folder#/proc/}
		case $pid in
		"$$" | "$out_cat" | "$err_cat") ;;
		*) kill -KILL "$pid" 2>/dev/null ;;
		esac
	done
}

mount_kernel_views
mount_exchange
read_job
mount_scratch
show_project
"delegate_$cgroup"
allow_user_namespaces
load_overlay
open_streams
say_started
run_program
status=$?
kill_all
close_streams
power_off $status
