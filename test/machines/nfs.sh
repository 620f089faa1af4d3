#!/bin/bash
# Runs in a guest: the kernel's NFS server and its client over loopback. Records the calls and waits of programs that
# read a large file: three times from the beginning, each time farther, then at random, and once through the page cache.
# Prints what the test compares: sections that begin with `== name`.
cd "$PROJECT" || exit 1
export TMPDIR=/run
modules() { modprobe -d "$KERNEL" "$@"; }
section() { echo "== $*"; }
FAR=2147483647
# What the firmware has left on the console ends here.
echo
section kernel "$(uname -r)"
modules ext4
modules nfsd
modules nfsv4
modules nvme
for _ in $(seq 50); do
	[ -b /dev/nvme0n1 ] && break
	sleep 0.2
done
mkdir /run/served /run/nfs
mkfs.ext4 -q /dev/nvme0n1
mount /dev/nvme0n1 /run/served
dd if=/dev/urandom of=/run/served/large bs=1M count=24 status=none

# What rpc.mountd and exportfs would tell the server, so that the guest needs neither.
mount -t nfsd nfsd /proc/fs/nfsd
echo '-2 -3 +4' >/proc/fs/nfsd/versions
for time in nfsv4leasetime nfsv4gracetime; do echo 10 >/proc/fs/nfsd/$time; done
echo "nfsd 127.0.0.1 $FAR local" >/proc/net/rpc/auth.unix.ip/channel
# The root of what is served: fsid=0, insecure, async, no_subtree_check, nobody is squashed.
echo "local /run/served $FAR $((0x2000 | 0x4 | 0x10 | 0x400)) 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
echo "local 1 \\x00000000 $FAR /run/served" >/proc/net/rpc/nfsd.fh/channel
echo 4 >/proc/fs/nfsd/threads
echo Y >/proc/fs/nfsd/v4_end_grace 2>/dev/null

bin/ioheat record /run/nfs.ioheat --waits --calls >/run/told 2>&1 &
recorder=$!
for _ in $(seq 240); do
	[ -s /run/nfs.ioheat ] && break
	sleep 0.5
done
mount -i -t nfs4 127.0.0.1:/ /run/nfs -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,rsize=8192
large=/run/nfs/large
for blocks in 500 1000 2000; do
	dd if=$large of=/dev/null bs=8k count=$blocks iflag=direct status=none
	sleep 1
done
fio --name=random --filename=$large --readonly --direct=1 --rw=randread --bs=8k --ioengine=psync --thread \
	--number_ios=1500 --eta=never --output-format=json --output=/run/fio
stats() { sed -n '/ mounted on \/run\/nfs /,/^device/p' /proc/self/mountstats; }
section mountstats-direct
stats
sleep 1
section sums
sum $large
sum $large
section mountstats
stats
kill -INT $recorder
wait $recorder
code=$?
section record-exit $code
section told
cat /run/told
section fio
cat /run/fio
section calls
bin/ioheat export /run/nfs.ioheat --layer calls --filter 'file~large call=read,pread64' --format ndjson
section waits
bin/ioheat export /run/nfs.ioheat --layer waits --filter 'comm=dd,fio,sum' --format ndjson
section trace
base64 -w 0 /run/nfs.ioheat
echo
