/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printed histograms: tables from SystemTap's documentation and examples, recomputed from their counts; the same
 * from a record; elision, outer buckets, the pretty form; hostile payloads. */
#include "core-test.h"
#include "core/hist.h"
#include "core/stat.h"

static struct tap_stat_shape shape = { .hist_count = 1 };
static struct tap_stat *s;
static char printed[1 << 16];

static void begin(struct tap_hist_shape h)
{
	free(s);
	shape.hists[0] = h;
	CHECK(tap_stat_shape_finish(&shape));
	s = calloc(1, tap_stat_size(&shape));
}

static void put(s64 value, s64 count)
{
	s->buckets[tap_hist_bucket_of(&shape.hists[0], value)] += count;
	s->count += count;
}

static void print(struct tap_hist_style style)
{
	struct tap_writer w = { printed, printed, printed + sizeof(printed) - 1, NULL };
	static char again[sizeof(printed)];
	struct tap_writer w2 = { again, again, again + sizeof(again) - 1, NULL };
	u32 size = tap_hist_payload_size(s, &shape.hists[0]), cut;
	u8 *payload = malloc(size + 1), *part;

	tap_hist_print(&w, &shape.hists[0], style, s);
	*w.at = 0;
	tap_hist_payload(payload, s, &shape.hists[0]);
	CHECK(tap_hist_print_payload(&w2, &shape.hists[0], style, payload, size));
	*w2.at = 0;
	CHECK(!strcmp(printed, again));
	w2.at = again;
	for (cut = 1; cut < size; cut++) {
		part = malloc(cut);
		memcpy(part, payload, cut);
		CHECK(tap_hist_print_payload(&w2, &shape.hists[0], style, part, cut) == (cut % 12 == 0));
		free(part);
		w2.at = again;
	}
	free(payload);
}

static void expect_styled(int line, struct tap_hist_style style, const char *wanted)
{
	print(style);
	if (strcmp(printed, wanted)) {
		printf("--- printed\n%s--- wanted\n%s", printed, wanted);
		fail(__FILE__, line, "another table");
	}
}
#define EXPECT(wanted) expect_styled(__LINE__, TAP_HIST_STYLE, wanted)

static const struct tap_hist_shape log_shape = { .op = TAP_HIST_LOG };

static void documented_log(void)
{
	begin(log_shape);
	put(32, 254); put(64, 3); put(128, 2); put(256, 2); put(512, 4); put(1500, 16689);
	EXPECT(
"value |-------------------------------------------------- count\n"
"    8 |                                                       0\n"
"   16 |                                                       0\n"
"   32 |                                                     254\n"
"   64 |                                                       3\n"
"  128 |                                                       2\n"
"  256 |                                                       2\n"
"  512 |                                                       4\n"
" 1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  16689\n"
" 2048 |                                                       0\n"
" 4096 |                                                       0\n"
"\n");
}

static void documented_linear(void)
{
	begin((struct tap_hist_shape){ .op = TAP_HIST_LINEAR, .high = 10240, .step = 200 });
	put(60, 1650); put(200, 8); put(1400, 1);
	EXPECT(
"value |-------------------------------------------------- count\n"
"    0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1650\n"
"  200 |                                                      8\n"
"  400 |                                                      0\n"
"  600 |                                                      0\n"
"      ~\n"
" 1000 |                                                      0\n"
" 1200 |                                                      0\n"
" 1400 |                                                      1\n"
" 1600 |                                                      0\n"
" 1800 |                                                      0\n"
"\n");
}

/* examples/lwtools/rwtime-nd_example.txt */
static void example_latency(void)
{
	begin(log_shape);
	put(1024, 1); put(2048, 1); put(32768, 1); put(65536, 6); put(131072, 11); put(8388608, 1);
	put(33554432, 1); put(67108864, 3); put(134217728, 9); put(268435456, 3); put(536870912, 2);
	put(1073741824, 2); put(4294967296ll, 1);
	EXPECT(
"      value |-------------------------------------------------- count\n"
"        256 |                                                    0\n"
"        512 |                                                    0\n"
"       1024 |@                                                   1\n"
"       2048 |@                                                   1\n"
"       4096 |                                                    0\n"
"       8192 |                                                    0\n"
"      16384 |                                                    0\n"
"      32768 |@                                                   1\n"
"      65536 |@@@@@@                                              6\n"
"     131072 |@@@@@@@@@@@                                        11\n"
"     262144 |                                                    0\n"
"     524288 |                                                    0\n"
"            ~\n"
"    2097152 |                                                    0\n"
"    4194304 |                                                    0\n"
"    8388608 |@                                                   1\n"
"   16777216 |                                                    0\n"
"   33554432 |@                                                   1\n"
"   67108864 |@@@                                                 3\n"
"  134217728 |@@@@@@@@@                                           9\n"
"  268435456 |@@@                                                 3\n"
"  536870912 |@@                                                  2\n"
" 1073741824 |@@                                                  2\n"
" 2147483648 |                                                    0\n"
" 4294967296 |@                                                   1\n"
" 8589934592 |                                                    0\n"
"17179869184 |                                                    0\n"
"\n");
}

