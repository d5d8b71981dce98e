#!/bin/bash
# tapc --format: one case after the other, with the results in format-layout.out
format()		# TITLE, the script is standard input
{
	echo "---- $1"
	cat >case.stp
	"$TAPC" --format case.stp >case.out || { echo "status $?"; exit 1; }
	cat case.out
	"$TAPC" --format=check case.out || { echo "$1: formatting again changes it"; exit 1; }
}

format 'spaces' <<'END'
#!/usr/bin/env tapc
global a , b [10],c%[5] ,d=-1, text="x\x41\
y"
probe begin{ println( "a"  "b" ,  - 1,a+b*- c , ! a, ~b, a- -b, - -c, ! ~c,a . "." )
x = a?b:c ; y [ 1,2 ] ++ ; -- z; delete y[1 , 2]
s <<<1; n = @count( s )+ @hist_log(s) [0]; if(x in y)next
p = & $q -> next -> limit[0]; q = @cast( p,"t" )$; r = $$parms$ ; v %= 3 % (4) }
function f:long(x:long,y : string){ return( x )}
private   function g ( ) %{ int  x = 1;
      /* untouched */
   %}
END
format 'points' <<'END'
probe kernel.function( "a@b.c:1" ).call?,syscall.{open,  close} . return , timer.ms( 1 ).randomize(2) if(x>1){ }
probe my.alias=process("/bin/sh").function("main")!, vm.* { }
probe other = a.b*.c { } , { x = 1 }
probe a.first,
a.second
{ y }
END
format 'braces and blocks' <<'END'
probe begin {


	if (a)
	{ b }
	if (a)
	{
	b } else if (c) { d
	}
	else
	{
	e
	}

	try
	{
	f }
	catch (message)
	{
	g }
	# the last comment

}
probe end { one_line() ; two() }
probe never
{ kept() }
function f ()
{
return 1 }
END
format 'bodies without braces' <<'END'
probe begin
{
if (a)
if (b)
c
else
d
else if (e)
f
else
g
for (i = 0; i < 9; i++)
foreach ([k, v-] in arr limit 5)
while (x)
;
if (a) b; else c
h a = 1 i
j = 1 +
2 +
foo(3,
4,
bar(
5)
)
while (a) { b
} c
}
END
format 'comments' <<'END'
   # at the beginning

   /* several
lines */
   /** with
       * stars
    */
global a	# the first
global b        // the second
global cc /* in between */ , d
probe begin # before the brace
{ # after it
a /* 1 */ = /* 2 */ 3
if (a)  # why
b
# before else
else
c
/*
  A picture: |
     --------+---
*/
} // end
# at the end
END
format 'conditions and macros' <<'END'
@define one( a,b ) %( @a+@b %)
@define point(f) %(kernel.function(@f).call ?%)
@define text(s) %( @s . "x"+1 %)
@define several %(
a = 1
      if (b)
   c
%)
%( kernel_v>="5.10"&&arch=="x86_64" %?
probe begin { @one( 1,2 ) }
%:
probe never { @several }
%)
probe end
{
%( CONFIG_X=="y" %?
if (a) {
%:
if (b) {
%)
c
}
x = %( $#>0 %? $1 %: 10 %)*2
f(%( 1 == 1 %? a %))
  %( 1 == 2 %? this $ is % not parsed %)
}
probe process(@1).function(@2), kernel.$3 { $4 = $5 + $# . @# }
END
format 'long lines' <<'END'
probe begin { println("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"); println("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb") }
probe end
{
	printf("%s %s %s %s %s %s %s %s %s\n", function_one(1, 2, 3), function_two(1, 2, 3), function_three(1, 2, 3), four(5), five(6))
	if (first_condition == second_condition && third_condition == fourth_condition && fifth_condition == sixth_condition) a
	text = "a string cannot be broken: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	a = 1 # a comment does not count xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
	this_stays(1,
		2)
}
END
format 'nothing' </dev/null
format 'only a comment' <<'END'


# a
END
