# The fuzzers can be built, and a thousand inputs of each run, or twenty of the slow `resolve`; only tests/fuzz/run itself uses sanitizers.
# sanitizers: no
# timeout: 1200
# default: no

type clang >/dev/null 2>&1 || { echo 'no clang'; exit 77; }
! grep -q -e --coverage "$BUILD/config.status" || { echo 'a build for gcov, with libraries that clang cannot link'; exit 77; }
export TAPC_BUILD="$BUILD"
"$SRC/tests/fuzz/run" --list >names
run() { "$SRC/tests/fuzz/run" --plain --corpus "$PWD/corpus" "$@" >>out || { cat out; exit 1; }; }
# shellcheck disable=SC2046
run --runs 1000 $(grep -vx resolve names)
run --runs 20 resolve
awk 'NR == FNR { wanted[$1] = 1; next } $2 >= 20 && $3 > 20 && $4 > 0 && $5 == 0 { delete wanted[$1] }
     END { for (name in wanted) { print "no result of " name; status = 1 } exit status }' names out || { cat out; exit 1; }
