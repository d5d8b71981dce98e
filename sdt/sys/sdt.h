/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As a special exception, a program may include this file and be distributed under any terms: the licence of this file
 * does not cover what its macros expand to. */
/* Static markers in programs, for C, C++ (with GCC 5 or Clang 3.9, or newer) and assembler. A marker is a nop, with a
 * note for tracers in the section .note.stapsdt: its address, provider, name and the locations of its arguments. Until
 * a tracer probes it, it costs the nop and the computation of the arguments.
 *
 *	#include <sys/sdt.h>
 *	STAP_PROBE2(myprog, request, request->id, request->path);
 *
 * is probed by process("myprog").provider("myprog").mark("request"), where $arg1 and $arg2 are the arguments.
 *
 *	STAP_PROBE(provider, name)		a marker without arguments
 *	STAP_PROBE1(provider, name, a1) ... STAP_PROBE12
 *						with arguments: numbers, enumerators, bit-fields, pointers, arrays and
 *						functions (their addresses). Each is evaluated once
 *	STAP_PROBEV(provider, name, ...)	the same with any number of arguments from 0 to 12
 *	DTRACE_PROBE ... DTRACE_PROBE12		the same as STAP_PROBE...
 *	STAP_PROBE_ASM(provider, name, arguments)
 *						as a part of the text of an asm statement, and in assembler files. The
 *						arguments are in the format of the note, 8@%rdi -4@%esi; so are those
 *						of all others in assembler files
 *	STAP_PROBE_ASM_TEMPLATE(n)		the arguments of STAP_PROBE_ASM in an asm statement
 *	STAP_PROBE_ASM_OPERANDS(n, a1, ...)	whose input operands are these
 *
 * Semaphores: if _SDT_HAS_SEMAPHORES is defined when this file is included first, the program defines for each marker a
 * variable in which tracers count, so that it computes costly arguments only for them:
 *
 *	TAPC_SDT_SEMAPHORE(myprog, request);		at file scope, in one source, outside any namespace
 *	if (TAPC_SDT_ENABLED(myprog, request))		where the variable is defined, or declared by
 *							TAPC_SDT_DECLARE_SEMAPHORE(myprog, request);
 *
 * tapc-dtrace(1) writes both from a list of markers.
 *
 * TAPC_SDT_NOP: the instructions at a marker on x86-64. 1: nop, which all kernels emulate, so that a probe costs one
 * trap. 11, the default: a nop, whose address is in the note, and a nop of ten bytes after it, which newer kernels
 * (7.2, for one) replace by a call while it is probed, and which older ones refuse. tapc, and other tracers that detect
 * the second one, probe the one that is right for the kernel; every other tracer uses the first one. */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

#pragma GCC system_header

/* ---- the note ---- */

#define TAPC_SDT_STRING_(...) #__VA_ARGS__
#define TAPC_SDT_STRING(...) TAPC_SDT_STRING_(__VA_ARGS__)
#define TAPC_SDT_JOIN_(a, b) a##b
#define TAPC_SDT_JOIN(a, b) TAPC_SDT_JOIN_(a, b)
#ifdef __ASSEMBLER__
#define TAPC_SDT_LINE(...) __VA_ARGS__;
#define TAPC_SDT_ASCIZ(string) .asciz string;
#else
#define TAPC_SDT_LINE(...) TAPC_SDT_STRING_(__VA_ARGS__) "\n"
#define TAPC_SDT_ASCIZ(string) ".asciz \"" string "\"\n"
#endif

#if defined __LP64__ || (defined __SIZEOF_POINTER__ && __SIZEOF_POINTER__ == 8)
#define TAPC_SDT_ADDRESS(...) TAPC_SDT_LINE(.8byte __VA_ARGS__)
#else
#define TAPC_SDT_ADDRESS(...) TAPC_SDT_LINE(.4byte __VA_ARGS__)
#endif

