#!/bin/bash
# A build that is ended by a signal leaves no temporary directory, and exits by that signal
# sanitizers: no
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
mkdir tmp bin
export TMPDIR=$PWD/tmp
# a compiler that never ends
for name in cc gcc $(cd /usr/bin && ls gcc-[0-9]* x86_64-linux-gnu-gcc* 2>/dev/null); do
	printf '#!/bin/bash\n>"%s/reached"\nwhile :; do sleep 0.1; done\n' "$PWD" >bin/"$name"
	chmod +x bin/"$name"
done
export PATH=$PWD/bin:$PATH
for signal in INT TERM HUP; do
	rm -f reached
	# shellcheck disable=SC2086
	setsid env --default-signal=INT,HUP "$TAPC" $TAPC_ARGS --disable-cache -p4 -m t_int -e 'probe begin { }' >out 2>err &
	pid=$!
	until [[ -e reached ]] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
	[[ -e reached && -n $(ls tmp) ]] || { cat out err; echo "$signal: no build"; exit 1; }
	kill -s $signal $pid
	wait $pid
	status=$?
	pkill -KILL -s $pid
	[[ $status = $((128 + $(kill -l $signal))) ]] || { cat err; echo "$signal: status $status"; exit 1; }
	[[ -z $(ls -A tmp) && ! -e t_int.ko ]] || { ls -A tmp; echo "$signal: left behind"; exit 1; }
done
