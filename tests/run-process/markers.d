/* The markers of markers.c. */
provider shapes {
	probe request__start(int, const char *);
	probe many(signed char, unsigned char, short, unsigned short, int, unsigned int, long, unsigned long, _Bool,
		   enum level, int *, const char *);
	probe fields(int, unsigned int, long, unsigned long);
	probe idle();
	probe never(int);
};
#pragma D attributes Evolving/Evolving/Common provider shapes provider
