import { ByteSink } from '@understudy/bytes';
import { compileSchema, type GeneratorSources } from '@understudy/generator';
import {
  csvHeader,
  csvRecordWriter,
  jsonRecordWriter,
  ndjsonRecordWriter,
  type RecordWriter,
} from '@understudy/records';

import type { FieldProblem } from '../http/errors/api-error.js';
import { toFieldProblem } from './refusal.js';
import type { FlowControl } from './flow-control.js';

/** A chunk is sent when it has at least this size, so it exceeds the size by at most one record. */
const CHUNK_BYTES = 128 * 1024;
const COMMA = 0x2c;

const WRITER_OF = {
  json: jsonRecordWriter,
  csv: csvRecordWriter,
  ndjson: ndjsonRecordWriter,
} satisfies Readonly<Record<string, (columns: readonly string[]) => RecordWriter>>;

export interface RecordsInput {
  readonly schema: unknown;
  readonly seed: number;
  readonly count: number;
  readonly nowMs: number;
  readonly format: keyof typeof WRITER_OF;
}

/** A chunk of complete records. The receiver owns the bytes. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly records: number;
  /**
   * Present only in the first chunk. Warnings report settings that have no effect, and problems that records
   * may have.
   */
  readonly warnings?: readonly FieldProblem[];
}

/**
 * Generates records and sends them in chunks. JSON chunks contain the elements of an array without its
 * brackets. The first CSV chunk starts with the header line. The first chunk has the warnings. Blocks the
 * thread until the receiver allows the next chunk.
 * @returns false if the task was stopped before it sent the last record
 * @throws DefinitionError before the first chunk; GenerationError after all records before the failed one
 *   were sent
 */
export function writeRecords(
  { schema, seed, count, nowMs, format }: RecordsInput,
  sources: GeneratorSources,
  flow: FlowControl,
  send: (chunk: Chunk) => void,
): boolean {
  const plan = compileSchema(schema, { ...sources, nowMs });
  const warnings = plan.warnings(count).map((warning) => toFieldProblem(warning, 'schema'));
  const chunks = new ChunkSender(flow, send, warnings);
  const { sink } = chunks;
  const writer = WRITER_OF[format](plan.output);
  const cursor = plan.open(seed);
  if (format === 'csv') csvHeader(plan.output, sink);
  for (let index = 0; index < count; index += 1) {
    if (flow.isStopped) return false;
    try {
      cursor.moveTo(index);
    } catch (error) {
      chunks.flush();
      throw error;
    }
    if (format === 'json' && index > 0) sink.writeByte(COMMA);
    writer.write(cursor.values, sink);
    chunks.records += 1;
    if (sink.length >= CHUNK_BYTES && !chunks.flush()) return false;
  }
  return chunks.flush();
}

class ChunkSender {
  readonly sink = new ByteSink(2 * CHUNK_BYTES);
  /** Number of records written since the last chunk. */
  records = 0;
  private sent = 0;

  constructor(
    private readonly flow: FlowControl,
    private readonly send: (chunk: Chunk) => void,
    private readonly warnings: readonly FieldProblem[],
  ) {}

  /** Sends the written records as a chunk. @returns false if the task must end */
  flush(): boolean {
    if (this.sink.length === 0) return true;
    if (!this.flow.waitUntilAllowed(this.sent)) return false;
    const chunk = { bytes: this.sink.take(), records: this.records };
    this.send(this.sent === 0 ? { ...chunk, warnings: this.warnings } : chunk);
    this.sent += 1;
    this.records = 0;
    return true;
  }
}
