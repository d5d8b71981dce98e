#!/bin/bash
# the lines of calls in the path of an error, and the functions that are inlined around them
# debuginfo: only
"$TAPRUN" -c "sh -c 'mkdir /dev 2>/dev/null; true'" ./t_lines.ko >lines || { cat lines; exit 1; }
awk '/^mkdir\(.* mkdir\(.*EEXIST/ { shown = 1; next } !/^  / { shown = 0 } shown' lines |
	sed 's/(.*, [0-9]* us//; s/ at .*\/\([a-z]*\.[ch]\):[0-9]*$/ \1/' >short
diff -u - short <<-'END'
	  -> filename_create namei.c
	  by do_mkdirat namei.c
	  in __do_sys_mkdir namei.c
	  in __se_sys_mkdir namei.c
	  by __x64_sys_mkdir
	  by x64_sys_call common.c
	  in do_syscall_x64 common.c
END
