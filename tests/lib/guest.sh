# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# One QEMU guest: start it, run jobs in it, stop it. Needs kernels.sh, emulator.sh and kernel-log.sh.
#
# The guest's root is the host's root directory, read-only, below a tmpfs; for a guest of another architecture there is a
# layer with its programs in between. The share is one host directory, writable and uncached, at the same path in the
# guest. Files come over 9p, or over virtiofs if the kernel has no 9p. The agent (guest-agent) listens on the second serial port, which is a pair of FIFOs on the host.

# set by the caller before guest_start
guest_kernel=		# release
guest_arch=amd64	# or arm64
guest_prefix=		# directory of its files
guest_programs=		# layer above the host's files for a guest of another architecture
guest_share=		# the shared directory
guest_scratch=		# a private directory, for initramfs, FIFOs and console
guest_memory=1024
guest_smp=2
guest_parallel=		# its processors run at the same time, for which QEMU 10 is needed
guest_icount=		# QEMU's option that makes an instruction take a nanosecond
guest_shell=		# terminal type: run an interactive shell instead of the agent
guest_append=
guest_systemd=		# systemd is the first process, and the agent is one of its services
guest_secure=		# UEFI with Secure Boot enabled
guest_forward=		# a port of this machine that is forwarded to the guest's port 22
guest_boot_timeout=600
guest_meanwhile=	# a command to run every second while a job runs
guest_patience=1	# factor for all time-outs

guest_pid=
guest_line=

# C's of QEMU 7.2, or its successor in Debian's package virtiofsd
guest_virtiofsd=/usr/lib/qemu/virtiofsd
[[ -x $guest_virtiofsd ]] || guest_virtiofsd=/usr/libexec/virtiofsd

guest_tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Processors that take turns need half the time of this machine that parallel ones need. Before 8.1 QEMU may miss a
# write to code that another processor is just translating. Patched kernel functions then loop forever at their old
# breakpoint ("the guest hung", RIP at FUNCTION+0x0).
guest_threads() { [[ -n $guest_parallel ]] && echo multi || echo single; }

# The file system by which the guest gets this machine's files: the cloud flavour of Debian's kernels has no 9p.
guest_file_system()
{
	if grep -qs '/9p\.ko' "$guest_prefix/lib/modules/$guest_kernel"/modules.{dep,builtin}; then
		echo 9p
	else
		echo virtiofs
	fi
}

# The module files that the guest needs to mount its root, in the order of loading. Built-in modules have no file in
# modules.dep.
guest_modules()
{
	local dir=$guest_prefix/lib/modules/$guest_kernel

	awk -v wanted="virtio_pci 9pnet_virtio $(guest_file_system) overlay" '
		function load(file,	n, need, i) {
			if (done[file]++)
				return
			n = split(needs[file], need, " ")
			for (i = n; i > 0; i--)
				load(need[i])
			print file
		}
		{
			file = substr($1, 1, length($1) - 1)
			name = file
			sub(/.*\//, "", name); sub(/\.ko.*/, "", name)
			files[name] = file
			$1 = ""
			needs[file] = $0
		}
		END {
			n = split(wanted, want, " ")
			for (i = 1; i <= n; i++)
				if (want[i] in files)
					load(files[want[i]])
		}' "$dir/modules.dep" | sed "s#^#$dir/#"
}

# The terminal settings for a shell's stty, since a serial line has no window size.
guest_size()
{
	[[ ! -t 0 ]] || stty size | { read -r rows columns; echo "rows $rows columns $columns"; }
}

# Prints patterns of the files and links that small programs open: themselves, their libraries and their locale. A guest copies
# them into its memory: each open over 9p is several requests, which took a third of the time of such a program.
guest_often_opened()
{
	local PATH=/usr/sbin:/usr/bin:/sbin:/bin programs files	# as in a guest

	programs=$(type -P bash sh cat grep sed awk dd ls rm cp mv ln mkdir rmdir chmod chown touch head tail cut sort uniq wc tr tee seq \
		diff cmp stat sleep timeout env id ip mount umount unshare setpriv setsid taskset kmod insmod rmmod)
	# shellcheck disable=SC2086 # the names have no spaces
	files="$programs $(ldd $programs | sed -n 's/.* => \([^ ]*\) .*/\1/p; s#^\t\(/lib64/[^ ]*\) .*#\1#p')
		$(find /usr/lib/locale/C.utf8 -type f) /etc/ld.so.cache"
	# shellcheck disable=SC2086
	{
		printf '%s\n' /bin /sbin /lib /lib64 $files
		realpath -e -q $files
	} | sort -u | sed "s#/$(uname -m)-linux-gnu/#/*-linux-gnu/#"
}

guest_initramfs()
{
	local dir=$1 n=10 busybox=${guest_programs:+$guest_programs/bin/busybox} file name

	mkdir -p "$dir/bin" "$dir/modules"
	cp "${busybox:-$(type -P busybox)}" "$dir/bin/busybox"
	cp "$guest_tests/guest-init" "$dir/init"
	cp "$guest_tests/guest-agent" "$dir/agent"
	chmod +x "$dir/init"
	for file in $(guest_modules); do
		name=$dir/modules/$((n++))-$(basename "${file%.ko*}").ko
		case $file in
		*.xz) xz -dc "$file" ;;
		*.zst) zstd -qdc "$file" ;;
		*.gz) gzip -dc "$file" ;;
		*) cat "$file" ;;
		esac >"$name"
	done
	{
		echo "LAB_SHARE='$guest_share' LAB_PREFIX='$guest_prefix' LAB_FILES='$(guest_file_system)'"
		echo "LAB_SHELL='$guest_shell' LAB_CWD='$PWD' LAB_SIZE='$(guest_size)'"
		echo "LAB_SYSTEMD='$guest_systemd' LAB_PROGRAMS='$guest_programs' LAB_LINE='$(guest_agent_line)'"
	} >"$dir/lab.conf"
	guest_often_opened >"$dir/often-opened"
	(cd "$dir" && find . | cpio -o -H newc -R 0:0 2>/dev/null)
}