#ifndef TAPC_SDT_NOP
#define TAPC_SDT_NOP 11
#endif
#if !defined __x86_64__ || TAPC_SDT_NOP == 1
#define TAPC_SDT_INSTRUCTIONS TAPC_SDT_LINE(990: nop)
#elif TAPC_SDT_NOP == 11
#define TAPC_SDT_INSTRUCTIONS TAPC_SDT_LINE(990: nop) TAPC_SDT_LINE(.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0)
#else
#error "TAPC_SDT_NOP must be 1 or 11"
#endif

#if defined _SDT_HAS_SEMAPHORES || defined STAP_HAS_SEMAPHORES
#define TAPC_SDT_SEMAPHORES 1
#define TAPC_SDT_SEMAPHORE_NAME(provider, name) provider##_##name##_semaphore
#else
#define TAPC_SDT_SEMAPHORE_NAME(provider, name) 0
#endif

/* The flag '?' puts the note into the group of the code's section, so that both are discarded together. The address of
 * _.stapsdt.base, which is in the note and in the section headers, shows how far prelink has moved the program.
 * ARGUMENTS are directives for a string. */
#define TAPC_SDT_NOTE(provider, name, arguments) \
	TAPC_SDT_INSTRUCTIONS \
	TAPC_SDT_LINE(.pushsection .note.stapsdt, "?", "note") \
	TAPC_SDT_LINE(.balign 4) \
	TAPC_SDT_LINE(.4byte 992f - 991f, 994f - 993f, 3) \
	TAPC_SDT_LINE(991: .asciz "stapsdt") \
	TAPC_SDT_LINE(992: .balign 4) \
	TAPC_SDT_LINE(993:) \
	TAPC_SDT_ADDRESS(990b) \
	TAPC_SDT_ADDRESS(_.stapsdt.base) \
	TAPC_SDT_SEMAPHORE_ADDRESS(provider, name) \
	TAPC_SDT_ASCIZ(TAPC_SDT_STRING(provider)) \
	TAPC_SDT_ASCIZ(TAPC_SDT_STRING(name)) \
	arguments \
	TAPC_SDT_LINE(994: .balign 4) \
	TAPC_SDT_LINE(.popsection) \
	TAPC_SDT_LINE(.ifndef _.stapsdt.base) \
	TAPC_SDT_LINE(.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat) \
	TAPC_SDT_LINE(.weak _.stapsdt.base) \
	TAPC_SDT_LINE(.hidden _.stapsdt.base) \
	TAPC_SDT_LINE(_.stapsdt.base: .space 1) \
	TAPC_SDT_LINE(.size _.stapsdt.base, 1) \
	TAPC_SDT_LINE(.popsection) \
	TAPC_SDT_LINE(.endif)
#define TAPC_SDT_SEMAPHORE_ADDRESS(provider, name) TAPC_SDT_ADDRESS(TAPC_SDT_SEMAPHORE_NAME(provider, name))

#define STAP_PROBE_ASM(provider, name, ...) \
	TAPC_SDT_NOTE(provider, name, TAPC_SDT_ASCIZ(TAPC_SDT_STRING(__VA_ARGS__)))

#ifndef __ASSEMBLER__

/* ---- arguments: their type as a code, and their value ---- */

/* Numbers of more than 64 bits are in a struct that is too large for registers: an operand is a single one. */
struct tapc_sdt_long_double {
	long double value, unused;
};
#ifdef __SIZEOF_INT128__
struct tapc_sdt_int128 {
	__int128 value, unused;
};
#endif

/* The code of an argument: its size in bytes, negative for a signed integer, ten times as large for a floating-point
 * number. The value: arrays and functions as pointers, bit-fields as integers, all others unchanged. */
