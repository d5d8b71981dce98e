#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""timeline.py FORMAT FILE: decodes a timeline strictly, and prints what a viewer would draw, the same for each format:

	ROW: slice NAME START DURATION		DURATION "open": it has not ended
	ROW: point NAME TIME [from ID|to ID]
	ROW: counter NAME TIME VALUE

Times are ns. ROW is PROCESS/THREAD, or the name of a row that is no thread; lanes are NAME+1 and so on. With --pids the
numbers of process and thread follow their names. A file that a viewer would not read as it is meant ends the program with
a reason."""
import json, struct, sys

class Wrong(Exception):
	pass

def need(condition, *what):
	if not condition:
		raise Wrong(' '.join(map(str, what)))

class Rows:
	"""Slices of a row must nest: a span that ends after the one it starts in would be drawn wrongly."""
	def __init__(self):
		self.open, self.done, self.lines = {}, {}, []

	def begin(self, row, name, time):
		self.open.setdefault(row, []).append((time, name))

	def end(self, row, time, named=None):
		need(self.open.get(row), 'an end without a beginning on', row, time)
		start, name = self.open[row].pop()
		need(named in (None, name, '(more)'), 'the end of', named, 'in', name)
		self.span(row, name, start, time, len(self.open[row]))

	def span(self, row, name, start, end, depth=None):
		need(start <= end, 'a slice ends before it starts:', row, name)
		self.done.setdefault(row, []).append((start, end, name))

	def finish(self, title):
		for row, spans in self.done.items():
			spans.sort(key=lambda s: (s[0], -s[1]))
			stack = []
			for start, end, name in spans:
				while stack and stack[-1][1] <= start:
					stack.pop()
				need(not stack or end <= stack[-1][1], 'slices of', title(row), 'overlap:', name, start, stack and stack[-1])
				stack.append((start, end))
				self.lines.append((start, '%s: slice %s %d %d' % (title(row), name, start, end - start)))
		for row, spans in self.open.items():
			for start, name in spans:
				self.lines.append((start, '%s: slice %s %d open' % (title(row), name, start)))
		return [line for _, line in sorted(self.lines, key=lambda l: l[0])]

def with_lanes(names):
	"""{row: name}: rows of the same name in the order of their keys are lanes."""
	seen, result = {}, {}
	for row in names:
		n = seen.get(names[row], 0)
		seen[names[row]] = n + 1
		result[row] = names[row] + ('+%d' % n if n else '')
	return result

# ---- Chrome: https://ui.perfetto.dev reads it, too ----

def ns(value):
	text = repr(value) if not isinstance(value, str) else value
	whole, _, decimals = text.partition('.')
	need(len(decimals) == 3, 'a time without ns:', text)
	return int(whole) * 1000 + int(decimals)

def chrome(data, pids):
	events = json.loads(data.decode('utf-8'), parse_float=str)
	need(isinstance(events, list), 'not an array')
	rows, processes, threads, points, last = Rows(), {}, {}, [], {}
	members = {'M': {'args'}, 'B': {'ts'}, 'E': {'ts'}, 'X': {'ts', 'dur', 'bind_id', 'flow_in', 'flow_out'},
		   'i': {'ts', 's'}, 'C': {'ts', 'args', 'id'}}
	def title(row):
		if row[0] == 4194304:
			return 'tapc'
		need(row in titles, 'a row without a name:', row)
		return titles[row]
	for e in events:
		phase, row = e['ph'], (e['pid'], e['tid'])
		need(phase in members, 'unknown phase', e)
		need(set(e) <= members[phase] | {'ph', 'pid', 'tid', 'name'}, 'unknown members', e)
		need('name' in e, 'no name', e)
		need(all(isinstance(i, int) and 0 <= i < 1 << 32 for i in row), 'numbers of rows', e)
		if phase == 'M':
			need(e['name'] in ('process_name', 'thread_name'), e)
			if e['name'] == 'process_name':
				processes[e['pid']] = e['args']['name']
			else:
				threads[row] = e['args']['name']
			continue
		time = ns(e['ts'])
		if phase in 'BE':
			need(time >= last.get(row, 0), 'not in order', e)
			last[row] = time
		if phase == 'B':
			rows.begin(row, e['name'], time)
		elif phase == 'E':
			rows.end(row, time, e['name'])
		elif phase == 'C':
			points.append((time, row, 'counter %s %d %d' % (e['name'], time, e['args']['value'])))
		elif phase == 'i':
			need(e['s'] in 'tg', e)
			points.append((time, row, 'point %s %d' % (e['name'], time)))
		elif 'bind_id' in e:
			need(e['dur'] == 0 and ('flow_in' in e) != ('flow_out' in e), e)
			points.append((time, row, 'point %s %d %s %d' % (e['name'], time, 'to' if 'flow_in' in e else 'from',
									 int(e['bind_id'], 16))))
		else:
			rows.span(row, e['name'], time, time + ns(e['dur']))
	titles = {}
	for row in sorted(threads):
		need(row[0] in processes, 'a process without a name:', row)
		pseudo = row[0] >= 4194304
		titles[row] = threads[row] if pseudo else '%s/%s' % (processes[row[0]], threads[row])
		if pids and not pseudo:
			titles[row] += ' %d/%d' % row
	titles = with_lanes(titles) if not pids else titles
	for time, row, text in points:
		if ' '.join(text.split()[:1]) == 'counter' and row not in titles:
			rows.lines.append((time, 'all: ' + text))	# of the machine
		else:
			rows.lines.append((time, title(row) + ': ' + text))
	return rows.finish(title)

# ---- Firefox: src/types/profile.ts of the viewer, version 60 ----

def ms(text):
	whole, _, decimals = text.partition('.')
	need(len(decimals) == 6, 'a time without ns:', text)
	return int(whole) * 1000000 + int(decimals)

def table(t, *columns):
	"""[row], each with the values of these columns; all columns have the table's length."""
	need(all(not isinstance(c, list) or len(c) == t['length'] for c in t.values()), 'columns of different lengths')
	return list(zip(*(t[name] for name in columns)))

