#include <string.h>

struct item {
	int id;
	long price;
	char name[8];
	struct item *next;
};
enum color { RED, GREEN };

int total = 17;
static int hidden = 23;
__thread int mine = 31;
long list[5] = { 2, 3, 5, 7, 11 };
enum color color = RED;

/* Pages must be mapped when the handler reads them. */
static char text[] = "hello";

__attribute__((noipa)) long show(int n, const char *text, struct item *i)
{
	total++;
	hidden++;
	mine++;
	return i->price + n;
}

__attribute__((noipa)) int use(int x)
{
	return x + text[0];
}

int main(void)
{
	struct item second = { 2, 200, "second", 0 }, first = { 1, 100, "first", &second };
	int local = 76;

	text[0] = 'h';
	color = GREEN;
	if (show(2, text, &first) != 4323)
		return 1;
	if (show(4, text, &first) != 4325)
		return 1;
	local++;
	use(local);
	if (use(1) == 0)
		goto out;
	use(2);
out:
	return total == 19 ? 0 : 2;
}
