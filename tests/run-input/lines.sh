#!/bin/bash
# input.line returns each line with its newline, input.char each character
# kernels: all
(printf 'one\n\nthr'; sleep 0.3; printf 'ee\nend\nmore\n'; sleep 1) | "$TAPRUN" ./t_input.ko >out
cat out
[[ $(cat out) = "$(printf '<one\n> 4\n<\n> 1\n<three\n> 6\n<end\n> 4\n15 one||three|end|')" ]]
