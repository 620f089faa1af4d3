#!/bin/sh
# prepare.sh FOLDER: QEMU and Debian's kernels, each in FOLDER/VERSION as `vmlinuz` and `lib/modules`.
# What is there already is kept. Prints the versions, oldest first.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)

if ! command -v apt-get >/dev/null; then
	echo "the kernels come from Debian's archive by apt-get, which this machine lacks" >&2
	exit 1
fi
missing=
for tool in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static modprobe:kmod xz:xz-utils \
	cpio:cpio dmsetup:dmsetup mdadm:mdadm lvm:lvm2 python3:python3 bpftool:bpftool fio:fio; do
	PATH="$PATH:/sbin:/usr/sbin" command -v "${tool%%:*}" >/dev/null || missing="$missing ${tool##*:}"
done
if [ -n "$missing" ]; then
	apt-get update -qq >&2
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
fi

# A list of sources of our own, at the same mirrors: the machine's own stays as it is.
lists=$folder/.apt
mkdir -p "$lists/lists/partial" "$lists/archives/partial"
mirrors=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u)
main=$(echo "$mirrors" | grep '/debian/*$' | head -1)
security=$(echo "$mirrors" | grep 'security' | head -1)
{
	for suite in bookworm bookworm-backports trixie-backports; do
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $main $suite main"
	done
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $security bullseye-security main"
} >"$lists/sources.list"
own="-o Dir::Etc::sourcelist=$lists/sources.list -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
	-o Dir::State::lists=$lists/lists -o Dir::Cache=$lists -o Dir::Cache::archives=$lists/archives"
# shellcheck disable=SC2086
apt-get $own update -qq >&2

# newest PATTERN: the last version of that series.
newest() {
	# shellcheck disable=SC2086
	apt-cache $own pkgnames linux-image- | sed -n "s/^linux-image-\($1[-.0-9a-z+]*-amd64\)$/\1/p" |
		grep -v -e cloud -e -rt- -e unsigned | sort -V | tail -1
}

# unpack VERSION: the packages of newer kernels are split.
unpack() (
	[ ! -e "$folder/$1/vmlinuz" ] || return 0
	work=$(mktemp -d "$folder/.unpack.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	cd "$work"
	for part in image base binary modules; do
		# shellcheck disable=SC2086
		[ -n "$(apt-cache $own madison "linux-$part-$1" 2>/dev/null)" ] || continue
		# shellcheck disable=SC2086
		# shellcheck disable=SC2086
		apt-get $own download -qq "linux-$part-$1" >&2
	done
	for package in *.deb; do dpkg-deb -x "$package" .; done
	modules=lib/modules
	[ -d "$modules/$1" ] || modules=usr/lib/modules
	mkdir -p "done/lib/modules"
	cp "$(find . -name 'vmlinuz*' | head -1)" done/vmlinuz
	mv "$modules/$1" done/lib/modules/
	/sbin/depmod -b done "$1"
	mv done "$folder/$1"
)

for series in 5.10 6.1 6.12 6.18 7; do
	version=$(newest "$series\\.")
	if [ -z "$version" ]; then
		echo "no kernel $series in the archive" >&2
		continue
	fi
	unpack "$version" >&2
	echo "$version"
done
