#!/bin/bash
# Runs in a guest: traces disks that this kernel makes, does I/O of known number, size, delay and error to
# them, and prints what the test compares: sections that begin with `== name`.
cd "$PROJECT" || exit 1
export TMPDIR=/run
modules() { modprobe -d "$KERNEL" "$@"; }
section() { echo "== $*"; }
# rows FILE [OPTION...]: exported as NDJSON. What is said beside them would be on the same console.
rows() { bin/ioheat export "$@" --format ndjson 2>/run/export-told || cat /run/export-told; }
modules configfs 2>/dev/null
mountpoint -q /sys/kernel/config || mount -t configfs config /sys/kernel/config
modules null_blk nr_devices=0
make_null() {
	local folder=/sys/kernel/config/nullb/$1
	mkdir "$folder"
	shift
	for setting in "$@"; do echo "${setting#*=}" >"$folder/${setting%%=*}"; done
	echo 1 >"$folder/power"
}
# irqmode 2: each request completes by a timer, after 2 ms and no sooner.
make_null nullb0 size=64 irqmode=2 completion_nsec=2000000 queue_mode=2 memory_backed=1 || exit 1
make_null nullb1 size=64 irqmode=0 queue_mode=2 memory_backed=1 badblocks=+2048-2055 || exit 1
# With four requests each: of the disk itself, and of the scheduler above one that has more.
make_null nullb2 size=64 irqmode=2 completion_nsec=20000000 queue_mode=2 memory_backed=1 \
	submit_queues=1 hw_queue_depth=4 || exit 1
make_null nullb3 size=64 irqmode=2 completion_nsec=20000000 queue_mode=2 memory_backed=1 \
	submit_queues=1 hw_queue_depth=64 || exit 1
make_null nullb4 size=64 irqmode=0 queue_mode=2 memory_backed=1 || exit 1
make_null nullb5 size=64 irqmode=0 queue_mode=2 memory_backed=1 || exit 1
# Each request takes two seconds.
make_null nullb6 size=64 irqmode=2 completion_nsec=2000000000 queue_mode=2 memory_backed=1 || exit 1
make_null nullb7 size=64 irqmode=2 completion_nsec=2000000000 queue_mode=2 memory_backed=1 || exit 1
for disk in 8 9 10 11 12 13; do
	make_null nullb$disk size=64 irqmode=0 queue_mode=2 memory_backed=1 || exit 1
done
echo none >/sys/block/nullb2/queue/scheduler
echo mq-deadline >/sys/block/nullb3/queue/scheduler
echo 4 >/sys/block/nullb3/queue/nr_requests
# One request for each read, or two that are neighbours by chance would be one.
echo 2 >/sys/block/nullb2/queue/nomerges
echo 2 >/sys/block/nullb3/queue/nomerges
modules scsi_debug dev_size_mb=32 ndelay=1000000 lbpu=1 2>/dev/null || modules virtio_scsi
modules sd_mod
modules nvme
modules dm-mod
modules raid0
modules raid1
modules raid456
modules dm-crypt
# The kernel would ask for these itself, of a modprobe in its first root.
for part in xts ecb aes; do modules crypto-$part; done
modules ext4
for _ in $(seq 50); do
	[ -b /dev/nvme0n1 ] && ls -d /sys/block/sd* >/dev/null 2>&1 && break
	sleep 0.2
done
scsi=$(basename "$(ls -d /sys/block/sd* | head -1)")
modules dm-delay
dmsetup create slow --noudevsync --table '0 65536 delay /dev/nullb1 0 100'
delayed=$(basename "$(ls -d /sys/block/dm-* | head -1)")

