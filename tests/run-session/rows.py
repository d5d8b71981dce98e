# SPDX-License-Identifier: GPL-2.0-or-later
"""rows.py FORMAT FILE QUERY: prints the rows; those of CSV, JSON, Parquet and Arrow are in the table writes."""
import csv, importlib, json, os, sqlite3, sys
sys.path.append(os.environ['SRC'] + '/tests/lib')
form, file, query = sys.argv[1:]
if form == 'sqlite':
	db = sqlite3.connect(file)
	assert db.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
else:
	db = sqlite3.connect(':memory:')
if form == 'sql':
	db.executescript(open(file).read())
if form in ('csv', 'json', 'parquet', 'arrow'):
	db.execute('CREATE TABLE writes(time, cpu, n INTEGER, name, size INTEGER, tapc_lost INTEGER)')
if form == 'csv':
	rows = list(csv.reader(open(file, newline='')))
	names = rows.pop(0)
if form in ('parquet', 'arrow'):
	names, rows, groups = importlib.import_module(form).read(file)
if form in ('csv', 'parquet', 'arrow'):
	assert names == ['time', 'cpu', 'n', 'name', 'size', 'tapc_lost'], names
if form == 'json':
	found = [o for o in map(json.loads, open(file)) if o['type'] == 'row']
	assert all(o['table'] == 'writes' and list(o['values']) == ['n', 'name', 'size'] for o in found), found[:1]
	rows = [[o['time'], o['cpu'], *o['values'].values(), 0] for o in found]
if form in ('csv', 'json', 'parquet', 'arrow'):
	db.executemany('INSERT INTO writes VALUES(?, ?, ?, ?, ?, ?)', rows)
for row in db.execute(query):
	print(*row, sep='|')
