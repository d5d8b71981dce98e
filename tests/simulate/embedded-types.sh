#!/bin/bash
# Embedded C with a wrong type is a build error, and never a crash at run time
try()
{
	echo "== $1"
	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -g --simulate -e "$1" </dev/null 2>&1 |
		grep -o 'the C compiler failed on.*\|\[-Werror=[a-z-]*=*\]\|^[a-z0-9]*$'
}
try 'function f:string() %{ STAP_RETVALUE = 42; %} probe begin { println(f()) exit() }'
try 'global v function w() %{ /* pragma:write:v */ STAP_GLOBAL_SET_v("x"); %} probe begin { v = 1 w() println(v) exit() }'
try 'global v function w() %{ /* pragma:write:v */ STAP_GLOBAL_SET_v(7); %} probe begin { v = "a" w() println(v) exit() }'
try 'global v function r:long() %{ /* pragma:read:v */ STAP_RETVALUE = STAP_GLOBAL_GET_v(); %} probe begin { v = "a" println(r()) exit() }'
try 'function f:long(s:string) %{ STAP_RETVALUE = STAP_ARG_s; %} probe begin { println(f("a")) exit() }'
try 'function f(s:string) %{ int *p = STAP_ARG_s; %} probe begin { f("a") exit() }'
try 'function f() %{ STAP_PRINTF("%s", 42); %} probe begin { f() exit() }'
try 'function f() %{ STAP_ERROR("%s", 42); %} probe begin { f() exit() }'
try 'function f() %{ no_such_function(); %} probe begin { f() exit() }'
try 'probe begin { println(%{ /* string */ 42 %}) exit() }'
try 'function f:long() %{ char *p; STAP_RETVALUE = *p; %} probe begin { println(f()) exit() }'
try 'function f:long() %{ static const int n = 5; STAP_RETVALUE = kread(&n); %} probe begin { println(f()) exit() }'
