import { ByteSink } from '@understudy/bytes';

import { csvHeader, csvRecordWriter } from './csv-record-writer.js';
import { jsonRecordWriter, ndjsonRecordWriter, type RecordWriter } from './json-record-writer.js';

/** A chunk ends with the record that brings it to this size, so it exceeds the size by at most one record. */
const CHUNK_BYTES = 128 * 1024;
const COMMA = 0x2c;

const WRITER_OF = {
  json: jsonRecordWriter,
  csv: csvRecordWriter,
  ndjson: ndjsonRecordWriter,
} satisfies Readonly<Record<string, (columns: readonly string[]) => RecordWriter>>;

export type RecordFormat = keyof typeof WRITER_OF;

/** The records of a compiled schema. `SchemaPlan` of `@understudy/generator` is one. */
export interface RecordSource {
  /** The unique names of the columns, in order. */
  readonly output: readonly string[];
  /** Starts a run. `moveTo` generates the record with this index; `values` has its values in the order of `output`. */
  open(seed: number): { readonly values: readonly unknown[]; moveTo(index: number): void };
}

/** A chunk of complete records. The receiver owns the bytes. */
export interface RecordChunk {
  readonly bytes: Uint8Array;
  readonly records: number;
}

export interface RecordRun {
  readonly seed: number;
  /** Number of records, at least 1. */
  readonly count: number;
  readonly format: RecordFormat;
  /** Asked before each record. After it returns true, the chunks end without the records since the last chunk. */
  readonly isStopped?: () => boolean;
}

/**
 * Generates the records of a run, in chunks that the caller concatenates. JSON chunks contain the elements of an
 * array without its brackets. CSV starts with the header line.
 * @throws the error of a record that cannot be generated, after a chunk with all records before it
 */
export function* recordChunks(
  source: RecordSource,
  { seed, count, format, isStopped = () => false }: RecordRun,
): Generator<RecordChunk, void> {
  const sink = new ByteSink(2 * CHUNK_BYTES);
  const writer = WRITER_OF[format](source.output);
  const cursor = source.open(seed);
  let records = 0;
  if (format === 'csv') csvHeader(source.output, sink);
  for (let index = 0; index < count; index += 1) {
    if (isStopped()) return;
    try {
      cursor.moveTo(index);
    } catch (error) {
      if (sink.length > 0) yield { bytes: sink.take(), records };
      throw error;
    }
    if (format === 'json' && index > 0) sink.writeByte(COMMA);
    writer.write(cursor.values, sink);
    records += 1;
    if (sink.length < CHUNK_BYTES) continue;
    yield { bytes: sink.take(), records };
    records = 0;
  }
  if (sink.length > 0) yield { bytes: sink.take(), records };
}