#ifdef __cplusplus
extern "C++" {
namespace tapc_sdt {
template <class T> T value_of(T);
#define TAPC_SDT_WIDE(name, base, type) \
struct name : base { \
	__attribute__((always_inline)) explicit inline name(type x) : base() { value = x; } \
}; \
name value_of(type);
TAPC_SDT_WIDE(wide_float, tapc_sdt_long_double, long double)
#ifdef __SIZEOF_INT128__
TAPC_SDT_WIDE(wide_signed, tapc_sdt_int128, __int128)
TAPC_SDT_WIDE(wide_unsigned, tapc_sdt_int128, unsigned __int128)
#endif
#undef TAPC_SDT_WIDE
#if __cplusplus >= 201103L
void *value_of(decltype(nullptr));
#endif
template <class T, bool is_enum = __is_enum(T), bool is_class = __is_class(T) || __is_union(T)>
struct an_argument_is_a_number_or_a_pointer {
	enum { code = sizeof(T) };
};
template <class T> struct an_argument_is_a_number_or_a_pointer<T, true, false> {
	enum { code = an_argument_is_a_number_or_a_pointer<__underlying_type(T)>::code };
};
template <class T> struct an_argument_is_a_number_or_a_pointer<T, false, true>;
#define TAPC_SDT_TYPE(type, is_class, number) \
template <> struct an_argument_is_a_number_or_a_pointer<type, false, is_class> { enum { code = (number) }; };
#define TAPC_SDT_INTEGER(type) TAPC_SDT_TYPE(type, false, (type)-1 < (type)0 ? -(int)sizeof(type) : (int)sizeof(type))
TAPC_SDT_INTEGER(char)
TAPC_SDT_INTEGER(signed char)
TAPC_SDT_INTEGER(short)
TAPC_SDT_INTEGER(int)
TAPC_SDT_INTEGER(long)
TAPC_SDT_TYPE(long long, false, -(int)sizeof(long long))
TAPC_SDT_INTEGER(wchar_t)
TAPC_SDT_TYPE(float, false, 10 * sizeof(float))
TAPC_SDT_TYPE(double, false, 10 * sizeof(double))
TAPC_SDT_TYPE(wide_float, true, 10 * sizeof(long double))
#ifdef __SIZEOF_INT128__
TAPC_SDT_TYPE(wide_signed, true, -16)
TAPC_SDT_TYPE(wide_unsigned, true, 16)
#endif
#undef TAPC_SDT_TYPE
#undef TAPC_SDT_INTEGER
}
}
#define TAPC_SDT_CODE(x) \
	tapc_sdt::an_argument_is_a_number_or_a_pointer<__typeof__(tapc_sdt::value_of(x))>::code
#define TAPC_SDT_VALUE(x) (__typeof__(tapc_sdt::value_of(x)))(x)
#else
/* The class of a type, as __builtin_classify_type returns it. Bit-fields match none of the types. */
enum { TAPC_SDT_POINTER_CLASS = 5, TAPC_SDT_REAL_CLASS = 8 };
#ifdef __SIZEOF_INT128__
#define TAPC_SDT_WIDE_CODE __int128: -16, unsigned __int128: 16,
#define TAPC_SDT_WIDE_VALUE(x) \
	__int128: (struct tapc_sdt_int128){ TAPC_SDT_IF(__int128, x), 0 }, \
	unsigned __int128: (struct tapc_sdt_int128){ (__int128)TAPC_SDT_IF(unsigned __int128, x), 0 },
