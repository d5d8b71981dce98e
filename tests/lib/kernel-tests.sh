# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Guest tests: tests/run-*/NAME.{stp,sh}, and the gallery: examples/SUBJECT/NAME.stp with the other files of the test,
# such as its workload, in tests/examples/SUBJECT. They run on a kernel in a guest. Scripts are compiled on
# the host (a compiler in the guest is 27 times as slow), then run with taprun, all in one boot. Those of run-language
# run in a process (simulated/NAME), and in a guest with --all, or if they or the kernel are named. Needs kernels.sh,
# judge.sh, host.sh.
#
# Lines within the first eight of a test:
#	# kernels: all		where: all, or names and roles of tests/kernels; default: whole
#	# needs: linux 5.19	not on older kernels; a REASON may follow after a comma
#	# guest: smp		in a guest whose processors run in parallel, as 6.1+smp/...; also: there, too
#	# arm64: no, REASON	not there; REASON is the difference of the architecture, or of a kernel in tests/kernels
#				(debug: and 6.12-debug)
#	# debuginfo: also	with the kernel's debug information, too, as 6.1+debug/...; only: not without. With --all, or
#				if a pattern names the test or +debug
#	# tapc: -g		options of the translator
#	# args: one 2		arguments of the script
#	# overload: yes		probes that take most of a processor's time are switched off; otherwise not,
#				as a guest may get only a small part of this machine
#	# taprun: -T 5		options of the loader
#	# timeout: 300		seconds in the guest, if 180 are too few
#	# default: no		only with --all, or if a pattern on the command line names it
#	# packages: NAME ...	large packages, which few other tests need
#	# host: COMMAND		run by bash on the host, in the test's directory, before a NAME.stp is compiled or a
#				lone NAME.sh runs in the guest; must succeed
#
# NAME.host is a script for the same purpose, run after these commands: for all that does not fit in one line, such as
# scripts of several lines in here-documents.
#
# With a NAME.stp, NAME.sh is the command that the script watches (taprun -c), for as long as it takes: an example with an
# option --duration or --interval gets a minute. Without one, NAME.sh is the test itself, and decides by its exit
# status like a host test, in a separate directory, with the same variables. Any out-of-tree module that is still loaded
# afterwards fails the test.

guest_tests_all()
{
	local dir script

	for dir in "$SRC"/tests/run-*/; do
		dir=${dir%/}
		[[ ! -d $dir ]] || folder_tests "${dir##*/}"
	done
	for script in "$SRC"/examples/*/*.stp; do
		script=${script#"$SRC/"}
		echo "${script%.stp}"
	done
}

guest_tests=()	# cached list of all tests

# All tests and their directives are read only once.
guest_tests_read()
{
	local test source sources=()

	[[ ${#guest_tests[@]} -eq 0 ]] || return 0
	mapfile -t guest_tests < <(guest_tests_all)
	for test in "${guest_tests[@]}"; do
		guest_test_find "$test"
		sources+=("$source")
	done
	directives_read "${sources[@]}"
}

# Sets source to the file with the test's directives: a script of the gallery, or a file in tests/.
guest_test_find()
{
	source=$SRC/tests/$1
	[[ $1 != examples/* ]] || source=$SRC/$1
	if [[ -e $source.stp ]]; then
		source+=.stp
	else
		source+=.sh
	fi
}

# Whether the test, whose lines are in SOURCE, is for the kernel NAME, which is KREL for the machine ARCH.
guest_test_runs_on()
{
	local name=$1 arch=$2 krel=$3 source=$4 directive needs word

	for word in "$name" "${name#[0-9]*-}" "$arch"; do
		directive_of "$source" "$word"
		[[ $directive != no* ]] || return
	done
	directive_of "$source" needs && [[ $directive = 'linux '* ]] || return 0
	needs=${directive#linux }
	sort -V -C <<<"${needs%%,*}"$'\n'"$krel"
}

# The tests for kernel NAME, as NAME/run-x/y, NAME+debug/run-x/y and NAME+smp/run-x/y; for NAME+smp all of them as
# NAME+smp/run-x/y. If $kernels names only this kernel, it was requested explicitly.
guest_tests_for()
{
	local kernel=$1 arch krel role test directive places source debuginfo guest has_debug="" folder=""

	arch=$(kernel_arch "${kernel%+smp}") krel=$(kernel_release "${kernel%+smp}")
	role=$(kernel_role "${kernel%+smp}")
	[[ $role != long ]] || role=spot
	[[ $role != spot || $kernels != "$kernel" ]] || role=smoke
	[[ $role != named ]] || role=whole
	[[ $kernel = *+smp ]] || ! kernel_has_debug "$kernel" || has_debug=yes
	guest_tests_read
	for test in "${guest_tests[@]}"; do
		guest_test_find "$test"
		asked_for "$test" "$source" || continue
		! is_simulated "$test" || [[ $role = spot || $kernels = "$kernel" ]] ||
			by_name run-language "${test##*/}" || continue
		guest_test_runs_on "${kernel%+smp}" "$arch" "$krel" "$source" || continue
		directive_of "$source" kernels && places=$directive || places=whole
		directive_of "$source" debuginfo
		debuginfo=$directive
		directive_of "$source" guest
		guest=$directive
		case " $places " in
		*" ${kernel%+smp} "*) ;;
		*" all "* | *" ${role:-whole} "*)
			[[ $role/$test != "spot/$folder"/* ]] || continue
			[[ $role != spot ]] || folder=${test%%/*}
			;;
		*) continue ;;
		esac
		[[ -z $guest || $kernel = *+smp ]] || echo "$kernel+smp/$test"
		[[ $debuginfo = only || ($guest = smp && $kernel != *+smp) ]] || echo "$kernel/$test"
		[[ -z $debuginfo || -z $has_debug ]] || ! by_name +debug "${test##*/}" || echo "$kernel+debug/$test"
	done
}

