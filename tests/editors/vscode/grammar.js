// SPDX-License-Identifier: GPL-2.0-or-later
// grammar.js EXTENSION FILE...: VS Code's TextMate engine reads the FILEs with the extension's grammar. Each word has the
// scope that its kind should have, according to a simple lexer, and nothing is left open at the end of a file.
'use strict';
const fs = require('fs');
const path = require('path');
const textmate = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');

const [extension, ...files] = process.argv.slice(2);
const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
const engine = oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length)).then(() => ({
	createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
	createOnigString: text => new oniguruma.OnigString(text),
}));
const contributed = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'))).contributes.grammars[0];
const registry = new textmate.Registry({
	onigLib: engine,
	loadGrammar: async scope => {
		if (scope !== contributed.scopeName)
			return null;		// C is another extension's
		const file = path.join(extension, contributed.path);
		return textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
	},
});

// The first kind that matches at a place: its name, its expression and the scope of all its characters.
const KEYWORDS = 'if|else|for|foreach|in|limit|while|break|continue|next|return|delete|try|catch';
const KINDS = [
	['comment', /#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\//y, /^comment\./],
	['string', /"(?:\\[^]|[^"\\])*"/y, /^string\.quoted\./],
	['C', /%\{[^]*?%\}/y, /^meta\.embedded\.c\./],
	['argument', /[$@](?:\d+|#)/y, /^variable\.parameter\./],
	['member', /(?:->\s*|\.)[A-Za-z_]\w*/y, /^(variable\.other\.member|keyword\.operator)\./],
	['definition', /@define(?=\s)/y, /^storage\.type\./],
	['macro', /@[A-Za-z_]\w*/y, /^(keyword\.operator\.word|entity\.name\.function\.preprocessor)\./],
	['target', /\$+[A-Za-z_][\w$]*/y, /^variable\.language\./],
	['number', /\b(?:0[xX][0-9A-Fa-f]+|\d+)\b/y, /^constant\.numeric\./],
	['declaration', /\b(?:probe|global|private|function)\b/y, /^storage\.type\./],
	['statement', new RegExp(`\\b(?:${KEYWORDS})\\b`, 'y'), /^keyword\.control\./],
	['type', /\b(?:string|long)\b/y, /^support\.type\./],
	['print', /\bs?print(?:f|d|ln|dln)?\b|\bprint_char\b/y, /^support\.function\./],
	['name', /[A-Za-z_]\w*/y, null],	// of a definition, or none
];

let words = 0, wrong = 0;

function complain(file, line, what) {
	if (++wrong <= 40)
		console.log(`${file}:${line + 1}: ${what}`);
}

// Per line, the tokens of the engine.
function scopes(grammar, file, lines) {
	let state = textmate.INITIAL;
	const all = lines.map(line => {
		const result = grammar.tokenizeLine(line, state);
		state = result.ruleStack;
		return result.tokens;
	});
	if (state.depth !== 1)
		complain(file, lines.length - 1, 'a rule of the grammar is left open');
	return all;
}

function check_word(file, tokens, line, column, size, kind, scope, text) {
	for (let at = column; at < column + size; at++) {
		const found = tokens[line].find(t => t.startIndex <= at && at < t.endIndex).scopes.slice(1);
		const good = scope ? found.some(s => scope.test(s)) :
			found.every(s => s === 'entity.name.function.tapc' || s === 'variable.other.member.tapc');
		if (!good)
			return complain(file, line, `${kind} '${text}' has the scopes ${found.join(' ') || 'of nothing'}`);
	}
}

function check(grammar, file) {
	const text = fs.readFileSync(file, 'utf8'), lines = text.split('\n'), tokens = scopes(grammar, file, lines);
	const starts = [0];
	for (const line of lines)
		starts.push(starts[starts.length - 1] + line.length + 1);
	for (let at = 0, line = 0; at < text.length;) {
		let size = 1;
		for (const [kind, expression, scope] of KINDS) {
			expression.lastIndex = at;
			const match = expression.exec(text);
			if (!match)
				continue;
			size = match[0].length;
			words++;
			let from = at;
			for (const part of match[0].split('\n')) {	// a word of several lines
				while (starts[line + 1] <= from)
					line++;
				check_word(file, tokens, line, from - starts[line], part.length, kind, scope, part);
				from += part.length + 1;
			}
			break;
		}
		at += size;
	}
}

registry.loadGrammar(contributed.scopeName).then(grammar => {
	for (const file of files)
		check(grammar, file);
	console.log(`${files.length} files, ${words} words, ${wrong} wrong`);
	process.exit(wrong || files.length < 150 || words < 20000 ? 1 : 0);
});