# In QEMU options a comma ends a value unless it is doubled.
qemu_value() { echo "${1//,/,,}"; }

# guest_directory NAME DIR CACHE [READONLY]: adds to files the options of QEMU for a directory that the guest mounts by this
# name. Over 9p the guest decides what it caches.
guest_directory()
{
	local socket=$guest_scratch/$1.socket daemon

	if [[ $(guest_file_system) = 9p ]]; then
		files+=(-fsdev "local,id=$1,security_model=none,multidevs=remap,${4:+readonly=on,}path=$(qemu_value "$2")"
			-device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
		return
	fi
	# QEMU takes the place of this shell: the daemon ends with it, even if it has never connected
	rm -f "$socket"
	setsid setpriv --pdeathsig TERM "$guest_virtiofsd" "--socket-path=$socket" -o "source=${2//,/\\,}" -o "cache=$3" \
		-o sandbox=chroot </dev/null &>"$guest_scratch/$1.log" &
	daemon=$!
	until [[ -S $socket ]]; do
		kill -0 $daemon 2>/dev/null || { cat "$guest_scratch/$1.log" >&2; return 1; }
		sleep 0.05
	done
	files+=(-chardev "socket,id=$1,path=$(qemu_value "$socket")" -device "vhost-user-fs-pci,chardev=$1,tag=$1")
}

# Sets files. A daemon of virtiofs has access to the guest's memory.
guest_directories()
{
	# shellcheck disable=SC2054
	[[ $(guest_file_system) = 9p ]] ||
		files=(-object "memory-backend-memfd,id=memory,size=${guest_memory}M,share=on" -machine memory-backend=memory)
	guest_directory hostroot / always readonly && guest_directory share "$guest_share" none || return
	[[ -z $guest_programs ]] || guest_directory programs "$guest_programs" always readonly
}

# Debian's OVMF has variables in which a test key is enrolled, also in db. The kernel accepts modules signed with it,
# but the firmware does not accept Debian's kernels, so the kernel is signed with it as well.
guest_firmware()
{
	local ovmf=/usr/share/OVMF key=/usr/share/ovmf/PkKek-1-snakeoil

	cp "$ovmf/OVMF_VARS_4M.snakeoil.fd" "$guest_scratch/variables"
	openssl rsa -in $key.key -passin pass:snakeoil -out "$guest_scratch/key" 2>/dev/null || return
	sbsign --key "$guest_scratch/key" --cert $key.pem --output "$guest_scratch/vmlinuz" "$image" || return
	image=$guest_scratch/vmlinuz
	# shellcheck disable=SC2054
	firmware=(-machine q35,smm=on -global 'driver=cfi.pflash01,property=secure,value=on'
		-drive "if=pflash,unit=0,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.secboot.fd"
		-drive "if=pflash,unit=1,format=raw,file=$(qemu_value "$guest_scratch/variables")")
}

guest_emulator()
{
	case $guest_arch in
	arm64) echo qemu-system-aarch64 ;;
	*) emulator_program ;;
	esac
}