# Options of tests/vm for the guest of NAME+smp: four processors, and a fully preemptible kernel.
guest_options()
{
	[[ $1 != *+smp ]] || echo "--parallel --smp 4 --append preempt=full"
}

# The environment of tests on this kernel (or NAME+debug, NAME+smp).
kernel_environment()
{
	local name=${1%+*}

	KREL=$(kernel_release "$name")
	case $1 in
	*+debug) SYSROOT=$(kernel_debug_prefix "$name") || return ;;
	*) SYSROOT=$(kernel_programs "$name")	# a complete system, if the guest is of another architecture
		[[ -n $SYSROOT ]] || SYSROOT=$(kernel_prefix "$name") || return ;;
	esac
	KERNEL_MAKE_ARGS=$(kernel_make_args "$name")
	SLOW=$(kernel_guest "$KREL" slow 1)
	TAPC_ARGS="--sysroot $SYSROOT -r $KREL${KERNEL_MAKE_ARGS:+ -B ${KERNEL_MAKE_ARGS// / -B }}"
	# it takes signed modules only: it was built here, and its key is with its headers
	MODULE_KEY=
	! grep -qsx CONFIG_MODULE_SIG_FORCE=y "$SYSROOT/boot/config-$KREL" ||
		MODULE_KEY=$SYSROOT/usr/src/linux-headers-$KREL
	TAPC_ARGS+=${MODULE_KEY:+ --sign-module=$MODULE_KEY}
	TAPC_ARGS+=${with-}
	TAPRUN=$BUILD/taprun
	if [[ $(kernel_arch "$name") = arm64 ]]; then
		KERNEL_MAKE_ARGS="ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-${KERNEL_MAKE_ARGS:+ $KERNEL_MAKE_ARGS}"
		TAPC_ARGS+=" -a arm64"
		TAPRUN=$BUILD-arm64/taprun	# in a directory created by build_cross in tests/run
	fi
	VM="$SRC/tests/vm --kernel $KREL $(guest_options "$1")"
	VM=${VM% }
	export KREL SYSROOT KERNEL_MAKE_ARGS TAPC_ARGS TAPRUN VM MODULE_KEY SLOW
}

