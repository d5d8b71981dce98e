# SPDX-License-Identifier: GPL-2.0-or-later
"""tests/editors/answers.sh: a '|' in a script is the cursor."""
import glob
import os
import random

from client import Client

URI = 'file:///x.stp'
client = Client('-r', os.environ['KREL'], '--sysroot', os.environ['SYSROOT'])
client.initialize(textDocument={'hover': {'contentFormat': ['markdown', 'plaintext']}})


def expect(found, wanted, what=''):
	assert found == wanted, f'{what}: {found!r}, not {wanted!r}'


def cursor(text):
	"""Opens the document. Returns the position."""
	before, after = text.split('|', 1)
	client.open(before + after)
	return before.count('\n'), len(before[before.rfind('\n') + 1:].encode('utf-16-le')) // 2


def ask(method, text, **params):
	return client.at(method, *cursor(text), **params)


def refused(method, text, **params):
	line, character = cursor(text)
	error = client.error(f'textDocument/{method}', textDocument={'uri': URI},
		position={'line': line, 'character': character}, **params)
	expect(error['code'], -32803, text)
	return error['message']


def completed(text, **params):
	"""The labels."""
	return {item['label'] for item in ask('completion', text, **params)['items']}


def has(text, *labels):
	found = completed(text)
	for label in labels:
		assert label in found, f'{text!r}: no {label}: {sorted(found)[:40]}'


def lacks(text, *labels):
	found = completed(text)
	for label in labels:
		assert label not in found, f'{text!r}: {label}'


def edited(text, edits):
	"""TEXT, all of ASCII, with the edits."""
	lines = text.split('\n')
	for edit in sorted(edits, key=lambda e: -e['range']['start']['character']):
		start, end = edit['range']['start'], edit['range']['end']
		expect(start['line'], end['line'])
		line = lines[start['line']]
		lines[start['line']] = line[:start['character']] + edit['newText'] + line[end['character']:]
	return '\n'.join(lines)


def test_completion_of_words():
	expect(completed('pro|'), {'probe'})
	expect(completed('probe begin { }\nprobe end { }\ngl|'), {'global'})
	expect(completed('global a\nf|'), {'function'})
	has('probe begin { |', 'if', 'foreach', 'printf', 'strlen')
	lacks('probe begin { |', 'probe', 'global')
	has('probe begin { x = @co|', '@count', '@const')
	has('@define mine(a, other) %( @o|', '@other')
	has('@define mine(a) %( @a %)\nprobe begin { @m|', '@mine', '@max')
	for nothing in ('# str|', '/* str|', '// str|', 'probe begin { # str|', 'probe begin { x = "str|', 'probe begin { x = 5|',
			'function |', 'global |', '|# x\n/* |'.replace('|# x', '# x'), 'function f() %{ st| %}'):
		expect(completed(nothing), set(), nothing)


def test_completion_of_names():
	text = 'global reads, written[10]\nfunction f(par) { loc = 1; |}\nprobe begin { other = 1 }'
	has(text, 'reads', 'written', 'par', 'loc', 'f')
	lacks(text, 'other')
	expect(completed('probe begin { strle|'), {'strlen'})
	# a broken declaration, above or below, hides nothing
	has('function f( { (((\nglobal a1\nprobe begin { a|', 'a1')
	has('probe begin { a|\nglobal a1 probe end { [[[ }', 'a1')
	item, = ask('completion', 'probe begin { 😀 = strle|n(x)')['items']
	expect(item['textEdit'], {'newText': 'strlen',
		'range': {'start': {'line': 0, 'character': 19}, 'end': {'line': 0, 'character': 24}}})
	expect(item['detail'], 'function strlen:long (s:string)')
	assert 'length of a string in bytes' in client.request('completionItem/resolve', **item)['documentation']
	# '>' is usually an operator
	expect(completed('probe begin { if (a >|', context={'triggerKind': 2, 'triggerCharacter': '>'}), set())