#else
#define TAPC_SDT_WIDE_CODE
#define TAPC_SDT_WIDE_VALUE(x)
#endif
#define TAPC_SDT_SIZE(x) ((int)sizeof(1 ? (x) : 0))
#define TAPC_SDT_CODE(x) __extension__ _Generic((x), \
	char: (char)-1 < 0 ? -1 : 1, signed char: -1, unsigned char: 1, _Bool: 1, \
	short: -(int)sizeof(short), unsigned short: (int)sizeof(short), \
	int: -(int)sizeof(int), unsigned int: (int)sizeof(int), \
	long: -(int)sizeof(long), unsigned long: (int)sizeof(long), \
	long long: -(int)sizeof(long long), unsigned long long: (int)sizeof(long long), \
	TAPC_SDT_WIDE_CODE \
	float: 10 * (int)sizeof(float), double: 10 * (int)sizeof(double), \
	long double: 10 * (int)sizeof(long double), \
	default: __builtin_classify_type(x) == TAPC_SDT_POINTER_CLASS ? TAPC_SDT_SIZE(x) : \
		 __builtin_classify_type(x) == TAPC_SDT_REAL_CLASS ? 10 * TAPC_SDT_SIZE(x) : -TAPC_SDT_SIZE(x))
/* x if it has this type: what is not selected must be valid, too */
#define TAPC_SDT_IF(type, x) _Generic((x), type: (x), default: 0)
#define TAPC_SDT_RVALUE(x) ((void)0, (x))
#define TAPC_SDT_VALUE(x) __extension__ _Generic((x), \
	char: TAPC_SDT_RVALUE(x), signed char: TAPC_SDT_RVALUE(x), unsigned char: TAPC_SDT_RVALUE(x), \
	_Bool: TAPC_SDT_RVALUE(x), \
	short: TAPC_SDT_RVALUE(x), unsigned short: TAPC_SDT_RVALUE(x), \
	long double: (struct tapc_sdt_long_double){ TAPC_SDT_IF(long double, x), 0 }, \
	TAPC_SDT_WIDE_VALUE(x) default: (1 ? (x) : 0))
#endif

/* A number, memory, a register. On arm64 memory only with the address in a register: other operands refer to symbols
 * that only the assembler knows, as in [x2, #:lo12:.LANCHOR0]. */
