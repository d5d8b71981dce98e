#include <stdio.h>

struct shown {
	double average;
	float part;
	char letter;
	short small;
	int number;
	long large;
	void *pointer;
	char text[16], cut[16];
};

__attribute__((noipa)) long scale(int n, long by, struct shown *s)
{
	return n * by + (s->large == 0);
}

int main(void)
{
	struct shown s = { .average = 2.5, .part = .125f, .text = "old", .cut = "old" };
	long result = scale(6, 7, &s);

	printf("%ld %d %d %d %ld %p %s %s %g\n", result, s.letter, s.small, s.number, s.large, s.pointer, s.text,
	       s.cut, s.average);
	return 0;
}
