#!/bin/sh
# What the tests need beside Node: libbpf to run, clang and libbpf's headers to prove that the
# committed eBPF object is what its source builds to, tmux for the tests in a real multiplexer,
# mkfs.ext4 for tests on a file system, jq for the recipes, fio for a second opinion on latency. unshare, setpriv, mount and fallocate are util-linux's.
set -eu

missing=
[ -e /usr/include/bpf/bpf_helpers.h ] || missing="$missing libbpf-dev"
command -v clang-14 >/dev/null || missing="$missing clang-14"
command -v llvm-strip-14 >/dev/null || missing="$missing llvm-14"
command -v tmux >/dev/null || missing="$missing tmux"
command -v strace >/dev/null || missing="$missing strace"
command -v jq >/dev/null || missing="$missing jq"
command -v setcap >/dev/null || [ -x /sbin/setcap ] || missing="$missing libcap2-bin"
command -v sudo >/dev/null || missing="$missing sudo"
command -v strace >/dev/null || missing="$missing strace"
command -v mkfs.ext4 >/dev/null || [ -x /sbin/mkfs.ext4 ] || missing="$missing e2fsprogs"
command -v fio >/dev/null || missing="$missing fio"
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "the tests need the Debian packages$missing or their like; install them and run again" >&2
	exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
