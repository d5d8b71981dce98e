# SPDX-License-Identifier: GPL-2.0-or-later
"""tests/editors/protocol.sh: messages of all kinds to the language server."""
import os
import random
import signal
import time

from client import Client


def expect(found, wanted):
	assert found == wanted, f'{found!r}, not {wanted!r}'


def refused(client, code, data):
	"""DATA gets this error, without an id."""
	client.send_bytes(data)
	answer = client.receive()
	expect((answer['id'], answer['error']['code']), (None, code))
	return answer['error']['message']


def message(body):
	return b'Content-Length: %d\r\n\r\n%s' % (len(body), body)


def test_life():
	client = Client()
	expect(client.error('textDocument/hover')['code'], -32002)
	client.notify('textDocument/didOpen', textDocument={'uri': 'file:///x.stp', 'version': 1, 'text': 'probe'})
	capabilities = client.initialize()['capabilities']
	expect(capabilities['positionEncoding'], 'utf-16')
	expect(client.error('initialize')['code'], -32600)
	expect(client.request('shutdown'), None)
	expect(client.error('textDocument/hover')['code'], -32600)
	client.notify('exit')
	expect(client.server.wait(), 0)

	client = Client()			# as Eglot does it
	client.initialize()
	client.send({'jsonrpc': '2.0', 'id': 'end', 'method': 'shutdown', 'params': None})
	expect(client.answer('end')['result'], None)
	client.send({'jsonrpc': '2.0', 'method': 'exit', 'params': None})
	expect(client.server.wait(), 0)
	client = Client()			# without shutdown
	client.initialize()
	client.notify('exit')
	expect(client.server.wait(), 1)
	client = Client()			# without any of it
	client.initialize()
	client.server.stdin.close()
	expect(client.server.wait(), 1)


def test_broken():
	client = Client()
	client.initialize()
	refused(client, -32700, b'Content-Length: many\r\n\r\n')
	refused(client, -32700, b'Content-Length: -5\r\n\r\n')
	refused(client, -32700, b'Content-Length: 99999999999999999999999\r\n\r\n')
	refused(client, -32700, b'Length: 5\r\n\r\n')
	refused(client, -32700, b'\0' * 5000)
	refused(client, -32700, message(b'{"jsonrpc":'))
	refused(client, -32700, message(b''))
	refused(client, -32700, message(b'{"jsonrpc": "2.0", "method": "\xff"}'))
	refused(client, -32700, message(b'[' * 100000))
	for body in (b'[]', b'{}', b'{"jsonrpc": "1.0", "method": "exit"}', b'{"jsonrpc": "2.0", "method": 5}',
			b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}', b'{"jsonrpc": "2.0", "id": null, "method": "x"}',
			b'{"jsonrpc": "2.0", "method": "exit", "params": 5}'):
		refused(client, -32600, message(body))
	assert '64 MB' in refused(client, -32600, b'Content-Length: 70000000\r\n\r\n' + b' ' * 70000000)
	# a length that is too short: the rest is no header, and the message after it is read again
	client.send({'jsonrpc': '2.0', 'id': 'short', 'method': 'x'}, length=10)
	client.ask('x')
	expect([client.receive()['error']['code'] for _ in range(3)], [-32700, -32700, -32601])
	# other headers, and bytes that arrive one by one
	body = b'{"jsonrpc": "2.0", "id": "a", "method": "none"}'
	for byte in b'Content-Type: text; charset=utf-8\r\ncontent-length:  %d\r\n\r\n%s' % (len(body), body):
		client.send_bytes(bytes([byte]))
	expect(client.answer('a')['error']['code'], -32601)
	client.notify('none')
	client.notify('$/none')
	client.send({'jsonrpc': '2.0', 'id': 5, 'result': None})
	expect(client.finish(), 0)


