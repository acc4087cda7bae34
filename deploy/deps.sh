#!/bin/sh
# Sees to it that what building and testing needs is on this machine.
#
#	deploy/deps.sh deps		the program and its tests
#	deploy/deps.sh deps-rigs	the kernels that tests/vm boots
#	deploy/deps.sh deps-lint	the analyzers of `make lint`
#	deploy/deps.sh deps-languages	the toolchains of the languages in lang/
#	deploy/deps.sh deps-languages-large	and of those that take a gigabyte
#
# It looks for the files and commands themselves, so that a machine which has them is left alone and
# needs no root. What is missing is installed by apt, dnf or apk, as root or by a sudo that asks no
# password; without these rights the one line to run is printed and this fails.
set -eu

# What to look for, and which package brings it: a row per thing, "-" where a distribution has none.
#	set	probe (/: below an include or library folder)	apt	dnf	apk
table() {
	cat <<-END
	deps	gcc			gcc			gcc			build-base
	deps	g++			g++			gcc-c++			build-base
	deps	make			make			make			make
	deps	objcopy			binutils		binutils		binutils
	deps	python3			python3			python3			python3
	deps	bash			bash			bash			bash
	deps	setpriv			util-linux		util-linux		setpriv
	deps	install			coreutils		coreutils		coreutils
	deps	bwrap			bubblewrap		bubblewrap		bubblewrap
	deps	/stdio.h		libc6-dev		glibc-devel		build-base
	deps	/linux/seccomp.h	linux-libc-dev		kernel-headers		linux-headers
	deps	/libc.a			libc6-dev		glibc-static		build-base
	deps	/seccomp.h		libseccomp-dev		libseccomp-devel	libseccomp-dev
	deps	/sys/capability.h	libcap-dev		libcap-devel		libcap-dev
	deps	/libcap.a		libcap-dev		libcap-static		libcap-static
	deps	/sha2.h			libmd-dev		libmd-devel		libmd-dev
	deps	/libmd.a		libmd-dev		-			libmd-dev
	deps	/jansson.h		libjansson-dev		jansson-devel		jansson-dev
	deps	/libjansson.a		libjansson-dev		-			jansson-static
	deps	/cmocka.h		libcmocka-dev		libcmocka-devel		cmocka-dev
	deps	/libasan.so		gcc			libasan			-
	deps	/libubsan.so		gcc			libubsan		-
	deps-rigs	linux.uml	user-mode-linux		-			-
	deps-rigs	insmod		kmod			kmod			kmod
	deps-rigs	systemd-run	systemd			-			-
	deps-rigs	dbus-daemon	dbus-user-session	-			-
	deps-rigs	/security/pam_systemd.so	libpam-systemd		-			-
	deps-rigs	strace		strace			strace			strace
	deps-lint	clang		clang			clang			clang
	deps-lint	clang-tidy	clang-tidy		clang-tools-extra	clang-extra-tools
	deps-lint	cppcheck	cppcheck		cppcheck		cppcheck
	deps-lint	shellcheck	shellcheck		ShellCheck		shellcheck
	deps-languages	gcc		gcc			gcc			build-base
	deps-languages	g++		g++			gcc-c++			build-base
	deps-languages	/libc.a		libc6-dev		glibc-static		build-base
	deps-languages	/libstdc++.a	g++			libstdc++-static	build-base
	deps-languages	python3		python3			python3			python3
	deps-languages	pypy3		pypy3			pypy3			-
	deps-languages	javac		default-jdk-headless	java-latest-openjdk-devel	openjdk21-jdk
	deps-languages	node		nodejs			nodejs			nodejs
	deps-languages	/usr/bin/rustc	rustc			rust			rust
	deps-languages	/usr/bin/go	golang-go		golang			go
	deps-languages	fpc		fpc			fpc			-
	deps-languages	ruby		ruby			ruby			ruby
	deps-languages	php		php-cli			php-cli			php
	deps-languages	lua5.4		lua5.4			-			lua5.4
	deps-languages	perl		perl			perl			perl
	deps-languages	ocamlopt	ocaml			ocaml			ocaml
	deps-languages	gfortran	gfortran		gcc-gfortran		gfortran
	deps-languages	/libgfortran.a	gfortran		libgfortran-static	gfortran
	deps-languages	sbcl		sbcl			sbcl			sbcl
	deps-languages	gawk		gawk			gawk			gawk
	deps-languages-large	ghc	ghc			ghc			ghc
	deps-languages-large	mcs	mono-mcs		mono-core		-
	deps-languages-large	kotlinc	kotlin			-			-
	END
}

