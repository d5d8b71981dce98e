#!/bin/bash
# Handlers of places in programs that read memory announce each effect, after the reads of its operands; others announce none
# shellcheck disable=SC2086,SC2016
[[ -n $KREL ]] || { echo "no kernel to look into"; exit 77; }
fail() { echo "$*"; cat out; exit 1; }
cat >program.c <<'END'
struct s { int a; char *t; struct s *next; } s;
__attribute__((noinline)) void f(struct s *p) { __asm__ volatile("" :: "r"(p)); }
int main(void) { f(&s); }
END
gcc -g -O1 -o program program.c || exit

types='probe end { n = a["x"] = b["x", 1] = 1; m = s[1] = "x"; t["x"] <<< 1; h <<< 1; print(n, m, @count(t["x"])); print(@hist_log(h)) }'

# order EXPECTED SCRIPT OPTION...: the handler's reads, announcements and effects in their order, and whether it may fetch
order()
{
	local expected=$1 script=$2 got flags

	shift 2
	"$TAPC" $TAPC_ARGS -w -p3 --no-global-var-display "$@" -e "global n, m, a, b, s, t, h; $script $types" >out 2>&1 ||
		fail "$script: does not translate"
	got=$(sed -n '/^static void probe_0(/,/^}/p' out | sed -En '
		s/.*tap_fn_user_.*|.*tap_load\(.*/read/p; t
		s/.*tap_commit.*/commit/p; t
		s/.*(tap_map_(slot|set|add|delete|clear)|tap_cell_set|tap_print|tap_stat_add|tap_stat_clear|tap_store).*/effect/p; t
		s/^\t*(\(?\*[te][0-9]+\)?|g_[a-z]+|CELLS->g_[a-z]+) = .*/effect/p; t
		s/.* (fn_[a-z]+|tap_(fn|here)_[a-z_]+|embedded_[0-9]+)\(.*/call/p; s/^\t*(fn_[a-z]+|tap_(fn|here)_[a-z_]+)\(.*/call/p' | uniq | xargs)
	while read -r flags; do
		! ((flags & 64)) || got+=" fetches"
	done < <(sed -n 's/.*\.flags = \([0-9]*\).*/\1/p' out)
	[[ ${got# } = "$expected" ]] || fail "$script: '$got', expected '$expected'"
}
at() { order "$1" "probe process(\"./program\").function(\"f\") { $2 }" "${@:3}"; }

at 'read commit effect fetches' 'a[user_string($p->t)]++'
at 'read commit effect fetches' 'b[user_string($p->t), $p->a] = 1'
at 'read commit effect fetches' 'a["x"] = $p->a'
at 'read commit effect fetches' 's[1] = user_string($p->t)'
at 'read commit effect fetches' 's[1] .= user_string($p->t)'
at 'read commit effect fetches' 'm = user_string($p->t)'
at 'read commit effect fetches' 'n += $p->next->a'
at 'read commit effect commit effect fetches' 'n = $p->a; println(1)'
at 'read commit effect fetches' 'printf("%s %d\n", user_string($p->t), $p->a)'
at 'read commit effect fetches' 't[user_string($p->t)] <<< $p->a'
at 'read commit effect fetches' 'h <<< $p->a'
at 'read commit effect fetches' 'delete a[user_string($p->t)]'
at 'read commit effect fetches' 'if ($p->a) delete a'
at 'read commit effect fetches' 'if ($p->a == 1) println(@hist_log(h))'
at 'read commit effect fetches' 'try { m = user_string($p->t) } catch { }'
at 'read commit effect commit effect fetches' 'try { println(user_string($p->t)) } catch (m) { }'
# locals are no effects
at 'read commit effect fetches' 'x = user_string($p->t); y = x . user_string($p->next->t); println(y)'
# after an effect, what cannot be read is an error
at 'commit effect read commit effect fetches' 'n++; println($p->a)'
at 'commit effect read commit effect fetches' 'a["x"]++; b["x", $p->a]++'
# C that is not pure, and functions
at 'read commit call fetches' 'system(user_string($p->t))'
at 'read fetches' 'user_string_warn($p->a)'
order 'read call fetches' 'function f(x) { n = x } probe process("./program").function("f") { f($p->a) }'
sed -n '/^static void fn_f(/,/^}/p' out | grep -q tap_commit || fail "a function has no announcement"
at 'read commit effect fetches' '$p->a = $p->next->a' -g
# nothing to read, switched off, not in a program
at 'effect call effect' 'n++; println(pid())'
at 'call effect' 'a[execname()] = 1'
at 'read effect' 'a[user_string($p->t)]++' -DTAP_NO_FETCH
order 'read effect' 'probe kernel.function("vfs_read") { a[user_string($buf)]++ }'
exit 0