/* examples/process/sched-latency.txt: no row below 0 if all buckets there are empty. */
static void example_from_zero(void)
{
	begin(log_shape);
	put(1, 9); put(2, 46); put(4, 40); put(8, 30); put(16, 2);
	EXPECT(
"value |-------------------------------------------------- count\n"
"    0 |                                                    0\n"
"    1 |@@@@@@@@@                                           9\n"
"    2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@     46\n"
"    4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           40\n"
"    8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                     30\n"
"   16 |@@                                                  2\n"
"   32 |                                                    0\n"
"   64 |                                                    0\n"
"\n");
}

/* examples/io/deviceseeks.txt, with its negative half. */
static void example_negative(void)
{
	begin(log_shape);
	put(-8589934592ll, 1); put(-67108864, 1); put(-8192, 47); put(-5000, 115); put(-2048, 31);
	put(0, 246); put(32, 1); put(64, 3); put(128, 1); put(256, 1); put(512, 8); put(1024, 7);
	put(2048, 102); put(4096, 102); put(8192, 37); put(16384, 3); put(67108864, 2);
	put(8589934592ll, 1);
	EXPECT(
"       value |-------------------------------------------------- count\n"
"-34359738368 |                                                     0\n"
"-17179869184 |                                                     0\n"
" -8589934592 |                                                     1\n"
" -4294967296 |                                                     0\n"
" -2147483648 |                                                     0\n"
"             ~\n"
"  -268435456 |                                                     0\n"
"  -134217728 |                                                     0\n"
"   -67108864 |                                                     1\n"
"   -33554432 |                                                     0\n"
"   -16777216 |                                                     0\n"
"             ~\n"
"      -32768 |                                                     0\n"
"      -16384 |                                                     0\n"
"       -8192 |@@@@@@@@@                                           47\n"
"       -4096 |@@@@@@@@@@@@@@@@@@@@@@@                            115\n"
"       -2048 |@@@@@@                                              31\n"
"       -1024 |                                                     0\n"
"        -512 |                                                     0\n"
"             ~\n"
"          -2 |                                                     0\n"
"          -1 |                                                     0\n"
"           0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  246\n"
"           1 |                                                     0\n"
"           2 |                                                     0\n"
"             ~\n"
"           8 |                                                     0\n"
"          16 |                                                     0\n"
"          32 |                                                     1\n"
"          64 |                                                     3\n"
"         128 |                                                     1\n"
"         256 |                                                     1\n"
"         512 |@                                                    8\n"
"        1024 |@                                                    7\n"
"        2048 |@@@@@@@@@@@@@@@@@@@@                               102\n"
"        4096 |@@@@@@@@@@@@@@@@@@@@                               102\n"
"        8192 |@@@@@@@                                             37\n"
"       16384 |                                                     3\n"
"       32768 |                                                     0\n"
"       65536 |                                                     0\n"
"             ~\n"
"    16777216 |                                                     0\n"
"    33554432 |                                                     0\n"
"    67108864 |                                                     2\n"
"   134217728 |                                                     0\n"
"   268435456 |                                                     0\n"
"             ~\n"
"  2147483648 |                                                     0\n"
"  4294967296 |                                                     0\n"
"  8589934592 |                                                     1\n"
" 17179869184 |                                                     0\n"
" 34359738368 |                                                     0\n"
"\n");
}