# The device name of the agent's serial line in the guest.
guest_agent_line()
{
	case $guest_arch in
	arm64) echo /dev/ttyS0 ;;	# the machine's only built-in port is ttyAMA0
	*) echo /dev/ttyS1 ;;
	esac
}

# Sets machine and append.
guest_machine()
{
	case $guest_arch in
	arm64)
		# max: has pointer authentication; impdef: with a hash that is cheap to emulate
		# shellcheck disable=SC2054
		machine=(-M virt -cpu max,pauth-impdef=on,sve=off -device pci-serial,chardev=agent)
		append=console=ttyAMA0
		;;
	*)
		# -erms, -fsrm: with them kernel and programs copy by rep movsb, which QEMU emulates byte by byte.
		# -cx16: QEMU before 10 corrupts the flags in cmpxchg16b, which kills 6.12 at random.
		machine=(-cpu "max,la57=off,-erms,-fsrm$(emulator_at_least "$(guest_emulator)" 10.0 || echo ,-cx16)"
			-serial chardev:agent
			# a watchdog that expires immediately when a guest writes 15 to port 0x443, to generate NMIs
			-device ib700 -action watchdog=inject-nmi)
		# tsc=reliable: otherwise 5.10 and 6.1 use the hpet with two CPUs, which is 30 times as slow.
		# no_timer_check: on a busy host the kernel would take a late timer for a broken one, and panic.
		append='console=ttyS0 tsc=reliable no_timer_check'
		# The kernel would measure this itself. On a busy host it may measure a quarter of the frequency: its
		# seconds are then too short, and all time-outs expire too early.
		khz=$([[ -n $guest_icount ]] || emulator_tsc_khz "$guest_scratch/tsc")
		append+=${khz:+ tsc_early_khz=$khz}
		;;
	esac
}

# ARGUMENTS define the agent's character device.
guest_qemu()
{
	local accel=(-accel "tcg,thread=$(guest_threads)") net=(-net none) firmware=() files=() image machine append khz
	local watchdog=$((30 * guest_patience))

	((watchdog <= 60)) || watchdog=60	# the kernel's maximum
	guest_machine
	guest_directories || return

	image=$guest_prefix/boot/vmlinuz-$guest_kernel
	[[ -z $guest_secure ]] || guest_firmware || return
	[[ -z $guest_icount ]] || accel=(-accel 'tcg,thread=single' -icount "$guest_icount")
	# shellcheck disable=SC2054
	[[ -z $guest_forward ]] || net=(-device virtio-net-pci,netdev=net -netdev
		"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:$guest_forward-:22")
	# loglevel=5: warnings reach the console, in case the guest can no longer report them. The watchdogs wait three
	# times as long, because emulated processors are slow and share a busy host.
	# Not in our process group: ^C of a terminal would end QEMU before the end probes have run.
	exec setsid "$(guest_emulator)" "${accel[@]}" "${firmware[@]}" \
		-m "$guest_memory" -smp "$guest_smp" -display none -nodefaults "${net[@]}" -no-reboot \
		"${files[@]}" \
		-chardev "file,id=console,path=$(qemu_value "$guest_scratch/console")" -serial chardev:console \
		"$@" "${machine[@]}" \
		-kernel "$image" -initrd "$guest_scratch/initramfs.cpio" \
		-append "$append panic=-1 oops=panic loglevel=5 rdinit=/init \
			rcupdate.rcu_cpu_stall_timeout=$((60 * guest_patience)) watchdog_thresh=$watchdog \
			workqueue.watchdog_thresh=$((90 * guest_patience)) $guest_append"
}

guest_prepare()
{
	mkdir -p "$guest_scratch"
	guest_initramfs "$guest_scratch/initramfs" >"$guest_scratch/initramfs.cpio"
	rm -rf "$guest_scratch/initramfs"
}

