# SPDX-License-Identifier: GPL-2.0-or-later
# A strict decoder of the Arrow files that tapc writes, after File.fbs, Message.fbs and Schema.fbs: arrow.py FILE prints the
# names of the columns, then the rows as JSON arrays. read(FILE) returns both, and the rows of each batch.
import json, struct, sys

VERSION_5, INT, UTF8, SCHEMA, BATCH = 4, 2, 5, 1, 3
NUMBERS = {1: '<B', 2: '<h', 4: '<i', 8: '<q'}


class Table:
	"""A table of a flatbuffer at a position; fields by number."""

	def __init__(self, data, at):
		self.data, self.at = data, at
		assert at % 4 == 0
		vtable = at - struct.unpack_from('<i', data, at)[0]
		size, self.size = struct.unpack_from('<HH', data, vtable)
		self.fields = struct.unpack_from(f'<{size // 2 - 2}H', data, vtable + 4)
		assert all(field < self.size for field in self.fields) and at + self.size <= len(data)

	def place(self, number):
		field = self.fields[number] if number < len(self.fields) else 0
		return field and self.at + field

	def number(self, number, size):
		at = self.place(number)
		assert at % size == 0, 'a number that is not aligned'
		return struct.unpack_from(NUMBERS[size], self.data, at)[0] if at else 0

	def target(self, number):
		at = self.place(number)
		return at and at + struct.unpack_from('<I', self.data, at)[0]

	def table(self, number):
		return Table(self.data, self.target(number))

	def text(self, number):
		at = self.target(number)
		size, = struct.unpack_from('<I', self.data, at)
		assert self.data[at + 4 + size] == 0
		return self.data[at + 4:at + 4 + size].decode()

	def vector(self, number, form):
		"""Of structs of FORM, aligned, or numbers."""
		at = self.target(number)
		count, = struct.unpack_from('<I', self.data, at)
		assert not count or (at + 4) % 8 == 0 or form == '<I'
		size = struct.calcsize(form)
		return [struct.unpack_from(form, self.data, at + 4 + i * size) for i in range(count)]

	def tables(self, number):
		at = self.target(number) + 4
		return [Table(self.data, at + 4 * i + offset) for i, (offset,) in enumerate(self.vector(number, '<I'))]


def root(data):
	return Table(data, struct.unpack_from('<I', data)[0])


def columns(schema):
	found = []
	assert schema.number(0, 2) == 0	# little-endian
	for field in schema.tables(1):
		kind = field.number(2, 1)
		assert kind in (INT, UTF8) and not field.number(1, 1) and field.tables(5) == []
		if kind == INT:
			assert field.table(3).number(0, 4) == 64 and field.table(3).number(1, 1) == 1
		found.append((field.text(0), kind))
	return found


def message(data, at):
	"""The message at AT, its header's kind and table, and the position and size of its body."""
	mark, size = struct.unpack_from('<Ii', data, at)
	assert mark == 0xffffffff and size % 8 == 0 and at % 8 == 0
	m = root(data[at + 8:at + 8 + size])
	assert m.number(0, 2) == VERSION_5
	return m.number(1, 1), m.table(2), at + 8 + size, m.number(3, 8)


def read_batch(data, schema, batch, body, size):
	rows, buffers = batch.number(0, 8), batch.vector(2, '<qq')
	assert batch.vector(1, '<qq') == [(rows, 0)] * len(schema)
	at = 0
	for offset, length in buffers:
		assert offset == at, (offset, at)
		at += length + -length % 8
	assert at == size
	parts = [data[body + offset:body + offset + length] for offset, length in buffers]
	found = []
	for _, kind in schema:
		assert parts.pop(0) == b''	# no bitmap
		if kind == INT:
			found.append([v for v, in struct.iter_unpack('<q', parts.pop(0))])
		else:
			ends = [v for v, in struct.iter_unpack('<i', parts.pop(0))]
			text = parts.pop(0)
			assert ends[0] == 0 and ends[-1] == len(text) and len(ends) == rows + 1
			found.append([text[a:b].decode() for a, b in zip(ends, ends[1:])])
		assert len(found[-1]) == rows
	assert not parts
	return list(zip(*found))


def read(path):
	data = open(path, 'rb').read()
	assert data[:8] == b'ARROW1\0\0' and data[-6:] == b'ARROW1'
	size, = struct.unpack('<i', data[-10:-6])
	footer = root(data[-10 - size:-10])
	assert footer.number(0, 2) == VERSION_5 and footer.vector(2, '<qiiq') == []
	schema = columns(footer.table(1))
	kind, header, at, body = message(data, 8)
	assert kind == SCHEMA and columns(header) == schema and body == 0
	rows, batches = [], []
	for start, head, nothing, body in footer.vector(3, '<qiiq'):
		assert start == at and nothing == 0, (start, at)
		kind, batch, at, found = message(data, at)
		assert kind == BATCH and at == start + head and found == body
		rows += read_batch(data, schema, batch, at, body)
		batches.append(batch.number(0, 8))
		at += body
	assert data[at:at + 8] == b'\xff' * 4 + b'\0' * 4 and at + 8 == len(data) - 10 - size
	return [name for name, _ in schema], rows, batches


if __name__ == '__main__':
	names, rows, batches = read(sys.argv[1])
	for row in [names] + rows:
		print(json.dumps(row, ensure_ascii=False))
