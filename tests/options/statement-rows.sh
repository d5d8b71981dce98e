#!/bin/bash
# A line whose code was moved may have no row in the line table that begins a statement; its other rows can be probed
cat >rows.c <<'EOF'
int f(int n)
{
	__asm__ volatile("nop\n\t.loc 1 10 0 is_stmt 0\n\tnop\n\t"
			 ".loc 1 11 0 is_stmt 0\n\tnop\n\t.loc 1 11 0 is_stmt 1\n\tnop\n\t"
			 ".loc 1 12 0 is_stmt 1\n\tnop");
	return n;
}




int main(int argc, char **argv)
{
	return f(argc);
}
EOF
gcc -O1 -g -o rows rows.c || exit 1
lines() { "$TAPC" -l "process(\"./rows\").statement(\"f@*:$1\")" 2>&1 | sed -n 's/.*rows\.c:\([0-9]*\)").*/\1/p' | tr '\n' ' '; }
for line in 10 11 12; do
	[[ $(lines $line) = "$line " ]] || { echo "line $line: $(lines $line)"; exit 1; }
done
[[ -z $(lines 9) && $(lines '*') = *'10 11 12 '* ]] || { echo "all lines: $(lines '*')"; exit 1; }
