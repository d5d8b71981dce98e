#!/bin/bash
# configure without libraries names the Debian and the Fedora packages that contain them, all at once
# default: no
# sanitizers: no
. "$SRC/tests/lib/configure.sh"
cat >pkg-config <<'X'
#!/bin/sh
for word; do
	case $word in *"$MISSING"*) exit 1 ;; esac
done
exec /usr/bin/pkg-config "$@"
X
chmod +x pkg-config
while read -r library debian fedora; do
	if MISSING=$library PKG_CONFIG=$PWD/pkg-config "$SRC/configure" --cache-file="$(configure_cache)" >out 2>err; then
		echo "configure goes on without $library"
		exit 1
	fi
	grep -q "$debian" err && grep -q "$fedora" err && continue
	echo "without $library:"
	tail -n 8 err
	exit 1
done <<X
libelf libelf-dev elfutils-libelf-devel
lib libelf-dev.*libdw-dev.*libzstd-dev xz-devel.libzstd-devel
libdw libdw-dev elfutils-devel
libbpf libbpf-dev libbpf-devel
zlib zlib1g-dev zlib
X
