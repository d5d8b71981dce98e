# 250 pages are swapped out (madvise's MADV_PAGEOUT is 21) and touched again.
. "$SRC/tests/lib/memory.sh"
swap_on 16M
python3 -c 'import ctypes, mmap
m = mmap.mmap(-1, 250 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for at in range(0, len(m), 4096):
	m[at] = at % 251
m.madvise(21)
for at in range(0, len(m), 4096):
	assert m[at] == at % 251'