#ifndef STAP_SDT_ARG_CONSTRAINT
#ifdef __aarch64__
#define STAP_SDT_ARG_CONSTRAINT nQr
#else
#define STAP_SDT_ARG_CONSTRAINT nor
#endif
#endif
#define TAPC_SDT_OPERAND(code, i, x) \
	[sdt_s##i] "n" (code(x)), [sdt_a##i] TAPC_SDT_STRING(STAP_SDT_ARG_CONSTRAINT) (TAPC_SDT_VALUE(x))
#define TAPC_SDT_OPERANDS_0(code)
#define TAPC_SDT_OPERANDS_1(code, a1) TAPC_SDT_OPERAND(code, 1, a1)
#define TAPC_SDT_OPERANDS_2(code, a1, a2) \
	TAPC_SDT_OPERANDS_1(code, a1), \
	TAPC_SDT_OPERAND(code, 2, a2)
#define TAPC_SDT_OPERANDS_3(code, a1, a2, a3) \
	TAPC_SDT_OPERANDS_2(code, a1, a2), \
	TAPC_SDT_OPERAND(code, 3, a3)
#define TAPC_SDT_OPERANDS_4(code, a1, a2, a3, a4) \
	TAPC_SDT_OPERANDS_3(code, a1, a2, a3), \
	TAPC_SDT_OPERAND(code, 4, a4)
#define TAPC_SDT_OPERANDS_5(code, a1, a2, a3, a4, a5) \
	TAPC_SDT_OPERANDS_4(code, a1, a2, a3, a4), \
	TAPC_SDT_OPERAND(code, 5, a5)
#define TAPC_SDT_OPERANDS_6(code, a1, a2, a3, a4, a5, a6) \
	TAPC_SDT_OPERANDS_5(code, a1, a2, a3, a4, a5), \
	TAPC_SDT_OPERAND(code, 6, a6)
#define TAPC_SDT_OPERANDS_7(code, a1, a2, a3, a4, a5, a6, a7) \
	TAPC_SDT_OPERANDS_6(code, a1, a2, a3, a4, a5, a6), \
	TAPC_SDT_OPERAND(code, 7, a7)
#define TAPC_SDT_OPERANDS_8(code, a1, a2, a3, a4, a5, a6, a7, a8) \
	TAPC_SDT_OPERANDS_7(code, a1, a2, a3, a4, a5, a6, a7), \
	TAPC_SDT_OPERAND(code, 8, a8)
#define TAPC_SDT_OPERANDS_9(code, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	TAPC_SDT_OPERANDS_8(code, a1, a2, a3, a4, a5, a6, a7, a8), \
	TAPC_SDT_OPERAND(code, 9, a9)
#define TAPC_SDT_OPERANDS_10(code, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	TAPC_SDT_OPERANDS_9(code, a1, a2, a3, a4, a5, a6, a7, a8, a9), \
	TAPC_SDT_OPERAND(code, 10, a10)
#define TAPC_SDT_OPERANDS_11(code, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	TAPC_SDT_OPERANDS_10(code, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10), \
	TAPC_SDT_OPERAND(code, 11, a11)
#define TAPC_SDT_OPERANDS_12(code, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	TAPC_SDT_OPERANDS_11(code, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11), \
	TAPC_SDT_OPERAND(code, 12, a12)

/* The argument's text in the note: "-4@%edi", or "8f@-16(%rbp)" for a floating-point number, whose code is 80. */
#define TAPC_SDT_ARGUMENT(space, i) \
	".if %c[sdt_s" #i "] < 20\n" \
	".ascii \"" space "%c[sdt_s" #i "]@%[sdt_a" #i "]\"\n" \
	".else\n.ascii \"" space "\"\n" \
	".if %c[sdt_s" #i "] >= 100\n.byte '1', '0' - 10 + %c[sdt_s" #i "] / 10\n" \
	".else\n.byte '0' + %c[sdt_s" #i "] / 10\n.endif\n" \
	".ascii \"f@%[sdt_a" #i "]\"\n.endif\n"
#define TAPC_SDT_TEXT_0
#define TAPC_SDT_TEXT_1 TAPC_SDT_ARGUMENT("", 1)
#define TAPC_SDT_TEXT_2 TAPC_SDT_TEXT_1 TAPC_SDT_ARGUMENT(" ", 2)
#define TAPC_SDT_TEXT_3 TAPC_SDT_TEXT_2 TAPC_SDT_ARGUMENT(" ", 3)
#define TAPC_SDT_TEXT_4 TAPC_SDT_TEXT_3 TAPC_SDT_ARGUMENT(" ", 4)
#define TAPC_SDT_TEXT_5 TAPC_SDT_TEXT_4 TAPC_SDT_ARGUMENT(" ", 5)
#define TAPC_SDT_TEXT_6 TAPC_SDT_TEXT_5 TAPC_SDT_ARGUMENT(" ", 6)
#define TAPC_SDT_TEXT_7 TAPC_SDT_TEXT_6 TAPC_SDT_ARGUMENT(" ", 7)
#define TAPC_SDT_TEXT_8 TAPC_SDT_TEXT_7 TAPC_SDT_ARGUMENT(" ", 8)
#define TAPC_SDT_TEXT_9 TAPC_SDT_TEXT_8 TAPC_SDT_ARGUMENT(" ", 9)
#define TAPC_SDT_TEXT_10 TAPC_SDT_TEXT_9 TAPC_SDT_ARGUMENT(" ", 10)
#define TAPC_SDT_TEXT_11 TAPC_SDT_TEXT_10 TAPC_SDT_ARGUMENT(" ", 11)
#define TAPC_SDT_TEXT_12 TAPC_SDT_TEXT_11 TAPC_SDT_ARGUMENT(" ", 12)

/* ---- markers ---- */

/* GCC would take it for a long piece of code and inline functions with markers less often. */
#if defined __GNUC__ && __GNUC__ >= 9 && !defined __clang__
#define TAPC_SDT_ASM __asm__ __volatile__ __inline__
#else
#define TAPC_SDT_ASM __asm__ __volatile__
#endif

#define TAPC_SDT_MARKER(provider, name, text, ...) \
	do { \
		TAPC_SDT_ASM (TAPC_SDT_NOTE(provider, name, text TAPC_SDT_ASCIZ("")) : : __VA_ARGS__); \
	} while (0)

#define STAP_PROBE(provider, name) \
	do { \
		TAPC_SDT_ASM (TAPC_SDT_NOTE(provider, name, TAPC_SDT_ASCIZ(""))); \
	} while (0)
#define STAP_PROBE1(provider, name, a1) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_1, \
		TAPC_SDT_OPERANDS_1(TAPC_SDT_CODE, a1))