# LVM on a mirror, by the programs that people use.
export LVM_SYSTEM_DIR=/run/lvm-settings
mkdir -p "$LVM_SYSTEM_DIR"
cat >"$LVM_SYSTEM_DIR/lvm.conf" <<'END'
activation { udev_sync = 0 udev_rules = 0 monitoring = 0 }
devices { use_devicesfile = 0 obtain_device_list_from_udev = 0 multipath_component_detection = 0 }
backup { backup = 0 archive = 0 }
END
{
	mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --bitmap=none /dev/nullb4 /dev/nullb5
	lvm pvcreate -y /dev/md0
	lvm vgcreate vg0 /dev/md0
	lvm lvcreate -y -W n -Z n -L 32M -n data vg0
	mdadm --build /dev/md1 --level=0 --chunk=64 --raid-devices=2 /dev/nullb6 /dev/nullb7
	dmsetup create over --noudevsync --table '0 65536 linear /dev/md1 0'
	mdadm --create /dev/md2 --run --level=5 --raid-devices=3 --assume-clean --bitmap=none /dev/nullb8 /dev/nullb9 /dev/nullb10
	dmsetup create vault --noudevsync --table "0 65536 crypt aes-xts-plain64 $(printf '%064d' 1) 0 /dev/nullb11 0"
	dmsetup create striped --noudevsync --table '0 65536 striped 2 128 /dev/nullb12 0 /dev/nullb13 0'
	# Without udev nobody else makes these.
	for volume in vault striped; do
		ln -s "/dev/dm-$(dmsetup info -c --noheadings -o minor $volume)" /dev/mapper/$volume
	done
} >/run/made 2>&1
section kernel
uname -r
section made
cat /run/made
section doctor
bin/ioheat doctor --json
code=$?
section doctor-exit $code

bin/ioheat record /run/trace.ioheat --verbose >/run/told 2>&1 &
recorder=$!
# The file is made after the programs are attached.
for _ in $(seq 240); do
	[ -s /run/trace.ioheat ] && break
	sleep 0.5
done

section before
cat /proc/diskstats
dd if=/dev/nullb0 of=/dev/null bs=4k count=100 iflag=direct status=none
dd if=/dev/zero of=/dev/nullb0 bs=64k count=50 oflag=direct status=none
dd if=/dev/nullb1 of=/dev/null bs=4k count=1 skip=256 iflag=direct status=none
dd if=/dev/nullb1 of=/dev/null bs=4k count=30 iflag=direct status=none
dd if="/dev/$scsi" of=/dev/null bs=8k count=40 iflag=direct status=none
dd if=/dev/zero of="/dev/$scsi" bs=4k count=20 oflag=direct,dsync status=none
blkdiscard -o 1M -l 1M "/dev/$scsi"
for lane in 0 1 2 3; do
	dd if=/dev/zero of=/dev/nvme0n1 bs=16k count=64 seek=$((lane * 512)) oflag=direct status=none &
	lanes="$lanes $!"
done
# shellcheck disable=SC2086
wait $lanes
dd if="/dev/$delayed" of=/dev/null bs=4k count=20 iflag=direct status=none
dd if=/dev/zero of=/dev/mapper/vg0-data bs=64k count=20 oflag=direct status=none
dd if=/dev/mapper/vg0-data of=/dev/null bs=4k count=30 iflag=direct status=none
for volume in mapper/vault mapper/striped md2; do
	dd if=/dev/zero of=/dev/$volume bs=64k count=20 oflag=direct status=none
	dd if=/dev/$volume of=/dev/null bs=4k count=30 iflag=direct status=none
done
# Held back by the volume alone.
dmsetup suspend --noudevsync vg0-data
dd if=/dev/mapper/vg0-data of=/dev/null bs=8k count=1 skip=9 iflag=direct status=none &
held=$!
for _ in $(seq 100); do
	grep -q '^State:.*D' /proc/$held/status && break
	sleep 0.1
done
sleep 2
dmsetup resume --noudevsync vg0-data
wait $held
# Held by a disk, below RAID without metadata, below the device mapper.
dd if="/dev/dm-$(dmsetup info -c --noheadings -o minor over)" of=/dev/null bs=4k count=1 skip=33 iflag=direct status=none
echo 0 >/sys/devices/system/cpu/cpu1/online
dd if=/dev/nvme0n1 of=/dev/null bs=4k count=100 iflag=direct status=none
echo 1 >/sys/devices/system/cpu/cpu1/online
date -s '2031-01-01 12:00:00' >/dev/null
dd if=/dev/nullb0 of=/dev/null bs=4k count=20 iflag=direct status=none
sync
for disk in nullb2 nullb3; do
	chrt --fifo 1 fio --name=reads --filename=/dev/$disk --direct=1 --rw=randread --norandommap --bs=4k \
		--ioengine=psync --thread --numjobs=16 --number_ios=15 --group_reporting --lat_percentiles=1 \
		--clat_percentiles=0 --eta=never --output-format=json --output=/run/fio-$disk
