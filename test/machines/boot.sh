#!/bin/bash
# boot.sh KERNEL_FOLDER SCRIPT [WORD...]: boots the kernel under QEMU, with this machine's / as its
# read-only root, and runs SCRIPT there; WORDs are added to the kernel's command line. What the guest
# writes to its console comes to standard output. No KVM: guests are slow, and the same everywhere.
set -euo pipefail
kernel=$(realpath "$1")
script=$(realpath "$2")
shift 2
version=$(ls "$kernel/lib/modules")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/sbin:/usr/sbin

tree=$work/tree
mkdir -p "$tree"/{bin,modules,new,proc}
cp "$(command -v busybox)" "$tree/bin/"

# The modules for the root file system, in the order in which they depend on each other.
for module in virtio_pci 9pnet_virtio 9p; do
	modprobe -d "$kernel" -S "$version" -D "$module"
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$work/order"
number=10
while read -r file; do
	name=$((number++))-$(basename "${file%.xz}")
	case $file in
	*.xz) xz -dc "$file" >"$tree/modules/$name" ;;
	*) cp "$file" "$tree/modules/$name" ;;
	esac
done <"$work/order"

cat >"$tree/init" <<END
#!/bin/busybox sh
run=/bin/busybox
\$run mount -t proc proc /proc
for module in /modules/*; do \$run insmod \$module; done
\$run mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 root /new || \$run poweroff -f
\$run mount -t proc proc /new/proc
\$run mount -t sysfs sysfs /new/sys
\$run mount -t devtmpfs dev /new/dev
\$run mkdir -p /new/dev/shm /new/dev/pts
\$run mount -t devpts pts /new/dev/pts
for folder in dev/shm run root; do \$run mount -t tmpfs tmpfs /new/\$folder; done
\$run mount -t cgroup2 cgroup /new/sys/fs/cgroup
\$run mount -t securityfs security /new/sys/kernel/security
\$run ifconfig lo 127.0.0.1 up
\$run hostname guest
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm-256color
export KERNEL=$kernel PROJECT=$PWD
\$run chroot /new /bin/bash $script
echo "== end \$?"
\$run poweroff -f
END
chmod +x "$tree/init"
(cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initramfs"
truncate -s 64M "$work/nvme"

qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m "${MEMORY:-1500}" \
	-nodefaults -nographic -no-reboot -serial stdio \
	-kernel "$kernel/vmlinuz" -initrd "$work/initramfs" \
	-append "console=ttyS0 quiet panic=-1 tsc=reliable no_timer_check $*" \
	-fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap \
	-device virtio-9p-pci,fsdev=root,mount_tag=root \
	-drive "file=$work/nvme,if=none,id=nvme,format=raw,cache=unsafe" \
	-device nvme,serial=guest,drive=nvme
