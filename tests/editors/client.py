# SPDX-License-Identifier: GPL-2.0-or-later
"""A small client of tapc --language-server, for tests: requests, notifications, and bytes that are neither."""
import json
import os
import subprocess


class Client:
	def __init__(self, *options, command=None):
		command = command or [os.environ['TAPC'], '--language-server']
		self.server = subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
			stderr=open('err', 'ab'))
		self.number, self.waiting, self.version = 0, [], {}

	def send_bytes(self, data):
		self.server.stdin.write(data)
		self.server.stdin.flush()

	def send(self, message, length=None):
		body = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
		self.send_bytes(b'Content-Length: %d\r\n\r\n' % (len(body) if length is None else length) + body)

	def receive(self):
		"""The next message; None at the end."""
		size = None
		while line := self.server.stdout.readline().strip():
			name, value = line.split(b':')
			if name == b'Content-Length':
				size = int(value)
		return json.loads(self.server.stdout.read(size)) if size is not None else None

	def receive_if(self, wanted):
		for message in self.waiting:
			if wanted(message):
				self.waiting.remove(message)
				return message
		while (message := self.receive()) is not None:
			if wanted(message):
				return message
			self.waiting.append(message)
		return None

	def ask(self, method, **params):
		self.number += 1
		self.send({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params})
		return self.number

	def answer(self, number):
		return self.receive_if(lambda message: message.get('id') == number)

	def request(self, method, **params):
		answer = self.answer(self.ask(method, **params))
		assert 'error' not in answer, (method, answer)
		return answer['result']

	def error(self, method, **params):
		answer = self.answer(self.ask(method, **params))
		assert 'error' in answer, (method, answer)
		return answer['error']

	def notify(self, method, **params):
		self.send({'jsonrpc': '2.0', 'method': method, 'params': params})

	def initialize(self, **capabilities):
		return self.request('initialize', processId=None, rootUri=None, capabilities=capabilities)

	def open(self, text, uri='file:///x.stp'):
		self.version[uri] = 1
		self.notify('textDocument/didOpen', textDocument={'uri': uri, 'languageId': 'tapc', 'version': 1, 'text': text})

	def change(self, *changes, uri='file:///x.stp'):
		self.version[uri] += 1
		self.notify('textDocument/didChange', textDocument={'uri': uri, 'version': self.version[uri]},
			contentChanges=list(changes))

	def diagnostics(self, uri='file:///x.stp'):
		"""Those of the newest version."""
		params = self.receive_if(lambda message: message.get('method') == 'textDocument/publishDiagnostics' and
			message['params']['uri'] == uri and message['params'].get('version') == self.version[uri])['params']
		return params['diagnostics']

	def at(self, method, line, character, uri='file:///x.stp', **params):
		return self.request(f'textDocument/{method}', textDocument={'uri': uri},
			position={'line': line, 'character': character}, **params)

	def workers(self):
		with open(f'/proc/{self.server.pid}/task/{self.server.pid}/children', encoding='ascii') as file:
			return [int(pid) for pid in file.read().split()]

	def finish(self):
		"""Ends the session; returns the exit status."""
		self.request('shutdown')
		self.notify('exit')
		self.server.stdin.close()
		return self.server.wait()