def firefox(data, pids):
	file = json.loads(data.decode('utf-8'), parse_float=str)
	meta, threads, shared = file['meta'], file['threads'], file['shared']
	need(meta['preprocessedProfileVersion'] == 60 and meta['initialVisibleThreads'] == list(range(len(threads))), 'meta')
	need(all(name in meta for name in ('interval', 'startTime', 'product', 'stackwalk', 'version', 'categories')), 'meta')
	need([s['name'] for s in meta['markerSchema']] == ['from', 'to'], 'schemas')
	strings, rows, titles, stacks = shared['stringArray'], Rows(), {}, []
	functions = [strings[name] for name, in table(shared['funcTable'], 'name')]
	frames = [functions[func] for func, in table(shared['frameTable'], 'func')]
	for frame, prefix in table(shared['stackTable'], 'frame', 'prefix'):
		need(prefix is None or prefix < len(stacks), 'a stack before its callers')
		stacks.append(([] if prefix is None else stacks[prefix]) + [frames[frame]])
	for row, t in enumerate(threads):
		need(isinstance(t['pid'], str) and isinstance(t['tid'], int), 'numbers of rows')
		titles[row] = '%s/%s' % (t['processName'], t['name']) if t['pid'].isdigit() else t['name']
		if pids and t['pid'].isdigit():
			titles[row] += ' %s/%d' % (t['pid'], t['tid'])
	titles = with_lanes(titles) if not pids else titles
	for row, t in enumerate(threads):
		for stack, weight in table(dict(t['samples'], weight=t['samples']['weight'] or []), 'stack', 'weight'):
			rows.lines.append((0, 'stack %s %d' % (';'.join(stacks[stack]), weight)))
		for phase, name, start, end, payload in table(t['markers'], 'phase', 'name', 'startTime', 'endTime', 'data'):
			need((end is None) == (phase != 1), 'the end of a marker')
			time = ms(start)
			if phase == 1:
				rows.span(row, strings[name], time, ms(end))
			elif phase == 2:
				rows.begin(row, strings[name], time)
			else:
				need(phase == 0, 'phase', phase)
				arrow = ' %s %d' % (payload['type'], int(strings[payload['flow']], 16)) if payload else ''
				rows.lines.append((time, '%s: point %s %d%s' % (titles[row], strings[name], time, arrow)))
	for c in file['counters']:
		row, value = c['mainThreadIndex'], 0
		need(c['pid'] == threads[row]['pid'] and c['display']['label'] == c['name'], 'a counter of another row')
		for time, count in table(c['samples'], 'time', 'count'):
			value += count
			rows.lines.append((ms(time), '%s: counter %s %d %d' % (titles[row] if row else 'all', c['name'], ms(time), value)))
	return rows.finish(lambda row: titles[row])

# ---- Perfetto: protos/perfetto/trace/trace_packet.proto and what it includes ----

def varint(data, at):
	value = shift = 0
	while True:
		need(at < len(data) and shift < 70, 'a number is cut')
		value |= (data[at] & 0x7f) << shift
		shift += 7
		at += 1
		if data[at - 1] < 0x80:
			return value, at

def message(data):
	"""[(field, value)]: numbers, or bytes."""
	at, fields = 0, []
	while at < len(data):
		key, at = varint(data, at)
		if key & 7 == 0:
			value, at = varint(data, at)
		elif key & 7 == 1:
			need(at + 8 <= len(data), 'a number is cut')
			value, at = struct.unpack_from('<Q', data, at)[0], at + 8
		else:
			need(key & 7 == 2, 'wire type', key & 7)
			size, at = varint(data, at)
			need(at + size <= len(data), 'a message is cut')
			value, at = data[at:at + size], at + size
		fields.append((key >> 3, value))
	return fields

