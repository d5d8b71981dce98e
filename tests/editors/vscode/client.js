// SPDX-License-Identifier: GPL-2.0-or-later
// client.js TAPC ARGUMENT...: the client of the protocol that VS Code's extensions use, as a client of the language server.
// What it sends has the types of the protocol, and so must all answers.
'use strict';
const assert = require('assert');
const child_process = require('child_process');
const lsp = require('vscode-languageserver-protocol/node');

const [program, ...words] = process.argv.slice(2);
const server = child_process.spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout),
	new lsp.StreamMessageWriter(server.stdin));
const ended = new Promise(resolve => server.on('exit', (code, signal) => resolve(code === null ? signal : code)));

const uri = 'file:///x.stp';
const textDocument = { uri };
const published = [];
let waiting = null;

connection.onNotification(lsp.PublishDiagnosticsNotification.type, params => {
	published.push(params);
	if (waiting)
		waiting();
});
connection.onError(error => { throw new Error('the connection: ' + error); });

// The diagnostics of this version of the document.
async function diagnostics(version) {
	for (;;) {
		const found = published.find(p => p.uri === uri && p.version === version);
		if (found) {
			assert(found.diagnostics.every(d => lsp.Diagnostic.is(d)));
			return found.diagnostics;
		}
		await new Promise(resolve => waiting = resolve);
	}
}

// The position of '|' in the text of which SCRIPT is the rest.
function cursor(marked) {
	const before = marked.slice(0, marked.indexOf('|')).split('\n');
	return { line: before.length - 1, character: before[before.length - 1].length };
}

const script = [
	'global reads',
	'/* counts twice */',
	'function twice(n) { return 2 * n }',
	'probe begin {',
	'\treads += twice(1); println("é😀", foo())',
	'}',
	'probe end{println(reads)}', ''].join('\n');

// What VS Code says that it can do, as far as a server may change its answers for it.
const capabilities = {
	workspace: { applyEdit: true, workspaceEdit: { documentChanges: true }, configuration: true, workspaceFolders: true },
	textDocument: {
		synchronization: { didSave: true, willSave: true },
		publishDiagnostics: { relatedInformation: true, versionSupport: true },
		completion: { contextSupport: true, completionItem: { snippetSupport: true, insertReplaceSupport: true,
			documentationFormat: ['markdown', 'plaintext'],
			resolveSupport: { properties: ['documentation', 'detail'] } } },
		hover: { contentFormat: ['markdown', 'plaintext'] },
		definition: { linkSupport: true },
		documentSymbol: { hierarchicalDocumentSymbolSupport: true },
		rename: { prepareSupport: true },
	},
	general: { positionEncodings: ['utf-16'] },
};

async function session() {
	connection.listen();
	const started = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null,
		capabilities, workspaceFolders: null, clientInfo: { name: 'Visual Studio Code', version: '1.85.0' }, locale: 'en' });
	const can = started.capabilities;
	assert.strictEqual(can.positionEncoding || 'utf-16', 'utf-16');
	await connection.sendNotification(lsp.InitializedNotification.type, {});
	await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
		{ textDocument: { uri, languageId: 'tapc', version: 1, text: script } });

	const [wrong, ...others] = await diagnostics(1);
	assert.deepStrictEqual([others.length, wrong.severity, wrong.range],
		[0, lsp.DiagnosticSeverity.Error, lsp.Range.create(4, 35, 4, 40)], JSON.stringify([wrong, ...others]));

	// an edit of a character that UTF-16 has two units for, as an editor sends it
	await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 },
		contentChanges: [{ range: lsp.Range.create(4, 30, 4, 41), text: '😀")' }] });
	assert.deepStrictEqual(await diagnostics(2), []);
	const text = script.replace('é😀", foo())', 'é😀")');

	const position = marked => cursor(text.replace(marked.replace('|', ''), marked));
	const list = await connection.sendRequest(lsp.CompletionRequest.type,
		{ textDocument, position: position('rea|ds += '), context: { triggerKind: lsp.CompletionTriggerKind.Invoked } });
	assert(list.items.every(item => typeof item.label === 'string' &&
		(!item.textEdit || lsp.TextEdit.is(item.textEdit) || lsp.InsertReplaceEdit.is(item.textEdit))));
	assert(list.items.some(item => item.label === 'reads'), JSON.stringify(list));

	const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position: position('tw|ice(1)') });
	assert(lsp.Hover.is(hover) && hover.contents.kind === 'markdown' && hover.contents.value.includes('counts twice'),
		JSON.stringify(hover));

	const found = [].concat(await connection.sendRequest(lsp.DefinitionRequest.type,
		{ textDocument, position: position('tw|ice(1)') }));
	assert(lsp.Location.is(found[0]) && found.length === 1);
	assert.deepStrictEqual([found[0].uri, found[0].range.start.line], [uri, 2]);

	const uses = await connection.sendRequest(lsp.ReferencesRequest.type,
		{ textDocument, position: position('rea|ds += '), context: { includeDeclaration: true } });
	assert.deepStrictEqual(uses.map(u => u.range.start.line).sort(), [0, 4, 6]);
	assert(uses.every(u => lsp.Location.is(u)));

	const lights = await connection.sendRequest(lsp.DocumentHighlightRequest.type,
		{ textDocument, position: position('rea|ds += ') });
	assert(lights.length === 3 && lights.every(l => lsp.Range.is(l.range)));

	const outline = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
	assert(outline.every(s => lsp.DocumentSymbol.is(s)) && outline.some(s => s.name === 'reads') &&
		outline.some(s => s.name.startsWith('twice')), JSON.stringify(outline));

	const prepared = await connection.sendRequest(lsp.PrepareRenameRequest.type,
		{ textDocument, position: position('rea|ds += ') });
	assert(lsp.Range.is(prepared.range || prepared), JSON.stringify(prepared));
	const renamed = await connection.sendRequest(lsp.RenameRequest.type,
		{ textDocument, position: position('rea|ds += '), newName: 'calls' });
	assert(lsp.WorkspaceEdit.is(renamed), JSON.stringify(renamed));
	const edits = renamed.changes ? renamed.changes[uri] : renamed.documentChanges[0].edits;
	assert.deepStrictEqual(edits.map(e => e.newText), ['calls', 'calls', 'calls']);
	await assert.rejects(connection.sendRequest(lsp.RenameRequest.type,
		{ textDocument, position: position('prin|tln("'), newName: 'x' }), lsp.ResponseError);

	const formatted = await connection.sendRequest(lsp.DocumentFormattingRequest.type,
		{ textDocument, options: { tabSize: 8, insertSpaces: false } });
	assert(formatted.length === 1 && lsp.TextEdit.is(formatted[0]) && formatted[0].newText.includes('println(reads)'),
		JSON.stringify(formatted));
	assert(!formatted[0].newText.includes('end{'), formatted[0].newText);

	// a request that is cancelled is answered, too: by its result, or by the error that the protocol has for it
	const source = new lsp.CancellationTokenSource();
	const cancelled = connection.sendRequest(lsp.HoverRequest.type,
		{ textDocument, position: position('tw|ice(1)') }, source.token)
		.then(answer => lsp.Hover.is(answer), error => error.code === lsp.LSPErrorCodes.RequestCancelled);
	source.cancel();
	assert(await cancelled);

	await connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument });
	await connection.sendRequest(lsp.ShutdownRequest.type);
	await connection.sendNotification(lsp.ExitNotification.type);
	assert.strictEqual(await ended, 0);
}

session().then(() => process.exit(0), error => {
	console.log(error.stack || error);
	server.kill();
	process.exit(1);
});
