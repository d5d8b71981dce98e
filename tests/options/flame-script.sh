#!/bin/bash
# A flame graph zooms and searches: its script runs with node, on a document that has the elements of the picture
# sanitizers: no
type -P node >/dev/null || { echo "no node"; exit 77; }
make -s -C "$BUILD" tests/unit/staging-flame >log 2>&1 || { cat log; exit 1; }
"$BUILD/tests/unit/staging-flame" 'main;read;vfs_read 6
main;read;vfs_read;copy 2
main;write;vfs_write;copy 4
main;write 2
other<T>;copy 2' >flame.svg || exit
python3 -c 'import xml.etree.ElementTree as tree; tree.parse("flame.svg")' || exit
cat >page.js <<'J'
const fs = require('fs'), assert = require('assert')
const svg = fs.readFileSync('flame.svg', 'utf8')
const plain = s => s.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
class Element {
	constructor(attributes, text) {
		Object.assign(this, { attributes, textContent: text, style: {}, listeners: {}, children: {} })
	}
	getAttribute(name) { return this.attributes[name] }
	setAttribute(name, value) { this.attributes[name] = String(value) }
	getElementsByTagName(name) { return this.children[name] }
	addEventListener(event, f) { this.listeners[event] = f }
	click() { this.listeners.click() }
}
const attributes = s => Object.fromEntries([...s.matchAll(/([\w-]+)="([^"]*)"/g)].map(m => [m[1], m[2]]))
const groups = [...svg.matchAll(/<g><title>(.*?)<\/title><rect (.*?)\/><text (.*?)>(.*?)<\/text><\/g>/g)].map(m => {
	const g = new Element({}, '')
	g.children = { title: [new Element({}, plain(m[1]))], rect: [new Element(attributes(m[2]), '')],
		text: [new Element(attributes(m[3]), plain(m[4]))] }
	return g
})
assert.strictEqual(groups.length, svg.match(/<g>/g).length)
const ids = {}
for (const id of ['search', 'found']) {
	assert(svg.includes(`<text id="${id}"`))
	ids[id] = new Element({}, '')
}
const page = new Element({}, '')
let answer, asked = 0
global.document = Object.assign(page, { getElementsByTagName: () => groups, getElementById: id => ids[id] })
global.prompt = () => { asked++; return answer }
eval(svg.match(/<script><!\[CDATA\[([^]*)\]\]><\/script>/)[1])

const frame = title => groups.find(g => g.children.title[0].textContent.startsWith(title + ' '))
const shown = () => groups.filter(g => g.style.display !== 'none')
	.map(g => g.children.title[0].textContent.split(' ')[0]).join(' ')
const place = g => [g.children.rect[0].attributes.x, g.children.rect[0].attributes.width].map(Number).map(Math.round)
const all = 'all main read vfs_read copy write vfs_write copy other<T> copy'
assert.strictEqual(shown(), all)
assert.deepStrictEqual(place(frame('read')), [10, 590])

frame('write').click()
assert.strictEqual(shown(), 'all main write vfs_write copy')
assert.deepStrictEqual(place(frame('write')), [10, 1180])
assert.deepStrictEqual(place(frame('main')), [10, 1180])
assert.strictEqual(frame('main').children.rect[0].style.opacity, 0.5)
assert.strictEqual(frame('write').children.rect[0].style.opacity, 1)
assert.deepStrictEqual(place(frame('vfs_write')), [10, 787])
frame('vfs_write').click()		// further in
assert.deepStrictEqual(place(frame('vfs_write')), [10, 1180])
frame('read').click()			// a frame that was hidden before
assert.strictEqual(shown(), 'all main read vfs_read copy')
frame('all').click()
assert.strictEqual(shown(), all)
assert.deepStrictEqual(place(frame('write')), [600, 443])
frame('other<T>').click()
assert.strictEqual(frame('other<T>').children.text[0].textContent, 'other<T>')

const search = pattern => { answer = pattern; ids.search.click(); return ids.found.textContent }
const marked = () => groups.filter(g => g.children.rect[0].style.fill).length
assert.strictEqual(search('^copy$'), '50.00% match ^copy$')
assert.strictEqual(marked(), 3)
assert.strictEqual(search('vfs_|copy'), '87.50% match vfs_|copy')	// copy above vfs_ does not count again
assert.strictEqual(search('none of them'), '0.00% match none of them')
assert.strictEqual(marked(), 0)
assert.strictEqual(search('('), 'not a regular expression')
assert.strictEqual(search('main'), '87.50% match main')
assert.strictEqual(search(null), '87.50% match main')			// cancelled
let prevented = 0
const key = (name, control) => page.listeners.keydown({ key: name, ctrlKey: !!control, preventDefault: () => prevented++ })
answer = 'read'
asked = 0
key('/')
key('f', true)
key('f')
assert.deepStrictEqual([asked, prevented, ids.found.textContent], [2, 2, '50.00% match read'])
key('Escape')
assert.deepStrictEqual([shown(), marked(), ids.found.textContent], [all, 0, ''])
console.log('done')
J
[[ $(node page.js) = "done" ]]
