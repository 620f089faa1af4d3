#!/bin/sh
# Debian packages that `npm run check` needs besides Node: libbpf to run, clang and libbpf's headers to
# prove that the committed eBPF object is what its source builds to, tmux for tests in a real multiplexer,
# strace for the list of system calls, mkfs.ext4, mkfs.xfs, mkfs.btrfs and mkfs.erofs for tests on file systems, jq for the
# recipes, fio for a second opinion on latency, zsh and fish for completions, mandoc for the man page, db_bench for
# the case of RocksDB, PostgreSQL (17 MB to download, 55 MB on the disk) for an evening with a database. unshare,
# setpriv, mount and fallocate are util-linux's.
# Root installs what is missing; for anybody else the command is printed.
# ClickHouse comes from npm: 540 MB on the disk, which who only runs ioheat need not have.
set -eu

[ -d test/tools/clickhouse/node_modules/chdb ] ||
	(cd test/tools/clickhouse && npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error)

missing=
[ -e /usr/include/bpf/bpf_helpers.h ] || missing="$missing libbpf-dev"
command -v clang-14 >/dev/null || missing="$missing clang-14"
command -v llvm-strip-14 >/dev/null || missing="$missing llvm-14"
command -v tmux >/dev/null || missing="$missing tmux"
command -v strace >/dev/null || missing="$missing strace"
command -v jq >/dev/null || missing="$missing jq"
command -v setcap >/dev/null || [ -x /sbin/setcap ] || missing="$missing libcap2-bin"
command -v sudo >/dev/null || missing="$missing sudo"
command -v mkfs.ext4 >/dev/null || [ -x /sbin/mkfs.ext4 ] || missing="$missing e2fsprogs"
command -v mkfs.xfs >/dev/null || [ -x /sbin/mkfs.xfs ] || missing="$missing xfsprogs"
command -v mkfs.btrfs >/dev/null || [ -x /sbin/mkfs.btrfs ] || missing="$missing btrfs-progs"
command -v mkfs.erofs >/dev/null || [ -x /sbin/mkfs.erofs ] || missing="$missing erofs-utils"
command -v fio >/dev/null || missing="$missing fio"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v zsh >/dev/null || missing="$missing zsh"
command -v fish >/dev/null || missing="$missing fish"
command -v mandoc >/dev/null || missing="$missing mandoc"
command -v db_bench >/dev/null || missing="$missing rocksdb-tools"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "npm run check needs the Debian packages$missing, or the same of another distribution" >&2
	echo "install them as root:  apt-get install$missing" >&2
	echo "or run npm test, which skips what needs them and prints why" >&2
	exit 1
fi
apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