done
section after
cat /proc/diskstats
section delayed $delayed
section mapped
for volume in vg0-data vault striped; do
	echo "$volume dm-$(dmsetup info -c --noheadings -o minor $volume)"
done

section fio-nullb2
cat /run/fio-nullb2
section fio-nullb3
cat /run/fio-nullb3

# The disk goes away while it is traced.
echo 1 >"/sys/block/$scsi/device/delete"
sleep 1
kill -INT $recorder
wait $recorder
code=$?
section told
cat /run/told
section record-exit $code
section once
bin/ioheat --once --duration 3s --columns 100 --rows 30 --color never
code=$?
section once-exit $code
bin/ioheat record /run/waits.ioheat --waits >/run/waits-told 2>&1 &
recorder=$!
for _ in $(seq 240); do
	[ -s /run/waits.ioheat ] && break
	kill -0 $recorder 2>/dev/null || break
	sleep 0.5
done
dd if=/dev/nullb2 of=/dev/null bs=4k count=25 iflag=direct status=none
kill -INT $recorder 2>/dev/null
wait $recorder
code=$?
section waits-exit $code
section waits-told
cat /run/waits-told
section waits
[ -s /run/waits.ioheat ] &&
	rows /run/waits.ioheat --layer waits --filter 'comm=dd call=read'
section tree
bin/ioheat replay /run/trace.ioheat --once --layer volumes --columns 120 --rows 60 --color never
mkfs.ext4 -q -O ^has_journal /dev/nullb0
mkdir /run/disk
for volume in vg0-data vault; do
	mkfs.ext4 -q -O ^has_journal /dev/mapper/$volume
	mkdir /run/$volume
done
bin/ioheat record /run/files.ioheat --calls >/run/files-told 2>&1 &
recorder=$!
for _ in $(seq 240); do
	[ -s /run/files.ioheat ] && break
	kill -0 $recorder 2>/dev/null || break
	sleep 0.5
done
if [ -s /run/files.ioheat ]; then calls=yes; else
	bin/ioheat record /run/files.ioheat >>/run/files-told 2>&1 &
	recorder=$!
	for _ in $(seq 240); do
		[ -s /run/files.ioheat ] && break
		sleep 0.5
	done
fi
mount /dev/nullb0 /run/disk
dd if=/dev/urandom of=/run/disk/written bs=64k count=16 status=none
for volume in vg0-data vault; do
	mount /dev/mapper/$volume /run/$volume
	dd if=/dev/urandom of=/run/$volume/mapped bs=64k count=16 status=none
done
# By the kernel itself, not by a program that waits for it.
for setting in expire writeback; do echo 10 >/proc/sys/vm/dirty_${setting}_centisecs; done
for _ in $(seq 100); do
	[ "$(grep '^Dirty:' /proc/meminfo | tr -dc 0-9)" -lt 64 ] && break
	sleep 0.2
done
sync /run/disk/written /run/vg0-data/mapped /run/vault/mapped
umount /run/vg0-data /run/vault
dd if=/run/disk/written of=/dev/null bs=4k count=25 iflag=direct status=none
(cd /run/disk && python3 "$PROJECT/test/load/uring-calls.py" registered) >/run/uring
umount /run/disk
mkfs.ext4 -qF -J size=4 /dev/nullb0
mount /dev/nullb0 /run/disk
python3 test/load/fill-journal.py /run/disk 40 >/run/fillers
umount /run/disk
kill -INT $recorder
wait $recorder
code=$?
section files-exit $code
section files-calls "${calls:-no}"
section files-told
cat /run/files-told
section files
rows /run/files.ioheat --filter 'file~written'
section mapped-file
rows /run/files.ioheat --layer volumes --filter 'file~mapped op=write'
section fillers
cat /run/fillers
section journal
rows /run/files.ioheat --filter 'file=journal op=write'
section calls
rows /run/files.ioheat --layer calls --filter 'comm=dd call=pread64,read file~written'
section uring
cat /run/uring
section uring-calls
rows /run/files.ioheat --layer calls --filter 'comm=python3 call~uring'
section programs-left "$(bpftool prog 2>/dev/null | grep -c 'name complete')"
section trace
base64 -w 0 /run/trace.ioheat
echo
section kernel-log
dmesg | grep -E 'WARNING:|BUG:|Oops|rcu.*stall|soft lockup|blocked for more' || true
