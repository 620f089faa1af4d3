#!/bin/bash
# boot.sh KERNEL_FOLDER SCRIPT [WORD...]: boots the kernel under QEMU and runs SCRIPT there; WORDs are added
# to the kernel's command line. The read-only root is this machine's /, that of arm64 beside KERNEL_FOLDER.
# What the guest writes to its console comes to standard output. No KVM: guests are slow, and the same
# everywhere.
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

# shared NAME FOLDER: a folder of this machine that the guest can mount under that name.
shared() {
	devices+=(-fsdev "local,id=$1,path=$2,security_model=none,readonly=on,multidevs=remap")
	devices+=(-device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
devices=()
case $version in
*-arm64*)
	machine=(qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on)
	words='console=ttyAMA0'
	root=$(dirname "$kernel")/arm64
	busybox=$root/bin/busybox
	shared project "$PWD"
	shared kernel "$kernel"
	guest_kernel=/kernel
	guest_project=/project
	script=/project/$(realpath --relative-to=. "$script")
	# Debian's kernels for arm64 have no scsi_debug.
	truncate -s 32M "$work/scsi"
	devices+=(-drive "file=$work/scsi,if=none,id=scsi,format=raw,cache=unsafe,discard=unmap")
	devices+=(-device virtio-scsi-pci -device scsi-hd,drive=scsi)
	;;
*)
	machine=(qemu-system-x86_64 -cpu max)
	words='console=ttyS0 tsc=reliable no_timer_check'
	root=/
	busybox=$(command -v busybox)
	guest_kernel=$kernel
	guest_project=$PWD
	;;
esac
shared root "$root"
cp "$busybox" "$tree/bin/"

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
share() { \$run mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 \$1 /new\$2; }
share root || \$run poweroff -f
if [ $root != / ]; then
	share kernel /kernel
	share project /project
	\$run mount -o bind /new/packages/node_modules /new/project/node_modules
fi
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
export KERNEL=$guest_kernel PROJECT=$guest_project
\$run chroot /new /bin/bash $script
echo "== end \$?"
\$run poweroff -f
END
chmod +x "$tree/init"
(cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/initramfs"
truncate -s 64M "$work/nvme"
# With NVME_PATHS=N, the disk has N controllers. The kernel then makes requests of hidden paths of it.
nvme=(-device nvme,serial=guest,drive=nvme)
if [ -n "${NVME_PATHS:-}" ]; then
	nvme=(-device nvme-subsys,id=paths)
	for _ in $(seq "$NVME_PATHS"); do nvme+=(-device nvme,serial=guest,subsys=paths); done
	nvme+=(-device nvme-ns,drive=nvme,nsid=1,shared=on)
fi

"${machine[@]}" -accel tcg,thread=multi -smp 2 -m "${MEMORY:-1500}" \
	-nodefaults -nographic -no-reboot -serial stdio \
	-kernel "$kernel/vmlinuz" -initrd "$work/initramfs" \
	-append "$words quiet panic=-1 $*" \
	"${devices[@]}" \
	-drive "file=$work/nvme,if=none,id=nvme,format=raw,cache=unsafe" \
	"${nvme[@]}"