# Headers and libraries lie in a handful of folders, which distributions name differently.
is_here() {
	case $1 in
	/usr/bin/*) [ -x "$1" ]; return ;;
	/*.h) set -- /usr/include"$1" /usr/include/*-linux-*"$1" ;;
	/*) set -- /usr/lib"$1" /usr/lib64"$1" /usr/lib/*-linux-*"$1" /usr/lib/gcc/*/*"$1" ;;
	*) command -v "$1" >/dev/null || [ -x "/sbin/$1" ] || [ -x "/usr/sbin/$1" ]; return ;;
	esac
	for file; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

# The packages of set $1 that column $2 of the table names, each once.
missing_packages() {
	table | while read -r set probe apt dnf apk; do
		[ "$set" = "$1" ] || continue
		is_here "$probe" && continue
		case $2 in
		apt) package=$apt ;;
		dnf) package=$dnf ;;
		*) package=$apk ;;
		esac
		if [ "$package" = - ]; then
			echo "$0: $probe is missing, and $2 has no package for it$(hint "$probe")" >&2
		else
			echo "$package"
		fi
	done | sort -u | tr '\n' ' '
}

hint() {
	case $1 in
	/libjansson.a) echo ": build with make STATIC=-pie" ;;
	linux.uml) echo ": the tests in tests/vm are skipped" ;;
	pypy3 | fpc | lua5.4 | mcs | kotlinc) echo ": that language's tests are skipped" ;;
	esac
}

manager() {
	for name in apt-get dnf apk; do
		if command -v "$name" >/dev/null; then
			echo "${name%-get}"
			return
		fi
	done
}

# The line that installs packages $2 with manager $1.
install_line() {
	case $1 in
	apt) echo "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $2" ;;
	dnf) echo "dnf install -y $2" ;;
	apk) echo "apk add $2" ;;
	esac
}

# A fresh machine or container has no package lists, or old ones that name files long gone.
install_packages() {
	line=$(install_line "$1" "$2")
	if [ "$1" = apt ]; then
		# shellcheck disable=SC2086 # words
		$3 $line || { $3 apt-get update && $3 $line; }
	else
		# shellcheck disable=SC2086
		$3 $line
	fi
}

line_for_people() {
	case $1 in
	apt) echo "sudo apt-get update && sudo apt-get install -y ${2% }" ;;
	*) echo "sudo $(install_line "$1" "${2% }")" ;;
	esac
}

main() {
	manager=$(manager)
	packages=$(missing_packages "$1" "$manager")
	[ -n "$packages" ] || return 0
	if [ -z "$manager" ]; then
		echo "$0: no apt, dnf or apk here; install what Debian calls: $packages" >&2
		return 1
	fi
	if [ "$(id -u)" = 0 ]; then
		install_packages "$manager" "$packages" ""
	elif sudo -n true 2>/dev/null; then
		install_packages "$manager" "$packages" sudo
	else
		echo "$0: missing, and not allowed to install; run this line, then the same make again:" >&2
		echo "	$(line_for_people "$manager" "$packages")" >&2
		return 1
	fi
}

case ${1-} in
deps | deps-rigs | deps-lint | deps-languages | deps-languages-large) main "$1" ;;
*) echo "usage: $0 deps|deps-rigs|deps-lint|deps-languages|deps-languages-large" >&2; exit 2 ;;
esac
