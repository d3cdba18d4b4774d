export { csvHeader, csvRecordWriter } from './csv-record-writer.js';
export { jsonRecordWriter, ndjsonRecordWriter } from './json-record-writer.js';
export type { RecordWriter } from './record-writer.js';
export { writeJsonValue } from './write-json-value.js';
