# Modules t_bound_NAME.ko and what --bound says of them, NAME.bound.CPUS.
tapc() { "$TAPC" $TAPC_ARGS --no-global-var-display -w "$@"; }

# build NAME OPTION...
build()
{
	local name=$1 cpus

	shift
	tapc -p4 -m "t_bound_$name" "$@" || exit
	for cpus in 2 4; do
		tapc -p3 --bound=$cpus --output=json "$@" >"$name.bound.$cpus" || exit
	done
}

cat >statements.stp <<'S'
global s1, s2, s3, s4, s5, s6, m1, m2, m3, m4, m5, m6, a[8]
function f2() { s2++; s2++ }
function r4(depth) { s4++; s4++; if (depth) { r4(depth - 1); s4++; r4(depth - 1); s4++ } }
probe begin { for (i = 0; i < 8; i++) a[i] = i }
probe timer.ms(11) { if (s1 > m1) m1 = s1; s1 = 0; s1++; s1++; s1++; s1++; s1++; s1++ }
probe timer.ms(12) { if (s2 > m2) m2 = s2; s2 = 0; for (i = 0; i < 20; i++) { s2++; f2(); s2++ } }
probe timer.ms(13) { if (s3 > m3) m3 = s3; s3 = 0; while (1) { s3++; s3++; s3++ } }
probe timer.ms(14) { if (s4 > m4) m4 = s4; s4 = 0; r4(4); }
probe timer.ms(15) { if (s5 > m5) m5 = s5; s5 = 0; foreach (k in a limit 5) { s5++; s5++; s5++ } }
probe timer.ms(16) { if (s6 > m6) m6 = s6; s6 = 0; foreach (k in a-) foreach (l in a) { s6++; s6++ } }
probe timer.ms(700) { exit() }
probe end
{
	printf("11 %d\n12 %d\n13 %d\n14 %d\n15 %d\n16 %d\n", m1, m2, m3, m4, m5, m6)
}
S
tapc -p4 -m t_bound_statements -D MAXERRORS=100000 --suppress-handler-errors -D MAXNESTING=5 statements.stp || exit
tapc -p3 -D MAXNESTING=5 --bound --output=json statements.stp >statements.bound || exit

build plain -e 'probe begin { println("begin") }'
build arrays -e 'global a, b[500], c[300], d, e probe begin { a[1] = "text"; b["x", 1] <<< 2; c["y"] = 3; d <<< 4; e["z", "z"] = "z" } probe timer.ms(10) { foreach (k in c-) d <<< c[k]; foreach ([k, l] in b) d <<< 1 } probe end { print(@hist_log(d)); println(@count(b["x", 1]), a[1], e["z", "z"]) }'
build functions -e 'global n probe kernel.function("vfs_*") { n++ } probe end { println(n) }'
build returns -e 'global n, t probe kernel.function("vfs_*").return { n++; t += gettimeofday_us() - @entry(gettimeofday_us()) } probe end { println(n, t) }'
build tracepoints -e 'global n probe kernel.trace("sched:*") { n++ } probe syscall.open*, syscall.read.return { n++ } probe end { println(n) }'
build process -e 'global n probe process.begin, process.end { n++ } probe end { println(n) }'
build kept -e 'global n, t probe syscall.read.return { n++; t += gettimeofday_us() - @entry(gettimeofday_us()) } probe process("/bin/sh").function("main").return ? { n += strlen(@entry(execname())) } probe end { println(n, t) }'
build timers -e 'global n probe timer.profile { n++ } probe timer.ms(3) { n++ } probe timer.s(1) { println(n) }'
tapc -p4 -m t_bound_limited --max-memory=4M -e 'probe begin { println("begin") }'
