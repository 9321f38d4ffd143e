import { Field, FixedSizeList, Float32, Float64, Int32, List, Schema, TimestampMillisecond, Utf8 } from 'apache-arrow';
import { packedSql } from './packed.ts';
import { foundBySql } from './readers.ts';

/** The version of the table's columns; kept in the schema's metadata, or, where it was raised since, in a column's. */
export const schemaVersion = 4;

export const versionKey = 'longhaul.memories.version';

/** Columns that say what others do, for searches; version 4 has added them. By name, in LanceDB's SQL. */
export const derivedColumns = { found_by: foundBySql.now, packed_row: packedSql };

/** What version 3 had in their place: without who is superseded, the tags and the expiry. */
export const formerColumns = ['readers', 'packed'];

/** The columns of a table whose vectors have so many dimensions. They have no capitals: LanceDB's filters fold them. */
export function memorySchema(dimensions: number): Schema {
  const item = (type: Float32 | Utf8) => new Field('item', type, true);
  const needed = ['id', 'text', 'kind', 'scope'].map((name) => new Field(name, new Utf8(), false));
  const texts = ['project_id', 'session_id', 'lineage_id'].map((name) => new Field(name, new Utf8(), true));
  const sources = ['source_id', 'source_run', 'source_commit', 'place'].map(
    (name) => new Field(name, new Utf8(), true),
  );
  const fields = [
    ...needed,
    ...texts,
    new Field('sequence', new Float64(), true),
    new Field('tags', new List(item(new Utf8())), true),
    ...sources,
    new Field('source_message', new Int32(), true),
    new Field('importance', new Float32(), false),
    new Field('created_at', new TimestampMillisecond(), false),
    new Field('recalled_at', new TimestampMillisecond(), true),
    new Field('expires_at', new TimestampMillisecond(), true),
    new Field('superseded_by', new Utf8(), true),
    new Field('superseded_lineage', new Utf8(), true),
    new Field('superseded_sequence', new Float64(), true),
    new Field('model', new Utf8(), true),
    ...Object.keys(derivedColumns).map((name) => new Field(name, new Utf8(), true)),
    new Field('vector', new FixedSizeList(dimensions, item(new Float32())), true),
  ];
  return new Schema(fields, new Map([[versionKey, String(schemaVersion)]]));
}

/** Large, or of no use but in conditions; each column that is read costs as much as some rows. */
const notRead = ['vector', 'place', 'superseded_lineage', 'superseded_sequence', ...Object.keys(derivedColumns)];

/** The columns that make a memory. */
export const columnsOfMemory = memorySchema(1)
  .fields.map((field) => field.name)
  .filter((name) => !notRead.includes(name));
