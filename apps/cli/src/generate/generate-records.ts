import { ByteSink } from '@understudy/bytes';
import type { RecordCursor, SchemaPlan } from '@understudy/generator';
import {
  csvHeader,
  csvRecordWriter,
  jsonRecordWriter,
  ndjsonRecordWriter,
  type RecordWriter,
} from '@understudy/records';

export const FORMATS = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const CHUNK_BYTES = 64 * 1024;
/** Values are counted from the opening of a run; so many records stay within what one run may make. */
const RECORDS_PER_RUN = 100;

const WRITER_OF: Readonly<Record<Format, (columns: readonly string[]) => RecordWriter>> = {
  json: jsonRecordWriter,
  csv: csvRecordWriter,
  ndjson: ndjsonRecordWriter,
};

export interface RecordRequest {
  readonly count: number;
  readonly seed: number;
  readonly format: Format;
}

/**
 * The records as bytes of one JSON array, CSV with its header line, or lines of JSON, in chunks that the next one replaces.
 * @throws GenerationError after the records before the failing one were given
 */
export function* generateRecords(
  plan: SchemaPlan,
  { count, seed, format }: RecordRequest,
): Generator<Uint8Array> {
  const sink = new ByteSink(2 * CHUNK_BYTES);
  const writer = WRITER_OF[format](plan.output);
  if (format === 'csv') csvHeader(plan.output, sink);
  if (format === 'json') sink.writeAscii('[');
  let cursor = plan.open(seed);
  for (let index = 0; index < count; index += 1) {
    if (index % RECORDS_PER_RUN === 0 && !plan.ordered) cursor = plan.open(seed);
    const failure = failureOf(cursor, index);
    if (failure !== undefined) {
      yield sink.take();
      throw failure.error;
    }
    if (format === 'json' && index > 0) sink.writeAscii(',\n');
    writer.write(cursor.values, sink);
    if (sink.length >= CHUNK_BYTES) yield sink.take();
  }
  if (format === 'json') sink.writeAscii(']\n');
  yield sink.take();
}

function failureOf(cursor: RecordCursor, index: number): { readonly error: unknown } | undefined {
  try {
    cursor.moveTo(index);
    return undefined;
  } catch (error) {
    return { error };
  }
}