def test_completion_of_points():
	has('probe |', 'begin', 'kernel', 'timer', 'vfs', 'syscall')
	expect(completed('probe vfs.rea|'), {'read', 'readv'})
	has('probe vfs.|\n{ }\nprobe begin { }', 'read', 'write')
	has('probe begin, vfs.wr|', 'write')
	has('probe kernel.function("vfs_read").|', 'return', 'call', 'inline')
	lacks('probe kernel.function("vfs_read").|', 'function', 'absolute')
	has('probe timer.|', 's(number)', 'profile')
	has('probe kernel.function("vfs_re|', 'vfs_read', 'vfs_readv')
	has('probe kernel.function("vfs_re|").return { }', 'vfs_read')
	has('probe kernel.trace("sched:sched_sw|")', 'sched:sched_switch')
	has('probe syscall.open|', 'open', 'openat')
	has('probe syscall.|', 'read')
	has('probe syscall.openat.|', 'return')
	has('probe process("/|', '/usr/')
	has('probe mine.first = begin { }\nprobe mine.|', 'first')
	has('global limit_reads\nprobe vfs.read if (lim|', 'limit_reads')
	item, = ask('completion', 'probe kernel.func|')['items'][:1]
	expect(item['textEdit']['newText'], 'function("' if 'string' in item['label'] else 'function(')


def test_completion_of_targets():
	has('probe vfs.read { $|', '$file', '$count', '$$vars')
	has('probe mine = vfs.read { $|', '$file')
	has('probe kernel.trace("sched:sched_switch") { $|', '$prev', '$next')
	lacks('probe timer.s(1) { $|', '$file')
	expect(completed('probe vfs.read { x = $file->f_pa|'), {'f_path'})
	expect(completed('probe vfs.read { if (x) { printf("%s", $file->f_path->|\n}\nprobe begin { foo( }'), {'mnt', 'dentry'})
	has('probe vfs.read { p = $file; if (x) { printf("%s", p->f_path->dentry->d_n|', 'd_name')
	has('probe begin { x = @cast(1, "task_struct")->m|', 'mm')
	has('probe begin { x = @cast(y[1], "task_struct", "kernel")->children->|', 'next', 'prev')
	expect(completed('probe begin { x = 5; x->|'), set())
	expect(completed('probe begin { ->|'), set())
	expect(completed('->|'), set())
	# variables that aliases set, or that a family offers
	has('probe vfs.read { na|', 'name')
	has('probe vfs.read { bytes|', 'bytes_to_read')
	has('probe syscall.openat { file|', 'filename')
	has('probe mine = begin { from_mine = 5 }\nprobe mine { fr|', 'from_mine')


def hovered(text):
	answer = ask('hover', text)
	return answer and answer['contents']['value']


