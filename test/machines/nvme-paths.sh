#!/bin/bash
# Runs in a guest whose NVMe disk has one or several controllers: records direct reads and synced writes of a file on it,
# and then direct reads with a filter on the disk, and system calls with one.
# Prints what the test compares: sections that begin with `== name`.
cd "$PROJECT" || exit 1
export TMPDIR=/run
modules() { modprobe -d "$KERNEL" "$@"; }
section() { echo "== $*"; }
# What the firmware has left on the console ends here.
echo
section kernel "$(uname -r)"
modules ext4
modules nvme
# The controllers have their numbers in the order in which they answer, and so has the disk.
for _ in $(seq 50); do
	disk=$(ls /sys/block | grep -x 'nvme[0-9]*n1') && break
	sleep 0.2
done
sleep 1
section disk "$disk"
section paths "$(ls /sys/block | grep -x 'nvme[0-9]*c[0-9]*n1' | tr '\n' ' ')"
# Nothing is written later than asked for.
mkfs.ext4 -q -O ^has_journal "/dev/$disk"
mkdir /run/srv
mount -o noatime "/dev/$disk" /run/srv
dd if=/dev/zero of=/run/srv/file bs=64k count=20 conv=fsync status=none
sync
sleep 1

# record FILE [OPTION...]: until the recorder has written its head.
record() {
	local file=$1
	shift
	bin/ioheat record "$file" "$@" >/run/told 2>&1 &
	recorder=$!
	for _ in $(seq 240); do
		[ -s "$file" ] && break
		sleep 0.5
	done
}
end() {
	kill -INT $recorder
	wait $recorder
}
reads() { dd if=/run/srv/file of=/dev/null bs=64k iflag=direct status=none; }

record /run/all.ioheat
section before
cat /proc/diskstats
reads
dd if=/dev/zero of=/run/srv/file bs=64k count=20 oflag=direct conv=fsync,notrunc status=none
sync
sleep 1
section after
cat /proc/diskstats
end
section record-exit $?
section told
cat /run/told
section layers
bin/ioheat report /run/all.ioheat --json | grep other_layers
record /run/filtered.ioheat --filter "disk=$disk or volume=$disk"
reads
sleep 1
end
section filtered
bin/ioheat export /run/filtered.ioheat --filter 'op=read comm=dd' --format ndjson
record /run/calls.ioheat --calls --filter "disk=$disk"
reads
sleep 1
end
section calls
bin/ioheat export /run/calls.ioheat --layer calls --filter 'call=read comm=dd' --format ndjson
section trace
base64 -w 0 /run/all.ioheat
echo
