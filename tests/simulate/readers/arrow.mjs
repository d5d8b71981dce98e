// Compares an Arrow file, read by Apache Arrow's own library, with a Parquet file of the same rows, and prints its types.
import { readFileSync } from 'fs'
import { tableFromIPC } from 'apache-arrow'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const [path, parquet] = process.argv.slice(2)
const text = row => JSON.stringify(row, (key, value) => typeof value == 'bigint' ? String(value) : value)

const table = tableFromIPC(readFileSync(path))
const others = await parquetReadObjects({ file: await asyncBufferFromFile(parquet), compressors })

if (table.numRows != others.length)
	throw `${table.numRows} rows, but ${others.length} in the Parquet file`
let i = 0
for (const row of table) {
	if (text(row.toJSON()) != text(others[i]))
		throw `row ${i}: ${text(row.toJSON())}, but ${text(others[i])} in the Parquet file`
	i++
}
console.log(table.schema.fields.map(field => `${field.name} ${field.type}${field.nullable ? '?' : ''}`).join(', '))
console.log(`${table.numRows} rows in ${table.batches.length} groups`)
