#!/bin/bash
# The words in the editors' syntax files are those of the translator's tables, and the TextMate grammar is valid: JSON whose
# regular expressions compile with the library that VS Code uses, and find each operator in one piece
# sanitizers: no
type python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 - "$SRC" <<'END'
import ctypes, ctypes.util, glob, json, re, sys

src = sys.argv[1]
failed = False

def read(name):
	with open(src + '/' + name, encoding='utf-8') as file:
		return file.read()

def table(text, name):
	return re.search(name + r'\[\] = \{(.*?)\n\};', text, re.S)[1]

def compare(where, found, expected):
	global failed
	if set(found) == set(expected) and len(found) == len(set(found)):
		return
	failed = True
	print(where, 'lacks', sorted(set(expected) - set(found)), 'has too many:', sorted(set(found) - set(expected)))

# ---- the translator's ----

tokens = read('translator/syntax/tokens.def')
parser = ''.join(read(name[len(src) + 1:]) for name in sorted(glob.glob(src + '/translator/syntax/*.c')))
keywords = re.findall(r'^KEYWORD\(\w+, "(\w+)"\)', tokens, re.M)
operators = re.findall(r'^OPERATOR\(\w+, "(.+)"\)', tokens, re.M)
words = {
	'declaration': [word for word in keywords if word in ('probe', 'global', 'private', 'function')],
	'type': re.findall(r'^KEYWORD\(\w+_TYPE, "(\w+)"\)', tokens, re.M),
	'print': re.findall(r'\.name = "(\w+)"', table(parser, 'print_ops')),
	'operator': sorted(set(re.findall(r'\[STAT_\w+\] = "(\w+)"', parser))) +
		re.findall(r'\{ "(\w+)", "', table(parser, 'at_operators')) + ['option'],
}
words['statement'] = [word for word in keywords if word not in words['declaration'] + words['type']]
assert len(words['print']) >= 11 and len(words['operator']) >= 25 and len(operators) >= 50, words
assert '"option"' in parser and '"define"' in parser

# ---- the editors' ----

vim = read('editors/vim/syntax/tapc.vim')
for kind in 'declaration', 'statement', 'type', 'print':
	line = re.search(r'^syn keyword tapc%s (.*)$' % kind.capitalize(), vim, re.M)[1]
	compare('vim: ' + kind, line.split(), words[kind])
found = re.findall(r'^syn match tapcOperatorWord "@\\%\((.*)\\\)\\>"$', vim, re.M)
compare('vim: operator', '\\|'.join(found).split('\\|'), words['operator'])

emacs = read('editors/emacs/tapc-mode.el')
for kind in words:
	text = re.search(r'\(defconst tapc-%ss\s+\'\((.*?)\)\)' % kind, emacs, re.S)[1]
	compare('emacs: ' + kind, re.findall(r'"(\w+)"', text), words[kind])

grammar = json.loads(read('editors/vscode/syntaxes/tapc.tmLanguage.json'))
for kind in words:
	rule = grammar['repository']['operatorWord' if kind == 'operator' else kind]
	compare('TextMate: ' + kind, re.search(r'\(\?:(.*?)\)', rule['match'])[1].split('|'), words[kind])
for include in re.findall(r'"include": "#(\w+)"', json.dumps(grammar)):
	compare('TextMate: include', [include] if include in grammar['repository'] else [], [include])
package = json.loads(read('editors/vscode/package.json'))
for part in package['contributes']['languages'][0]['configuration'], package['contributes']['grammars'][0]['path']:
	json.loads(read('editors/vscode/' + part))
settings = json.loads(read('editors/vscode/language-configuration.json'))
compare('VS Code: scope', [package['contributes']['grammars'][0]['scopeName']], [grammar['scopeName']])

# ---- regular expressions, with Oniguruma ----

def expressions(rule):
	if isinstance(rule, list):
		for part in rule:
			yield from expressions(part)
	elif isinstance(rule, dict):
		for key, value in rule.items():
			if key in ('match', 'begin', 'end', 'firstLineMatch', 'firstLine') or key.endswith('Pattern'):
				yield value
			else:
				yield from expressions(value)

name = ctypes.util.find_library('onig')
if failed:
	sys.exit(1)
if not name:
	print('the words are right, but there is no Oniguruma (Debian: libonig5)')
	sys.exit(77)
onig = ctypes.CDLL(name)
encoding, syntax = (ctypes.byref(ctypes.c_char.in_dll(onig, x)) for x in ('OnigEncodingUTF8', 'OnigSyntaxRuby'))
onig.onig_new.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_uint] + [ctypes.c_void_p] * 3
onig.onig_match.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_void_p, ctypes.c_uint]

def compiled(text):
	expression, info, data = ctypes.c_void_p(), ctypes.create_string_buffer(64), text.encode()
	at = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
	status = onig.onig_new(ctypes.byref(expression), at, at + len(data), 0, encoding, syntax, info)
	assert status == 0, f'{text}: error {status}'
	return expression

# the length of what matches at the beginning of TEXT; -1: nothing
def match(expression, text):
	data = text.encode()
	at = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
	return onig.onig_match(expression, at, at + len(data), at, None, 0)

all_texts = list(expressions([grammar, package, settings]))
assert len(all_texts) > 25, all_texts
for text in all_texts:
	compiled(text)
rules = {name: compiled(rule['match']) for name, rule in grammar['repository'].items() if 'match' in rule}
for operator in operators:
	rule = 'condition' if operator in ('%(', '%?', '%:', '%)') else 'operator'
	if operator not in '()[]{},;' and match(rules[rule], operator) != len(operator):
		failed = True
		print(f'TextMate: {rule} does not match {operator}')
for rule, text, length in [('target', '$$parms$ x', 8), ('argument', '$12', 3), ('argument', '@#', 2), ('number', '0x1f ', 4),
		('statement', 'foreachx', -1), ('operatorWord', '@counter(', -1), ('macro', '@counter(', 8), ('member', '->next', 6)]:
	if match(rules[rule], text) != length:
		failed = True
		print(f'TextMate: {rule} matches {match(rules[rule], text)} of {text}')
sys.exit(failed)
END