static void outer_buckets(void)
{
	begin((struct tap_hist_shape){ .op = TAP_HIST_LINEAR, .low = 1, .high = 3, .step = 1 });
	put(-100, 1); put(1, 1); put(2, 1); put(3, 1); put(100, 1);
	EXPECT(
"value |-------------------------------------------------- count\n"
"   <1 |@                                                  1\n"
"    1 |@                                                  1\n"
"    2 |@                                                  1\n"
"    3 |@                                                  1\n"
"   >3 |@                                                  1\n"
"\n");
	begin((struct tap_hist_shape){ .op = TAP_HIST_LINEAR, .low = -10000, .high = 10000, .step = 10000 });
	put(-10001, 51);
	EXPECT(
"  value |-------------------------------------------------- count\n"
"<-10000 |@@@@@@@@@@@@@@@@@@@@@@@@@                          51\n"
" -10000 |                                                    0\n"
"      0 |                                                    0\n"
"\n");
}

static void elision(void)
{
	begin(log_shape);
	put(8, 1); put(4096, 1);
	expect_styled(__LINE__, (struct tap_hist_style){ false, 0 },
"value |-------------------------------------------------- count\n"
"    8 |@                                                  1\n"
"      ~\n"
" 4096 |@                                                  1\n"
"\n");
	expect_styled(__LINE__, (struct tap_hist_style){ false, 1 },
"value |-------------------------------------------------- count\n"
"    4 |                                                   0\n"
"    8 |@                                                  1\n"
"   16 |                                                   0\n"
"      ~\n"
" 2048 |                                                   0\n"
" 4096 |@                                                  1\n"
" 8192 |                                                   0\n"
"\n");
	print((struct tap_hist_style){ false, -1 });
	CHECK(!strchr(printed, '~') && strstr(printed, "\n   64 |"));
	begin(log_shape);
	EXPECT("");
}

static void pretty(void)
{
	begin(log_shape);
	put(1, 16); put(2, 5); put(1000, 1);
	expect_styled(__LINE__, (struct tap_hist_style){ true, 2 },
"value ┌────────────────────────────────────────────────── count\n"
"    0 │                                                    0\n"
"    1 │██████████████████████████████████████████████████ 16\n"
"    2 │███████████████▋                                    5\n"
"    4 │                                                    0\n"
"    8 │                                                    0\n"
"      ┊\n"
"  128 │                                                    0\n"
"  256 │                                                    0\n"
"  512 │███▏                                                1\n"
" 1024 │                                                    0\n"
" 2048 │                                                    0\n"
"\n");
	put(1, (s64)(~0ull >> 2));
	print((struct tap_hist_style){ true, 2 });	/* no overflow */
}

static void log_linear(void)
{
	begin((struct tap_hist_shape){ .op = TAP_HIST_LOG, .bits = 2 });
	put(3, 1); put(5, 2); put(8, 1); put(11, 1); put(-9, 1);
	EXPECT(
"value |-------------------------------------------------- count\n"
"  -12 |                                                   0\n"
"  -10 |                                                   0\n"
"   -8 |@                                                  1\n"
"   -7 |                                                   0\n"
"   -6 |                                                   0\n"
"      ~\n"
"    1 |                                                   0\n"
"    2 |                                                   0\n"
"    3 |@                                                  1\n"
"    4 |                                                   0\n"
"    5 |@@                                                 2\n"
"    6 |                                                   0\n"
"    7 |                                                   0\n"
"    8 |@                                                  1\n"
"   10 |@                                                  1\n"
"   12 |                                                   0\n"
"   14 |                                                   0\n"
"\n");
}

static bool refused(u32 first, u32 second, s64 count)
{
	struct tap_writer w = { printed, printed, printed + sizeof(printed), NULL };
	u8 payload[24];

	memcpy(payload, &first, 4);
	memcpy(payload + 4, &count, 8);
	memcpy(payload + 12, &second, 4);
	memcpy(payload + 16, &count, 8);
	return !tap_hist_print_payload(&w, &shape.hists[0], TAP_HIST_STYLE, payload, 24) && w.at == printed;
}

static void hostile(void)
{
	begin(log_shape);
	CHECK(!refused(3, 4, 1));
	CHECK(refused(4, 3, 1));
	CHECK(refused(3, 3, 1));
	CHECK(refused(3, 128, 1));
	CHECK(refused(3, 4, 0));
	CHECK(refused(3, 4, -1));
	shape.hists[0].buckets = 127;
	CHECK(refused(3, 4, 1));
}

int main(void)
{
	documented_log();
	documented_linear();
	example_latency();
	example_from_zero();
	example_negative();
	outer_buckets();
	elision();
	pretty();
	log_linear();
	hostile();
	free(s);
	return report("core-hist");
}
