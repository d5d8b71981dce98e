#!/bin/bash
# Programs run and are probed while the file systems below them are changed: copied up, renamed, truncated, recreated, unmounted, killed
# counts: mounts
# count: 60

# place/stepper exists on the host, for the translator; in the guest a file system is mounted on place.
prepare()
{
	mkdir place
	program place/stepper run-session/start-fails.c
	module t_place <<-'END'
		global n
		probe process("./place/stepper").function("step") { n++ }
		probe process("./place/stepper").function("step").return { n++ }
		probe process("./place/stepper").mark("step") { n++ }
		probe process("./place/stepper").data("steps").write { n++ }
		probe process("./place/stepper").begin, process("./place/stepper").end, process("./place/stepper").syscall { n++ }
		probe process("./place/stepper").function("main") { print_ubacktrace() }
	END
}

begin()
{
	cp place/stepper /run/storm/stepper
	truncate -s 64M /run/storm/disk && mkfs.ext4 -q -F /run/storm/disk
	mkdir /run/storm/{lower,upper,work,nine}
	share=$(awk '$1 == "share" && $3 == "9p" { print $2; exit }' /proc/mounts)
	kinds="tmpfs ramfs overlay overlay-of-host bind"
	modprobe loop && modprobe ext4 && kinds+=" ext4"
	[[ -z $share ]] || kinds+=" 9p"
	modprobe fuse && type -P bindfs >/dev/null && kinds+=" fuse"
	echo "storm: on $kinds"
}

# Puts the program into place, on a file system of type KIND.
place()
{
	case $1 in
	tmpfs | ramfs) mount -t "$1" none place && cp /run/storm/stepper place/ ;;
	ext4) mount -o loop /run/storm/disk place && rm -rf place/* && cp /run/storm/stepper place/ ;;
	overlay)
		rm -rf /run/storm/{lower,upper,work}/* && cp /run/storm/stepper /run/storm/lower/ &&
			mount -t overlay -o lowerdir=/run/storm/lower,upperdir=/run/storm/upper,workdir=/run/storm/work none place
		;;
	overlay-of-host)
		rm -rf /run/storm/{upper,work}/* && mount -t overlay -o \
			lowerdir="$PWD/place",upperdir=/run/storm/upper,workdir=/run/storm/work none place
		;;
	bind) rm -rf /run/storm/lower/* && cp /run/storm/stepper /run/storm/lower/ && mount --bind /run/storm/lower place ;;
	fuse) rm -rf /run/storm/lower/* && cp /run/storm/stepper /run/storm/lower/ && bindfs -o nonempty /run/storm/lower place ;;
	9p) mkdir -p "$share/place" && mount --bind "$share/place" place && cp /run/storm/stepper place/ ;;
	esac
}

# Any of these may fail: a running program cannot be written to, a busy file system not unmounted.
disturb()
{
	case $1 in
	copy-up) chmod u+s,g-s place/stepper; touch place/stepper ;;
	write) printf '' >>place/stepper ;;
	own) chown 1:1 place/stepper ;;
	rename) mv place/stepper place/other; place/other 1; mv place/other place/stepper ;;
	delete) rm -f place/stepper; cp /run/storm/stepper place/stepper ;;
	replace) cp /run/storm/stepper place/new && mv place/new place/stepper ;;
	truncate) truncate -s 100 place/stepper; cp --remove-destination /run/storm/stepper place/stepper ;;
	hole) fallocate -p -o 0 -l 4096 place/stepper; cp --remove-destination /run/storm/stepper place/stepper ;;
	link) ln -f place/stepper place/linked; place/linked 1 ;;
	swap) cp /run/storm/stepper place/one; ln -sf one place/two; mv place/two place/stepper ;;
	readonly) mount -o remount,ro place; mount -o remount,rw place ;;
	unmount) umount place && { place "$kind"; place/stepper 1; } ;;
	lazy) umount -l place && place "$kind" ;;
	cover) mount -t tmpfs none place && cp /run/storm/stepper place/ && place/stepper 1; umount place ;;
	silent) pkill -STOP -x bindfs; sleep 0.3; pkill -CONT -x bindfs ;;
	dead) ! pkill -KILL -x bindfs || { umount -l place && place fuse; } ;;
	drop) echo 3 >/proc/sys/vm/drop_caches ;;
	memfd) perl -e 'my $n = "m"; my $fd = syscall(319, $n, 0); open(my $i, "<", $ARGV[0]); local $/; open(my $o, ">&=", $fd);
		print $o <$i>; $o->flush; exec("/proc/self/fd/$fd", 1) if fork == 0; wait' place/stepper ;;
	esac >/dev/null 2>&1
}

disturbances="copy-up write own rename delete replace truncate hole link swap readonly unmount lazy cover silent dead drop memfd"

# The program's exit status shows that it is unmodified: no breakpoint, no reference counter.
clean() { "$1" 3; }

round()
{
	local end n what="" pids=()

	# shellcheck disable=SC2086
	kind=$(pick $kinds)
	place "$kind" || { complaint "cannot mount $kind"; return; }
	"$TAPRUN" -R ./t_place.ko >out 2>err & pid=$!
	place/stepper 300 & pids+=($!)
	sleep 0.$((RANDOM % 9))
	for ((n = RANDOM % 3 + 1; n; n--)); do
		place/stepper 100 & pids+=($!)
		# shellcheck disable=SC2086
		end=$(pick $disturbances)
		what+=" $end"
		disturb "$end"
		sleep 0.$((RANDOM % 3))
	done
	end=$(pick INT INT TERM KILL)
	kill -"$end" $pid
	wait_for $pid "${pids[@]}" 2>/dev/null
	echo "$kind:$what, $end"
	did 1
	"$TAPRUN" -d '*' 2>err || cat err
	if [[ -x place/stepper ]]; then
		clean place/stepper || complaint "$kind,$what: left in the program: $?"
	fi
	cp place/one /run/storm/again 2>/dev/null || cp place/stepper /run/storm/again 2>/dev/null &&
		{ clean /run/storm/again || complaint "$kind,$what: left in a copy: $?"; }
	# the session keeps no reference to what was unmounted
	wait_until eval 'while mountpoint -q place; do umount place || break; done; ! mountpoint -q place' 2>/dev/null
	! grep -q 'Busy inodes' /run/storm.log || complaint "$kind,$what: an inode outlived its file system"
	clean place/stepper || complaint "left in the file below the mount: $?"
}