def test_hover():
	for text, wanted in (
			('probe begin { x = str|len("a") }', 'the length of a string in bytes'),
			('probe begin { prin|tf("a") }', 'print with a format'),
			('probe begin { x = @co|unt(a) }', 'the number of values'),
			('probe vfs.re|ad { }', 'a read begins'),
			('probe v|fs.read { }', 'a read begins'),
			('probe kernel.function("vfs_read").ca|ll { }', "entry of the kernel's functions"),
			('probe syscall.ope|nat { }', 'entry of a system call'),
			('# adds\n# one\nfunction inc(x) { return x + 1 }\nprobe begin { println(in|c(5)) }',
				'function inc(x)\n# adds\n# one'),
			('probe begin { }	# of begin\nfunction inc(x) { return x + 1 }\nprobe end { println(in|c(5)) }',
				'function inc(x)\n```'),
			('# mine\nprobe mine = vfs.read { }\nprobe mi|ne { }', 'probe mine = vfs.read\n# mine'),
			('# macro\n@define m(a) %( @a %)\nprobe begin { println(@|m(5)) }', '@define m(a)\n# macro'),
			('global re|ads\nprobe vfs.read { reads[name, pid()] <<< 1 }', 'global reads[string, long]:aggregate'),
			('global reads\nprobe vfs.read { read|s[name, pid()] <<< 1 }', 'global reads[string, long]:aggregate'),
			('function inc(|x) { return x . "" }\nprobe begin { println(inc("a")) }', 'parameter x:string'),
			('probe begin { y = "a"; println(|y) }', 'local y:string'),
			('probe vfs.read { println(na|me) }', 'local name:string'),
			('probe syscall.openat { println(filena|me) }', 'filename:string, a variable of the probe'),
			('probe vfs.read { println($fi|le) }', '$file: struct file *'),
			('probe vfs.read { println($file->f_pa|th->dentry->d_inode) }', 'f_path: struct path'),
			('probe vfs.read { println($file->f_path->den|try->d_inode) }', 'dentry: struct dentry *'),
			('probe vfs.read { p = $file; println(|p->f_inode->i_ino) }', 'points to struct file'),
			('probe vfs.read { p = $file; println(p->f_in|ode->i_ino) }', 'f_inode: struct inode *')):
		found = hovered(text)
		assert found and wanted in found, f'{text!r}: {found!r}'
		assert found.startswith('```\n') and found.endswith('\n```'), found
	for text in ('# str|len', 'probe begin { x = "str|len" }', 'probe begin { x = no_such|_function() }', 'probe begin { |  }', '|'):
		expect(hovered(text), None, text)


def test_definition():
	def to(text):
		answer = ask('definition', text)
		return answer and (os.path.basename(answer['uri']), answer['range']['start']['line'],
			answer['range']['start']['character'])

	expect(to('function inc(x) { return x }\nprobe begin { println(in|c(5)) }'), ('x.stp', 0, 9))
	expect(to('function inc(x) {\nreturn |x }'), ('x.stp', 0, 13))
	expect(to('global a,\n\tb\nprobe begin { a++ |b++ }'), ('x.stp', 1, 1))
	expect(to('probe begin {\n\tx = 5\n\tprintln(x|) }'), ('x.stp', 1, 1))
	expect(to('@define m %( 5 %)\nprobe begin { println(@|m) }'), ('x.stp', 0, 8))
	expect(to('probe mine = vfs.read { }\nprobe begin, mi|ne { }'), ('x.stp', 0, 6))
	for text, file, wanted in (('probe vfs.re|ad { }', 'vfs.stp', 'probe vfs.read '),
			('probe vfs.read { println(na|me) }', 'vfs.stp', 'name = '),
			('probe begin { println(str|len("a")) }', 'string.stp', 'function strlen:')):
		found = to(text)
		expect(found[0], file)
		with open(os.environ['SRC'] + '/tapsets/' + file, encoding='utf-8') as source:
			assert wanted.replace(' ', '') in source.readlines()[found[1]].replace(' ', ''), (text, found)
	for text in ('probe begin { println(no_such|_one()) }', 'probe beg|in { }', 'probe begin { "str|len" }', '|'):
		expect(to(text), None, text)


def renamed(text, name):
	return edited(text.replace('|', '', 1), ask('rename', text, newName=name)['changes'][URI])