def test_params():
	client = Client()
	client.initialize()
	for params in ({}, {'textDocument': 5}, {'textDocument': {'uri': 'file:///x.stp'}}, {'textDocument': {'text': ''}}):
		client.notify('textDocument/didOpen', **params)
		client.notify('textDocument/didChange', **params)
		client.notify('textDocument/didSave', **params)
		client.notify('textDocument/didClose', **params)
		client.notify('$/cancelRequest', **params)
	client.open('probe begin { foo() }\n')
	expect(client.diagnostics()[0]['message'].split('\n')[0], "unknown function 'foo'")
	here = {'line': 0, 'character': 0}
	for change in ({}, {'text': 5}, {'text': 'x', 'range': {'start': {'line': 0, 'character': 5}, 'end': here}},
			{'text': 'x', 'range': {'start': {'line': -1, 'character': 0}, 'end': here}},
			{'text': 'x', 'range': {'start': {'line': 0.5, 'character': 0}, 'end': here}}):
		client.change(change)
	client.change({'text': 'probe begin { bar() }\n'})
	expect(client.diagnostics()[0]['message'].split('\n')[0], "unknown function 'bar'")
	client.notify('textDocument/didClose', textDocument={'uri': 'file:///x.stp'})
	client.version['file:///x.stp'] = None
	expect(client.diagnostics(), [])
	expect(client.finish(), 0)


def test_diagnostics():
	client = Client()
	client.initialize()
	client.open('probe begin { x = 1 }\nprobe end { println("é😀", foo()) }\n')
	found, = client.diagnostics()
	expect(found['range'], {'start': {'line': 1, 'character': 27}, 'end': {'line': 1, 'character': 32}})
	expect(found['severity'], 1)
	client.change({'text': 'global unused\nprobe begin { }\n'})
	found, = client.diagnostics()
	expect((found['severity'], found['range']['start']['line']), (2, 0))
	client.change({'text': 'global a\nprobe begin { a[1] = 2\n\tprintln(a) }\n'})
	found, = client.diagnostics()
	expect(found['range']['start'], {'line': 2, 'character': 9})
	related, = found['relatedInformation']
	expect((related['location']['uri'], related['location']['range']['start']),
		('file:///x.stp', {'line': 1, 'character': 14}))
	# what a script's arguments are is not known, and whether it has probes is its own matter
	client.change({'text': 'probe begin { exit($1, @2) }\nprobe $3 { println($#) }\n'})
	expect(client.diagnostics(), [])
	client.change({'text': 'function f(x) { return x + 1 }\nprobe mine = begin { y = 1 }\n'})
	expect(client.diagnostics(), [])
	# a mistake in the library is reported where the script uses it
	os.mkdir('tapsets')
	with open('tapsets/wrong.stp', 'w', encoding='ascii') as file:
		file.write('function wrong() { return nothing_known() }\n')
	expect(client.finish(), 0)
	client = Client('-I', 'tapsets')
	client.initialize()
	client.open('probe begin {\n\tprintln(wrong())\n}\n')
	found, = client.diagnostics()
	expect(found['range']['start'], {'line': 1, 'character': 9})
	assert found['relatedInformation'][0]['location']['uri'].endswith('/tapsets/wrong.stp'), found
	# the tapset itself: as a file of the library, and when it is saved, others get its new text
	uri = 'file://' + os.path.abspath('tapsets/wrong.stp')
	text = 'function wrong() { return 5 }\nfunction c:long() %{ STAP_RETVALUE = 1; %}\n'
	client.open(text, uri)
	expect(client.diagnostics(uri), [])
	with open('tapsets/wrong.stp', 'w', encoding='ascii') as file:
		file.write(text)
	client.notify('textDocument/didSave', textDocument={'uri': uri})
	expect(client.diagnostics(), [])
	expect(client.finish(), 0)