def known(data, what, **fields):
	"""{name: value}; fields: name=number. No field occurs twice."""
	names, result = {number: name for name, number in fields.items()}, {}
	for number, value in message(data):
		need(number in names, 'unknown field', number, 'of', what)
		need(names[number] not in result, 'field', number, 'of', what, 'twice')
		result[names[number]] = value
	return result

def text(data):
	return data.decode('utf-8')

def perfetto(data, pids):
	rows, points, names, tracks, clocks, cleared = Rows(), [], {}, {}, {}, False
	def describe(d):
		t = known(d, 'TrackDescriptor', uuid=1, name=2, process=3, thread=4, parent=5, counter=8)
		need(t['uuid'], 'uuid 0')
		if 'process' in t:
			t['process'] = known(t['process'], 'ProcessDescriptor', pid=1, name=6)
		if 'thread' in t:
			t['thread'] = known(t['thread'], 'ThreadDescriptor', pid=1, tid=2, name=5)
			need(t['parent'] in tracks and tracks[t['parent']]['process']['pid'] == t['thread']['pid'],
			     'a thread without its process')
		need('parent' not in t or t['parent'] in tracks, 'an unknown parent')
		tracks[t['uuid']] = t
	def plain(uuid):
		t = tracks[uuid]
		if 'thread' in t:
			process = tracks[t['parent']]['process']
			name = '%s/%s' % (text(process.get('name', b'')), text(t['thread']['name']))
			return name + (' %d/%d' % (t['thread']['pid'], t['thread']['tid']) if pids else '')
		if 'process' in t or not t.get('name'):
			return ''
		if 'parent' in t and 'thread' in tracks[t['parent']]:
			return plain(t['parent'])	# a lane of a thread
		return text(t['name'])
	for field, packet in message(data):
		need(field == 1, 'a field of Trace that is no packet')
		p = known(packet, 'TracePacket', clocks=6, time=8, sequence=10, event=11, interned=12, flags=13, defaults=59,
			  track=60)
		need(p['sequence'] == 1, 'another sequence')
		if 'clocks' in p:
			snapshot = message(p['clocks'])
			clocks = {c['id']: c['time'] for c in (known(v, 'Clock', id=1, time=2) for f, v in snapshot if f == 1)}
			need(3 in clocks and 6 in clocks and (2, 6) in snapshot, 'clocks')
		if 'defaults' in p:
			need(known(p['defaults'], 'TracePacketDefaults', clock=58)['clock'] == 3 and p['flags'] == 1, 'defaults')
			cleared = True
		if 'track' in p:
			describe(p['track'])
		if 'interned' in p:
			for f, v in message(p['interned']):
				need(f == 2, 'interned data')
				v = known(v, 'EventName', iid=1, name=2)
				need(v['iid'] not in names, 'a name twice')
				names[v['iid']] = text(v['name'])
		if 'event' not in p:
			continue
		need(cleared and p['flags'] == 2 and clocks, 'an event before its state')
		e = known(p['event'], 'TrackEvent', kind=9, iid=10, track=11, name=23, value=30, flow=47, end=48)
		need(e['track'] in tracks, 'a row without a description')
		row, time = e['track'], p['time']
		name = names[e['iid']] if 'iid' in e else text(e['name']) if 'name' in e else None
		need((name is None) == (e['kind'] in (2, 4)), 'a name', e)
		if e['kind'] == 1:
			rows.begin(row, name, time)
		elif e['kind'] == 2:
			rows.end(row, time)
		elif e['kind'] == 3:
			arrow = ' from %d' % e['flow'] if 'flow' in e else ' to %d' % e['end'] if 'end' in e else ''
			points.append((time, row, 'point %s %d%s' % (name, time, arrow)))
		else:
			need(e['kind'] == 4 and 'counter' in tracks[row], 'kind of event', e['kind'])
			value = e['value'] - (1 << 64) if e['value'] >> 63 else e['value']
			points.append((time, row, 'counter %s %d %d' % (text(tracks[row]['name']), time, value)))
	titles = {row: plain(row) for row in sorted(tracks)}
	if not pids:
		titles = with_lanes({row: t for row, t in titles.items() if t and 'counter' not in tracks[row]})
	for time, row, line in points:
		if 'counter' in tracks[row]:
			row = tracks[row].get('parent')
		rows.lines.append((time, (titles[row] if row else 'all') + ': ' + line))
	return rows.finish(lambda row: titles[row])

def main(arguments):
	pids = arguments[0] == '--pids'
	how, path = arguments[pids:]
	try:
		for line in {'chrome': chrome, 'firefox': firefox, 'perfetto': perfetto}[how](open(path, 'rb').read(), pids):
			print(line)
	except (Wrong, KeyError, ValueError) as reason:
		sys.exit('%s is not readable: %r' % (path, reason))

if __name__ == '__main__':
	main(sys.argv[1:])