# runtime_prepare TESTS: build the runtime for this kernel before the tests, whose output would have its progress; all of
# it for many tests. If it fails, the tests report it.
runtime_prepare()
{
	# shellcheck disable=SC2086
	if (($1 > 10)); then
		"$TAPC" $TAPC_ARGS --prepare --quiet
	else
		"$TAPC" $TAPC_ARGS --quiet -w -p4 -e 'probe begin { }'
	fi &>/dev/null
}

# guest_run KERNEL APPEND NAME...: compile and run these (KERNEL/run-x/y) and report; APPEND: additions to the guest's
# command line
guest_run()
{
	local kernel=$1 append=$2 jobs test

	shift 2
	if ! kernel_environment "$kernel"; then
		for test; do
			report "$test" skip "kernel $kernel could not be fetched"
		done
		return
	fi
	jobs=$(mktemp -d "$scratch/jobs-$kernel.XXX") || return
	# what programs that are built for gcov have executed in the guest, for tests/coverage
	GCOV_PREFIX=""
	! grep -qs -e --coverage "$BUILD/config.status" || {
		GCOV_PREFIX=$jobs/gcov && mkdir -m 1777 "$GCOV_PREFIX" && chmod a+x "$scratch" "$jobs"
	}
	runtime_prepare $#
	# 2>&1: the functions that write to the guest's pipe report on stderr
	{ guest_compile_all "$jobs" "$@" |
		$VM --append "$append" --batch "$jobs" --follow --timeout 180 2>"$jobs/vm.log" |
		while read -r job; do
			guest_judge_job "$jobs/$job"
		done; } 2>&1
	[[ -z $GCOV_PREFIX ]] || { mkdir -p "$BUILD/guests" && mv "$GCOV_PREFIX" "$BUILD/guests/$(basename "$jobs")"; }
	for test; do
		[[ -e $results/${test//\//,} ]] ||
			report "$test" fail "did not run: $(tail -n 5 "$jobs/vm.log")"
	done
}

# Prints the job of each test when it is ready to run; compile failures are reported (on stderr, as stdout is the
# guest's pipe).
guest_compile_all()
{
	local jobs=$1 test

	shift
	for test; do
		beside "$processors" guest_compile_for "$jobs" "$test"
	done
	wait
	guest_leak_job "$jobs"
}

# The last job on a kernel with kmemleak. It reports an object only when it is five seconds old.
guest_leak_job()
{
	grep -qx CONFIG_DEBUG_KMEMLEAK=y "$SYSROOT/boot/config-$KREL" 2>/dev/null || return 0
	mkdir "$1/kmemleak"
	echo "$kernel/kmemleak" >"$1/kmemleak/name"
	cat >"$1/kmemleak/cmd" <<-'EOF'
		cd /sys/kernel/debug && sleep 6 && echo scan >kmemleak && echo scan >kmemleak && cat kmemleak >/tmp/leaks
		cat /tmp/leaks
		[ ! -s /tmp/leaks ]
	EOF
	echo kmemleak
}

guest_compile_for()
(
	if [[ $2 = *+debug/* ]] && ! kernel_environment "${2%%/*}"; then
		report "$2" skip "the debug information of this kernel could not be fetched" >&2
	else
		guest_compile "$@"
	fi
)

guest_compile()
{
	local test=${2#*/} job=${2//\//,} base source dir directive complaints

	guest_test_find "$test"
	dir=$1/$job
	mkdir "$dir"
	echo "$2" >"$dir/name"
	cp "$SRC/tests/$test".* "$dir/"
	[[ -e $dir/${source##*/} ]] || cp "$source" "$dir/"
	base=$dir/${test##*/}
	! directive_of "$source" timeout || echo "$directive" >"$dir/timeout"
	complaints=$(cd "$dir" && guest_make "$base" "$test" 2>&1) || {
		report "$2" fail "${complaints:-no output}" >&2
		return
	}
	echo "$job"
}

# Creates the module and the command in the job's directory.
guest_make()
{
	local stem=${1##*/} module options host directive tools=${TAPRUN%/*}/tools TAPC_ARGS=$TAPC_ARGS

	directive_of "$source" overload || TAPC_ARGS+=" -DSTP_NO_OVERLOAD"
	directive_of "$source" host
	while IFS= read -r host; do
		[[ -z $host ]] || PATH=$tools:$PATH timeout 300 bash -c "$host" </dev/null || return
	done <<<"$directive"
	if [[ -e $stem.host ]]; then
		PATH=$tools:$PATH timeout 300 bash "./$stem.host" </dev/null || return
	fi
	if [[ $source != *.stp ]]; then		# even if its preparations have written NAME.stp
		guest_command "$1" "shell_run ./$stem.sh" >cmd
		return
	fi
	module=t_${stem//[^a-zA-Z0-9_]/_}
	module=${module:0:50}
	directive_of "$source" tapc
	options=$directive
	# an example with a workload runs until that ends, and shows it however much else a busy machine has to show
	for host in duration=1min interval=1min top=200; do
		[[ $2 != examples/* || ! -e $1.sh ]] || ! grep -q "@option(\"${host%=*}[|\"]" "$stem.stp" || options+=" --$host"
	done
	# the virtual processor that holds a lock may not be running on the host
	[[ $options = *MAXTRYLOCK* ]] || options+=" -D MAXTRYLOCK=100000"
	[[ ! -e $1.args ]] || options+=" $(<"$1.args")"
	directive_of "$source" args
	eval "timeout 300 \"\$TAPC\" $TAPC_ARGS -p4 -m $module $options $stem.stp $directive" \
		>compile.out 2>compile.err </dev/null || {
		echo "tapc: exit status $?"
		tail -n 40 compile.out compile.err
		return 1
	}
	[[ -e $module.ko ]] || { echo "tapc left no $module.ko"; return 1; }
	directive_of "$source" taprun
	options=$directive
	[[ ! -e $1.sh ]] || options+=" -c 'shell_run ./$stem.sh'"
	guest_command "$1" "\$TAPRUN $options ./$module.ko" >cmd
}

# The command for /bin/sh in the guest. Out-of-tree modules are marked with an O.
guest_command()
{
	local name shell=sh line=""

	[[ ! -e $1.sh ]] || read -r line <"$1.sh"
	[[ $line != '#!'*bash* ]] || shell=bash
	for name in SRC BUILD TAPC TAPRUN KREL SYSROOT TAPC_ARGS KERNEL_MAKE_ARGS SLOW ${GCOV_PREFIX:+GCOV_PREFIX}; do
		echo "export $name='${!name}'"
	done
	cat <<-EOF
		cd '$PWD'
		[ ! -e ./${1##*/}.skip ] || { sh ./${1##*/}.skip >skipped && exit 77; rm skipped; }
		${2//shell_run/$shell}
		status=\$?
		left=\$(grep '(.*O.*)\$' /proc/modules) || exit \$status
		echo "\$left" >left-behind
		sh "\$SRC/tests/lib/unload.sh" <left-behind
		exit \$status
	EOF
}

guest_judge_job()
{
	local dir=$1 label status base source

	read -r label <"$dir/name"
	read -r status <"$dir/status"
	base=$SRC/tests/${label#*/}
	guest_test_find "${label#*/}"
	if [[ -e $dir/skipped && ! -e $dir/trouble ]]; then
		report "$label" skip "$(<"$dir/skipped")"
	elif [[ $source != *.stp && $status = 77 && ! -e $dir/trouble ]]; then
		report "$label" skip "$(tail -n 1 "$dir/stdout")"
	else
		report_judged "$label" "$(guest_judge_files "$dir" "$base" "$status")"
	fi
}

guest_judge_files()
{
	local dir=$1 base=$2 status=$3

	[[ ! -e $dir/trouble ]] || cat "$dir/trouble"
	if [[ $source = *.stp ]]; then
		judge "$base" "$dir/stdout" "$dir/stderr" "$status"
	elif [[ $status != 0 ]]; then
		echo "exit status $status"
		tail -n 60 "$dir/stdout" "$dir/stderr"
	else
		judge_text stdout "$base" "$base.out" "$dir/stdout"
		(cd "$dir" && judge_check "$base.check" "$dir/stdout")
	fi
	if [[ -e $dir/left-behind ]]; then
		echo "left in the kernel: $(cut -d ' ' -f 1 "$dir/left-behind" | tr '\n' ' ')"
	fi
}
