/*
 * A load whose cost per call is known: call-load getppid|pread|switch MILLISECONDS [FILE]
 *
 * Prints ns per call. `switch` hands a byte to and fro between two processes on one processor: two context switches and
 * four calls on pipes, which count as one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Calls between two looks at the clock. */
#define BATCH 256

static int file, there[2], back[2];
static char buffer[4096];

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void call_pread(void)
{
	if (pread(file, buffer, sizeof(buffer), 0) < 0)
		fail("pread");
}

static void hand_over(void)
{
	if (write(there[1], buffer, 1) != 1 || read(back[0], buffer, 1) != 1)
		fail("pipe");
}

static void start_partner(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || pipe(there) || pipe(back))
		fail("partner");
	if (fork())
		return;
	close(there[1]);
	while (read(there[0], buffer, 1) == 1)
		if (write(back[1], buffer, 1) != 1)
			break;
	_exit(0);
}

static void repeat(void (*call)(void), double ms)
{
	double start = now_ns(), end;
	long calls = 0;

	do {
		for (int i = 0; i < BATCH; i++)
			call();
		calls += BATCH;
		end = now_ns();
	} while (end - start < ms * 1e6);
	printf("%.1f\n", (end - start) / calls);
}

int main(int count, char **words)
{
	if (count < 3)
		return 2;
	if (!strcmp(words[1], "getppid")) {
		repeat(call_getppid, atof(words[2]));
	} else if (!strcmp(words[1], "pread") && count > 3) {
		file = open(words[3], O_RDONLY);
		repeat(call_pread, atof(words[2]));
	} else if (!strcmp(words[1], "switch")) {
		start_partner();
		repeat(hand_over, atof(words[2]));
	} else {
		return 2;
	}
	return 0;
}