#define STAP_PROBE2(provider, name, a1, a2) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_2, \
		TAPC_SDT_OPERANDS_2(TAPC_SDT_CODE, a1, a2))
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_3, \
		TAPC_SDT_OPERANDS_3(TAPC_SDT_CODE, a1, a2, a3))
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_4, \
		TAPC_SDT_OPERANDS_4(TAPC_SDT_CODE, a1, a2, a3, a4))
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_5, \
		TAPC_SDT_OPERANDS_5(TAPC_SDT_CODE, a1, a2, a3, a4, a5))
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_6, \
		TAPC_SDT_OPERANDS_6(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6))
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_7, \
		TAPC_SDT_OPERANDS_7(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6, a7))
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_8, \
		TAPC_SDT_OPERANDS_8(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6, a7, a8))
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_9, \
		TAPC_SDT_OPERANDS_9(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9))
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_10, \
		TAPC_SDT_OPERANDS_10(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10))
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_11, \
		TAPC_SDT_OPERANDS_11(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11))
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	TAPC_SDT_MARKER(provider, name, TAPC_SDT_TEXT_12, \
		TAPC_SDT_OPERANDS_12(TAPC_SDT_CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12))

/* ---- in asm statements ---- */

#define TAPC_SDT_TEMPLATE_0
#define TAPC_SDT_TEMPLATE_1 %c[sdt_s1]@%[sdt_a1]
#define TAPC_SDT_TEMPLATE_2 TAPC_SDT_TEMPLATE_1 %c[sdt_s2]@%[sdt_a2]
#define TAPC_SDT_TEMPLATE_3 TAPC_SDT_TEMPLATE_2 %c[sdt_s3]@%[sdt_a3]
#define TAPC_SDT_TEMPLATE_4 TAPC_SDT_TEMPLATE_3 %c[sdt_s4]@%[sdt_a4]
#define TAPC_SDT_TEMPLATE_5 TAPC_SDT_TEMPLATE_4 %c[sdt_s5]@%[sdt_a5]
#define TAPC_SDT_TEMPLATE_6 TAPC_SDT_TEMPLATE_5 %c[sdt_s6]@%[sdt_a6]
#define TAPC_SDT_TEMPLATE_7 TAPC_SDT_TEMPLATE_6 %c[sdt_s7]@%[sdt_a7]
#define TAPC_SDT_TEMPLATE_8 TAPC_SDT_TEMPLATE_7 %c[sdt_s8]@%[sdt_a8]
#define TAPC_SDT_TEMPLATE_9 TAPC_SDT_TEMPLATE_8 %c[sdt_s9]@%[sdt_a9]
#define TAPC_SDT_TEMPLATE_10 TAPC_SDT_TEMPLATE_9 %c[sdt_s10]@%[sdt_a10]
#define TAPC_SDT_TEMPLATE_11 TAPC_SDT_TEMPLATE_10 %c[sdt_s11]@%[sdt_a11]
#define TAPC_SDT_TEMPLATE_12 TAPC_SDT_TEMPLATE_11 %c[sdt_s12]@%[sdt_a12]
#define STAP_PROBE_ASM_TEMPLATE(n) TAPC_SDT_JOIN(TAPC_SDT_TEMPLATE_, n)
/* without the 'f' of floating-point numbers, for which the text would need directives */
#define TAPC_SDT_PLAIN_CODE(x) (TAPC_SDT_CODE(x) < 20 ? TAPC_SDT_CODE(x) : TAPC_SDT_CODE(x) / 10)
#define STAP_PROBE_ASM_OPERANDS(n, ...) TAPC_SDT_JOIN(TAPC_SDT_OPERANDS_, n) (TAPC_SDT_PLAIN_CODE, __VA_ARGS__)