def test_rename():
	expect(renamed('global reads\n@define m %( reads++ %)\nprobe begin { rea|ds++ @m }\nfunction f(reads) { return reads }', 'w'),
		'global w\n@define m %( w++ %)\nprobe begin { w++ @m }\nfunction f(reads) { return reads }')
	expect(renamed('function inc(x) { return x + 1 }\nprobe begin { inc = 1; println(in|c(5)) }', 'dec'),
		'function dec(x) { return x + 1 }\nprobe begin { inc = 1; println(dec(5)) }')
	expect(renamed('function f(|a, b) { return a + b }\nprobe begin { a = 1 println(a) }', 'c'),
		'function f(c, b) { return c + b }\nprobe begin { a = 1 println(a) }')
	expect(renamed('probe begin { y = 5; println(|y, "y", $y->y) } # y\nprobe end { y = 1 }', 'z'),
		'probe begin { z = 5; println(z, "y", $y->y) } # y\nprobe end { y = 1 }')
	expect(renamed('probe a = begin { x = 1 }\nprobe a { println(x|) }', 'z'),
		'probe a = begin { z = 1 }\nprobe a { println(z) }')
	for name in ('if', 'a b', '', '5x', '$y', '@y', 'x;', '"y"'):
		assert 'cannot be a name' in refused('rename', 'probe begin { y = 5; println(|y) }', newName=name), name
	taken = 'has a meaning already'
	for text, name, reason in (
			('probe begin { z = 1; y = 5; println(|y, z) }', 'z', taken),
			('global z\nprobe begin { z = 1; y = 5; println(|y, z) }', 'z', taken),
			('global z\nprobe begin { z|++ }\nprobe end { y = 1 }', 'y', taken),
			('probe vfs.read { y = 1; println(|y) }', 'name', taken),
			('probe syscall.openat { y = 1; println(|y) }', 'filename', taken),
			('function f() { return 1 }\nprobe begin { println(|f()) }', 'strlen', taken),
			('function f() { return 1 }\nprobe begin { println(|f()) }', 'printf', taken),
			('function f() { return 1 }\nfunction g() { return |f() }', 'g', taken),
			('probe vfs.read { println(na|me) }', 'z', "'name' is a variable of the probe point"),
			('probe syscall.openat { println(file|name) }', 'z', "'filename' is a variable of the probe point"),
			('probe begin { println(str|len("a")) }', 'z', "the script does not define the function 'strlen'"),
			('@define m %( y++ %)\nprobe begin { |y = 5; @m }', 'z', "a macro of the script uses 'y'"),
			('@define m %( |y++ %)\nprobe begin { y = 5; @m }', 'z', "what 'y' is depends on where the macro is used"),
			('function f:long(|y) %{ STAP_RETVALUE = STAP_ARG_y; %}', 'z', "C code of the script uses 'y'"),
			('probe vfs.read { println($fi|le) }', 'z', 'this is not the name of a variable or a function of the script'),
			('probe beg|in { }', 'z', 'this is not the name of a variable or a function of the script'),
			('pro|be begin { }', 'z', 'this is not the name of a variable or a function of the script')):
		found = refused('rename', text, newName=name)
		assert reason in found, f'{text!r}: {found!r}'
	expect(ask('prepareRename', 'probe begin { yy = 5; println(y|y) }'), {'placeholder': 'yy',
		'range': {'start': {'line': 0, 'character': 30}, 'end': {'line': 0, 'character': 32}}})
	expect(len(ask('references', 'global a\nprobe begin { |a++ }\nprobe end { a = 1 }', context={})), 3)
	expect(len(ask('documentHighlight', 'probe begin { |a++; a++ }\nprobe end { a = 1 }')), 2)
	expect(ask('documentHighlight', 'probe |begin { a++; a++ }'), [])
	line, character = cursor('probe begin { |y = 5 }')
	expect(client.error('textDocument/rename', textDocument={'uri': URI},
		position={'line': line, 'character': character}, newName=5)['code'], -32602)


def test_outline():
	client.open('global a, b[10], c = 5\nprobe vfs.read,\n\tvfs.write { }\nfunction f(x) { return 1 }\n'
		'@define m(a) %( @a %)\nprobe mine = begin { (((\nprobe end {')
	expect([(s['name'], s['kind'], s['range']['start']['line'], s['range']['end']['line']) for s in
		client.request('textDocument/documentSymbol', textDocument={'uri': URI})],
		[('a', 13, 0, 0), ('b', 13, 0, 0), ('c', 13, 0, 0), ('vfs.read, vfs.write', 24, 1, 2), ('f', 12, 3, 3),
			('m', 14, 4, 4), ('mine', 24, 5, 5), ('end', 24, 6, 6)])


