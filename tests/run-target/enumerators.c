/* Enumerators in memory, in registers and in bit fields: named, negative, combined and unknown. */
enum color { RED, GREEN = 5, BLUE, AZURE = BLUE };
enum flags { READ = 1, WRITE = 2, EXECUTE = 4 };
typedef enum { LOW = -3, HIGH = 1 } level;
enum unsigned_long { SMALL = 1, LARGE = 0x8000000000000000 };

struct all {
	enum color color, colors[3];
	enum flags flags;
	level level;
	enum color narrow:4;
	level negative:3;
	enum unsigned_long large;
	float single;
	double both[2];
	struct { enum color inner; } in;
};

__attribute__((noipa)) int handle(struct all *all, enum color color, enum flags flags, level level)
{
	return (int)all->color + (int)color + (int)flags + level;
}

int main(void)
{
	struct all all = {
		.color = BLUE, .colors = { RED, GREEN, 9 }, .flags = READ | WRITE, .level = LOW, .narrow = GREEN,
		.negative = LOW, .large = LARGE, .single = 1.5, .both = { 1, 2 }, .in = { GREEN },
	};

	handle(&all, GREEN, EXECUTE, LOW);
	handle(&all, 77, WRITE | EXECUTE, HIGH);
	return 0;
}