def units(text):
	"""The UTF-16 position of the end of TEXT."""
	last = text[text.rfind('\n') + 1:]
	return {'line': text.count('\n'), 'character': len(last.encode('utf-16-le')) // 2}


def test_edits():
	"""After random edits the server has the same text as this test: it finds the same mistakes in it."""
	client = Client()
	client.initialize()
	chance = random.Random(1)
	text = 'probe begin {\n\tprintln("é😀 ", 1)	# 漢字\n}\n' * 3
	client.open(text)
	for number in range(300):
		start = chance.randrange(len(text) + 1)
		end = min(len(text), start + chance.choice((0, 0, 1, 5)))
		new = chance.choice(('', '', 'x', '😀', 'é\n', '"', '}', '{ foo() ', '\tprintln("漢")\n', '# '))
		client.change({'text': new, 'range': {'start': units(text[:start]), 'end': units(text[:end])}})
		text = text[:start] + new + text[end:]
		if number % 60 == 0:
			edited = client.diagnostics()
			client.open(text, 'file:///y.stp')
			expect(client.diagnostics('file:///y.stp'), [
				{**d, 'relatedInformation': [{**r, 'location': {**r['location'], 'uri': 'file:///y.stp'}}
					for r in d['relatedInformation']]} if 'relatedInformation' in d else d for d in edited])
	# a position inside of a pair of surrogates, and those after the end of a line or the text
	client.change({'text': '😀\nab'}, {'text': 'x', 'range': {'start': {'line': 0, 'character': 1},
		'end': {'line': 0, 'character': 2}}}, {'text': 'y', 'range': {'start': {'line': 0, 'character': 99},
		'end': {'line': 99, 'character': 5}}})
	assert "'xy'" in (found := client.diagnostics()[0]['message']), found
	expect(client.finish(), 0)


def wait_for_no_worker(client):
	"""At the beginning one reads the kernel's symbols."""
	while client.workers():
		time.sleep(0.01)


def wait_for_worker(client):
	while not client.workers():
		time.sleep(0.01)
	return client.workers()[0]


def test_failure():
	client = Client()
	client.initialize()
	wait_for_no_worker(client)
	long = 'probe begin {\n' + '\tx = 1 + strlen("a") * 5; printf("%d %s\\n", x, "y")\n' * 100000 + '}\n'
	client.open(long)
	os.kill(wait_for_worker(client), signal.SIGSEGV)
	found, = client.diagnostics()
	expect(found['message'], 'tapc cannot analyze this text: Segmentation fault')
	client.change({'text': long})
	os.kill(wait_for_worker(client), signal.SIGXCPU)
	found, = client.diagnostics()
	expect(found['message'], 'tapc cannot analyze this text: it took too long')
	# a newer text ends the analysis of an older one
	client.open(long, 'file:///y.stp')
	old = wait_for_worker(client)
	client.change({'text': 'probe begin { foo() }'}, uri='file:///y.stp')
	assert "'foo'" in client.diagnostics('file:///y.stp')[0]['message']
	assert not os.path.exists(f'/proc/{old}'), 'the analysis of the older text goes on'
	# the translator runs out of memory or stack on none of the prefixes of a script
	text = open(os.environ['SRC'] + '/tests/editors/indent.script', encoding='utf-8').read()
	for end in range(0, len(text), 40):
		client.open(text[:end])
		for found in client.diagnostics():
			assert 'cannot analyze' not in found['message'], (end, found)
	client.change({'text': 'probe begin { x = ' + '(' * 100000})
	assert 'cannot analyze' not in client.diagnostics()[0]['message']
	# the editor is gone while an analysis runs
	client.open(long, 'file:///y.stp')
	worker = wait_for_worker(client)
	client.server.stdin.close()
	expect(client.server.wait(), 1)
	assert not os.path.exists(f'/proc/{worker}'), 'the analysis goes on'


for name, test in list(globals().items()):
	if name.startswith('test_'):
		begun = time.time()
		test()
		print(f'{name}: {time.time() - begun:.1f} s')
