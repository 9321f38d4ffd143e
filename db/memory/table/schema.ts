import { Field, FixedSizeList, Float32, Float64, Int32, List, Schema, TimestampMillisecond, Utf8 } from 'apache-arrow';

/** The version of the table's columns, kept in the schema's metadata. */
export const schemaVersion = 1;

export const versionKey = 'longhaul.memories.version';

/** Columns derived from others for the sake of searches. */
const derivedColumns = ['found_by', 'packed_row'];

/** The columns of a table whose vectors have this many dimensions. Names are lower-case, since LanceDB's filters ignore case. */
export function memorySchema(dimensions: number): Schema {
  const item = (type: Float32 | Utf8) => new Field('item', type, true);
  const needed = ['id', 'text', 'kind', 'scope'].map((name) => new Field(name, new Utf8(), false));
  const texts = ['project_id', 'session_id', 'lineage_id'].map((name) => new Field(name, new Utf8(), true));
  const sources = ['source_id', 'source_run', 'source_commit', 'origin', 'place'].map(
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
    new Field('fact_type', new Utf8(), true),
    new Field('confidence', new Float64(), true),
    new Field('person', new Utf8(), true),
    new Field('created_at', new TimestampMillisecond(), false),
    new Field('recalled_at', new TimestampMillisecond(), true),
    new Field('expires_at', new TimestampMillisecond(), true),
    new Field('superseded_by', new Utf8(), true),
    new Field('superseded_lineage', new Utf8(), true),
    new Field('superseded_sequence', new Float64(), true),
    new Field('model', new Utf8(), true),
    ...derivedColumns.map((name) => new Field(name, new Utf8(), true)),
    new Field('vector', new FixedSizeList(dimensions, item(new Float32())), true),
  ];
  return new Schema(fields, new Map([[versionKey, String(schemaVersion)]]));
}

/** Large, or useful only in conditions; each column read costs as much as some rows. */
const notRead = ['vector', 'place', 'superseded_lineage', 'superseded_sequence', ...derivedColumns];

/** The columns that make up a memory. */
export const columnsOfMemory = memorySchema(1)
  .fields.map((field) => field.name)
  .filter((name) => !notRead.includes(name));
