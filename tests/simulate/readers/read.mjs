// Reads FILE with DuckDB and with hyparquet, compares both, and prints what the DuckDB query that follows returns.
import { DuckDBInstance } from '@duckdb/node-api'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const [path, query] = process.argv.slice(2)
const text = rows => JSON.stringify(rows, (key, value) => typeof value == 'bigint' ? String(value) : value)

const file = await asyncBufferFromFile(path)
const metadata = await parquetMetadataAsync(file)
const read = await parquetReadObjects({ file, metadata, compressors })

const db = await (await DuckDBInstance.create(':memory:')).connect()
const rows = async sql => (await db.runAndReadAll(sql)).getRowObjects()
const asked = await rows(`SELECT * FROM read_parquet('${path}')`)

if (asked.length != read.length)
	throw `DuckDB reads ${asked.length} rows, hyparquet ${read.length}`
for (let i = 0; i < read.length; i++)
	if (text(asked[i]) != text(read[i]))
		throw `row ${i}: DuckDB reads ${text(asked[i])}, hyparquet ${text(read[i])}`
const types = await rows(`DESCRIBE SELECT * FROM read_parquet('${path}')`)
console.log(types.map(type => `${type.column_name} ${type.column_type}`).join(', '))
console.log(`${read.length} rows in ${metadata.row_groups.length} groups`)
if (query)
	console.log(text(await rows(query.replaceAll('FILE', `read_parquet('${path}')`))))
process.exit(0)
