# Random scripts print what an independent interpreter expects (tests/fuzz/program). More of them: PROGRAM_SEEDS='100
# 5000'.
# shellcheck disable=SC2086
set -- ${PROGRAM_SEEDS:-1 6}
${CC:-cc} -O1 -w -o program "$SRC"/tests/fuzz/program/*.c || exit 1
seed=$1
while [ "$seed" -le "$2" ]; do
	./program "$seed" 3>expected >script.stp
	case $? in
	0)	"$TAPC" --simulate -D MAXSTRINGLEN=64 -D MAXACTION=1000000 -D SCRATCH=262144 \
			script.stp >out 2>err
		if [ $? -gt 1 ] || ! cmp -s expected out; then
			echo "seed $seed:"
			cat err
			diff expected out | head -n 10
			failed=1
		fi ;;
	77)	;;	# it runs too long
	*)	exit 1 ;;
	esac
	seed=$((seed + 1))
done
[ -z "$failed" ]