def test_formatting():
	def formatted(text):
		client.open(text)
		return client.request('textDocument/formatting', textDocument={'uri': URI}, options={})

	edit, = formatted('# 😀\nprobe begin{exit()}')
	expect(edit, {'newText': '# 😀\nprobe begin { exit() }\n',
		'range': {'start': {'line': 0, 'character': 0}, 'end': {'line': 1, 'character': 19}}})
	expect(formatted('probe begin { exit() }\n'), [])
	expect(formatted('function f() %{ int x; %}\n'), [])
	expect(formatted('probe begin { exit($1, @2) }\n'), [])
	client.open('probe begin {\n\tx = = 5\n}')
	error = client.error('textDocument/formatting', textDocument={'uri': URI}, options={})
	expect(error['code'], -32803)
	assert error['message'].startswith('not formatted: line 2: '), error


def test_cancelled():
	client.open('probe begin { str }')
	number = client.ask('textDocument/completion', textDocument={'uri': URI}, position={'line': 0, 'character': 17})
	client.notify('$/cancelRequest', id=number)
	answer = client.answer(number)
	assert 'result' in answer or answer['error']['code'] == -32800, answer


def test_everywhere():
	"""At every place of a script there is an answer to everything."""
	with open(os.environ['SRC'] + '/tests/editors/indent.script', encoding='utf-8') as file:
		text = file.read()
	client.open(text)
	asked = []
	for number, line in enumerate(text.split('\n')):
		for character in range(0, len(line) + 1, 7):
			for method in ('completion', 'hover', 'definition', 'references', 'prepareRename'):
				asked.append(client.ask(f'textDocument/{method}', textDocument={'uri': URI},
					position={'line': number, 'character': character}))
	for number in asked:
		answer = client.answer(number)
		assert 'result' in answer or answer['error']['code'] == -32803, answer


def gallery():
	for path in sorted(glob.glob(os.environ['SRC'] + '/examples/**/*.stp', recursive=True)):
		with open(path, encoding='utf-8') as file:
			yield path, file.read()


def test_gallery():
	"""The messages about a script are those of tapc: none."""
	number = 0
	for path, text in gallery():
		client.open(text, uri := f'file://{path}')
		found = [d['message'] for d in client.diagnostics(uri) if 'guru' not in d['message']]
		expect(found, [], path)
		client.notify('textDocument/didClose', textDocument={'uri': uri})
		number += 1
	assert number > 50, number


def test_random():
	"""No damage to a script makes the translator fail."""
	chance = random.Random(3)
	texts = [text for _, text in gallery()]
	pieces = ['{', '}', '(', ')', '[', ']', '"', '->', '$', '@', '%(', '%)', '%{', '.', ',', 'probe ', 'function ', 'global ',
		'private ', '@define ', '/*', '#', '\n', '=', '+=', '?', 'if ', 'foreach (', 'x', '$file->', '@cast(', '😀']
	for _ in range(80):
		text = chance.choice(texts)
		for _ in range(chance.randrange(4)):
			start = chance.randrange(len(text))
			text = text[:start] + chance.choice(pieces) + text[start + chance.choice((0, 0, 1, 20, 200)):]
		client.open(text)
		lines = text.split('\n')
		asked = [client.ask(f'textDocument/{method}', textDocument={'uri': URI}) for method in
			('documentSymbol', 'formatting')]
		for method in ('completion', 'hover', 'definition', 'references', 'rename'):
			line = chance.randrange(len(lines))
			asked.append(client.ask(f'textDocument/{method}', textDocument={'uri': URI}, newName='zz',
				position={'line': line, 'character': chance.randrange(len(lines[line]) + 1)}))
		for answer in map(client.answer, asked):
			assert 'result' in answer or answer['error']['code'] == -32803, (text, answer)
		for found in client.diagnostics():
			assert 'cannot analyze' not in found['message'], text


for name, test in list(globals().items()):
	if name.startswith('test_'):
		test()
expect(client.finish(), 0)