# Boots and waits for the agent; false, with the guest stopped, if it does not answer.
guest_start()
{
	[[ -e $guest_scratch/initramfs.cpio ]] || guest_prepare
	rm -f "$guest_scratch"/{agent,monitor}.*
	mkfifo "$guest_scratch"/{agent,monitor}.{in,out}
	guest_qemu -chardev "pipe,id=agent,path=$(qemu_value "$guest_scratch/agent")" \
		-chardev "pipe,id=monitor,path=$(qemu_value "$guest_scratch/monitor")" -mon monitor \
		</dev/null >"$guest_scratch/qemu" 2>&1 &
	guest_pid=$!
	# opened for reading and writing so that neither open waits for QEMU
	exec {guest_in}<>"$guest_scratch/agent.in" {guest_out}<>"$guest_scratch/agent.out"
	exec {guest_questions}<>"$guest_scratch/monitor.in" {guest_answers}<>"$guest_scratch/monitor.out"
	guest_line=
	guest_wait ready $((guest_boot_timeout * guest_patience)) && return
	guest_stop
	return 1
}

# guest_wait TEXT SECONDS: until the agent sends TEXT, the guest dies, or the time is over
guest_wait()
{
	local end=$((SECONDS + $2)) part

	while [[ -d /proc/$guest_pid ]] && ((SECONDS < end)); do
		# a background job ignores SIGINT: check whether the caller still exists
		[[ -d /proc/$PPID ]] || exit 130
		[[ -z $guest_meanwhile ]] || "$guest_meanwhile"
		# a read that times out keeps the partial line
		if IFS= read -r -t 1 -u "$guest_out" part; then
			guest_line+=${part%$'\r'}
			[[ $guest_line != *"$1" ]] || { guest_line=; return 0; }
			guest_line=
		else
			guest_line+=$part
		fi
	done
	return 1
}

guest_running() { [[ -n $guest_pid && -d /proc/$guest_pid ]]; }

# Where the processors of a guest are that does not answer, by QEMU's monitor, three times. HLT=1: idle
guest_whereabouts()
{
	local line n

	for n in 1 2 3; do
		echo "processors, time $n:"
		echo 'info registers -a' >&"$guest_questions"
		while IFS= read -r -t 2 -u "$guest_answers" line; do
			[[ ! $line =~ (CPU#|RIP=|PC=) ]] || echo "    ${line%$'\r'}"
		done
	done
}

# guest_job NAME SECONDS: run SHARE/NAME/cmd. False if the guest was lost. The agent ends a job that takes too long; a
# guest that does not even do that is wedged.
guest_job()
{
	local job=$guest_share/$1

	echo "job $1 $2" >&"$guest_in"
	if guest_wait "done $1" $(($2 + 60 * guest_patience)); then
		guest_judge "$job"
		return 0
	fi
	if guest_running; then
		echo "the guest hung"
		tail -n 1 "$guest_scratch/console"
		guest_whereabouts
	else
		echo "the guest crashed"
	fi >>"$job/trouble"
	guest_stop
	tr -d "\r" <"$guest_scratch/console" |
		awk '/lab: begin / { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }' |
		tail -n 200 >"$job/dmesg"
	grep -v " ? " "$job/dmesg" | tail -n 60 >>"$job/trouble"
	echo 125 >"$job/status"
	touch "$job/stdout" "$job/stderr"
	return 1
}

guest_judge()
{
	local log

	log=$(kernel_log_judged "$guest_prefix/lib/modules/$guest_kernel/modules.dep" <"$1/dmesg")
	if grep -qE "$kernel_splat" <<<"$log"; then
		echo "the kernel complained:"
		grep -A 40 -E "$kernel_splat" <<<"$log" | grep -v " ? " | head -n 60
	fi >>"$1/trouble"
	[[ -s $1/trouble ]] || rm -f "$1/trouble"
}

# Powers off, by force if needed.
guest_stop()
{
	local n

	[[ -n $guest_pid ]] || return 0
	if guest_running && [[ ${1:-} = politely ]]; then
		echo off >&"$guest_in"
		for ((n = 0; n < 50; n++)); do
			guest_running || break
			sleep 0.1
		done
	fi
	kill -KILL "$guest_pid" 2>/dev/null
	wait "$guest_pid" 2>/dev/null
	exec {guest_in}>&- {guest_out}>&- {guest_questions}>&- {guest_answers}>&-
	guest_pid=
	return 0
}
