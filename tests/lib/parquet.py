# SPDX-License-Identifier: GPL-2.0-or-later
# A strict decoder of the Parquet files that tapc writes, after parquet.thrift: parquet.py FILE prints the names of the
# columns, then the rows as JSON arrays. read(FILE) returns both, and the rows of each group.
import json, struct, subprocess, sys


class Compact:
	"""Thrift's compact protocol: structs are dicts by number of the field."""

	def __init__(self, data):
		self.data, self.at = data, 0

	def byte(self):
		self.at += 1
		return self.data[self.at - 1]

	def varint(self):
		value = shift = 0
		while True:
			byte = self.byte()
			value |= (byte & 0x7f) << shift
			shift += 7
			if byte < 0x80:
				return value

	def number(self):
		value = self.varint()
		return value >> 1 ^ -(value & 1)

	def value(self, kind):
		if kind in (5, 6):
			return self.number()
		if kind == 8:
			size = self.varint()
			self.at += size
			text = self.data[self.at - size:self.at]
			assert len(text) == size, 'a text after the end'
			return text.decode()
		if kind == 9:
			head = self.byte()
			count = head >> 4
			if count == 15:
				count = self.varint()
				assert count >= 15
			return [self.value(head & 15) for _ in range(count)]
		assert kind == 12, f'type {kind}'
		fields, last = {}, 0
		while head := self.byte():
			assert head >> 4, 'a long field'
			last += head >> 4
			fields[last] = self.value(head & 15)
		return fields


def unpack(data, codec, size):
	if codec == 6:
		data = subprocess.run(['zstd', '-dcq'], input=data, stdout=subprocess.PIPE, check=True).stdout
	else:
		assert codec == 0, f'codec {codec}'
	assert len(data) == size, (len(data), size)
	return data


def texts(data):
	at = 0
	while at < len(data):
		size, = struct.unpack_from('<I', data, at)
		at += 4 + size
		assert at <= len(data), 'a text after the end of its page'
		yield data[at - size:at].decode()	# strictly UTF-8


def read_column(data, chunk, name, kind, rows):
	c = chunk[3]
	assert c[1] == kind and c[2] == [0] and c[3] == [name] and c[5] == rows and chunk[2] == c[9], c
	page = Compact(data[c[9]:])
	head = page.value(12)
	assert head[1] == 0 and head[5] == {1: rows, 2: 0, 3: 3, 4: 3}, head
	assert c[7] == page.at + head[3] and c[6] == page.at + head[2], (c, head, page.at)
	start = c[9] + page.at
	values = unpack(data[start:start + head[3]], c[4], head[2])
	found = list(texts(values)) if kind == 6 else [v for v, in struct.iter_unpack('<q', values)]
	assert len(found) == rows, (len(found), rows)
	return found, start + head[3]


def read(path):
	data = open(path, 'rb').read()
	assert data[:4] == data[-4:] == b'PAR1' and len(data) > 12, data[-20:]
	size, = struct.unpack('<I', data[-8:-4])
	end = Compact(data[-8 - size:-8])
	meta = end.value(12)
	assert end.at == size and meta[1] == 1 and meta[6] == 'tapc', meta
	root, *schema = meta[2]
	assert root[5] == len(schema) and root.keys() == {4, 5}, root
	for c in schema:
		assert c[3] == 0 and (c[1] == 2 and c.keys() == {1, 3, 4} or c[1] == 6 and c[6] == 0 and c[10] == {1: {}}), c
	rows, groups, at = [], [], 4
	for group in meta[4]:
		columns = []
		assert len(group[1]) == len(schema)
		for c, chunk in zip(schema, group[1]):
			assert chunk[2] == at, (chunk, at)
			column, at = read_column(data, chunk, c[4], c[1], group[3])
			columns.append(column)
		assert group[2] == sum(chunk[3][6] for chunk in group[1]), group
		rows += zip(*columns)
		groups.append(group[3])
	assert at == len(data) - 8 - size, 'bytes between the last group and the end'
	assert len(rows) == meta[3], (len(rows), meta[3])
	return [c[4] for c in schema], rows, groups


if __name__ == '__main__':
	names, rows, groups = read(sys.argv[1])
	for row in [names] + rows:
		print(json.dumps(row, ensure_ascii=False))