/* ---- semaphores ---- */

#define TAPC_SDT_SEMAPHORE_VARIABLE(provider, name) \
	TAPC_SDT_JOIN(TAPC_SDT_JOIN(provider, _), TAPC_SDT_JOIN(name, _semaphore))
/* Hidden: the note can refer only to a variable of the same program or library. */
#define TAPC_SDT_SEMAPHORE(provider, name) \
	volatile unsigned short TAPC_SDT_SEMAPHORE_VARIABLE(provider, name) \
		__attribute__((section(".probes"), visibility("hidden"), used))
#define TAPC_SDT_DECLARE_SEMAPHORE(provider, name) \
	extern volatile unsigned short TAPC_SDT_SEMAPHORE_VARIABLE(provider, name) __attribute__((visibility("hidden")))
#define TAPC_SDT_ENABLED(provider, name) __builtin_expect(TAPC_SDT_SEMAPHORE_VARIABLE(provider, name) != 0, 0)

#else	/* __ASSEMBLER__ */

#define STAP_PROBE(provider, name) STAP_PROBE_ASM(provider, name, )
#define STAP_PROBE1(provider, name, a1) \
	STAP_PROBE_ASM(provider, name, a1)
#define STAP_PROBE2(provider, name, a1, a2) \
	STAP_PROBE_ASM(provider, name, a1 a2)
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12)

#endif	/* __ASSEMBLER__ */

/* ---- names ---- */

#define TAPC_SDT_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, n, ...) n
#define TAPC_SDT_COUNT(...) TAPC_SDT_COUNT_(__VA_ARGS__, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
/* a count that includes the name */
#define TAPC_SDT_PROBEV_1 STAP_PROBE
#define TAPC_SDT_PROBEV_2 STAP_PROBE1
#define TAPC_SDT_PROBEV_3 STAP_PROBE2
#define TAPC_SDT_PROBEV_4 STAP_PROBE3
#define TAPC_SDT_PROBEV_5 STAP_PROBE4
#define TAPC_SDT_PROBEV_6 STAP_PROBE5
#define TAPC_SDT_PROBEV_7 STAP_PROBE6
#define TAPC_SDT_PROBEV_8 STAP_PROBE7
#define TAPC_SDT_PROBEV_9 STAP_PROBE8
#define TAPC_SDT_PROBEV_10 STAP_PROBE9
#define TAPC_SDT_PROBEV_11 STAP_PROBE10
#define TAPC_SDT_PROBEV_12 STAP_PROBE11
#define TAPC_SDT_PROBEV_13 STAP_PROBE12
#define STAP_PROBEV(provider, ...) \
	TAPC_SDT_JOIN(TAPC_SDT_PROBEV_, TAPC_SDT_COUNT(__VA_ARGS__)) (provider, __VA_ARGS__)

#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)
#define DTRACE_PROBE1(provider, name, a1) STAP_PROBE1(provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) STAP_PROBE2(provider, name, a1, a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) STAP_PROBE3(provider, name, a1, a2, a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) \
	STAP_PROBE4(provider, name, a1, a2, a3, a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	STAP_PROBE5(provider, name, a1, a2, a3, a4, a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)

#endif	/* _SYS_SDT_H */
