#!/bin/bash
# Equal warnings are shown once, but all of them with -v, and all after the first thousand different ones.
script='probe begin { for (i = 0; i < 1200; i++) { warn(sprint(i)); warn(sprint(i)) } exit() }'
"$TAPC" --simulate -DMAXACTION=100000 -e "$script" 2>err || exit 1
[[ $(grep -c WARNING err) = 1400 ]] || { echo "$(grep -c WARNING err) warnings"; exit 1; }
"$TAPC" --simulate -DMAXACTION=100000 -v -e "$script" 2>err || exit 1
[[ $(grep -c WARNING err) = 2400 ]] || { echo "with -v $(grep -c WARNING err) warnings"; exit 1; }
