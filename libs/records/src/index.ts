export { csvHeader, csvRecordWriter } from './csv-record-writer.js';
export { jsonRecordWriter, ndjsonRecordWriter, type RecordWriter } from './json-record-writer.js';
export { NulCharacterError, writeSqlIdentifier, writeSqlText } from './write-sql-text.js';
export {
  recordChunks,
  type RecordChunk,
  type RecordFormat,
  type RecordRun,
  type RecordSource,
} from './record-chunks.js';
export { readSqlName } from './read-sql-name.js';
export {
  type QualifiedName,
  sqlInsertHead,
  sqlRecordWriter,
  writeTableAndColumns,
} from './sql-record-writer.js';
export { writeJsonValue } from './write-json-value.js';
