export { csvHeader, csvRecordWriter } from './csv-record-writer.js';
export { jsonRecordWriter, ndjsonRecordWriter } from './json-record-writer.js';
export { NulCharacterError } from './nul-character-error.js';
export { readSqlName } from './read-sql-name.js';
export type { RecordWriter } from './record-writer.js';
export {
  type QualifiedName,
  sqlInsertHead,
  sqlRecordWriter,
  writeTableAndColumns,
} from './sql-record-writer.js';
export { writeJsonValue } from './write-json-value.js';
export { writeSqlIdentifier, writeSqlText } from './write-sql-text.js';
