#!/bin/bash
# Stacks of Java programs are whole, and have their functions in their order: interpreted, where there are no names, and compiled with frame pointers
# kernels: all
# arm64: no, there is no program of that machine here
# timeout: 400
# default: no
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/made-stacks.sh"
[[ ! -e java.skip ]] || { bash java.skip; exit 77; }
type -P java >/dev/null || { echo "no Java here"; exit 77; }

# traced WANTED ARGUMENT...
traced()
{
	local wanted=$1

	shift
	whole_stack t_java.ko "$wanted" "$*" java -Xshare:auto -XX:+UseSerialGC "$@"
}
# yield(), inner(), middle(), outer() and main() in the interpreter, and what calls it
traced '? ? ? ? ? ? clone3' -Xint Chain
traced 'Interpreter inner middle outer main StubRoutines clone3' -Xcomp -XX:TieredStopAtLevel=1 -XX:+PreserveFramePointer \
	-XX:CompileCommand=quiet '-XX:CompileCommand=compileonly,Chain::*' '-XX:CompileCommand=dontinline,Chain::*' Chain names
