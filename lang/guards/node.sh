# Starts Node at level strict with the permission model that its version has: no programs, no native code, no workers,
# files of the box only. Runs in the box: sh node.sh NODE OPTIONS... PROGRAM [ARGS]
#
# 18 has none and would stop at an option it does not know; from 22.13 on the option has another name.

node=$1
shift
version=$("$node" --version)
major=${version#v}
rest=${major#*.}
major=${major%%.*}
minor=${rest%%.*}

permission=--permission
[ "$major" -ge 20 ] || exec "$node" "$@"
[ "$major" -ge 22 ] || permission=--experimental-permission
[ "$major" -ne 22 ] || [ "$minor" -ge 13 ] || permission=--experimental-permission
exec "$node" "$permission" --allow-fs-read=/box/ --allow-fs-read=/tmp/ --allow-fs-read=/judge/ \
	--allow-fs-read=/dev/ --allow-fs-write=/box/ --allow-fs-write=/tmp/ --allow-fs-write=/dev/ "$@"
