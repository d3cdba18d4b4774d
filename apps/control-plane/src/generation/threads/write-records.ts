import { ByteSink } from '@understudy/bytes';
import { compileSchema, type GeneratorSources } from '@understudy/generator';
import {
  csvHeader,
  csvRecordWriter,
  jsonRecordWriter,
  ndjsonRecordWriter,
  type RecordWriter,
} from '@understudy/records';

import type { FieldProblem } from '../../http/errors/api-error.js';
import type { AnswerFormat } from '../answer-format.js';
import { toFieldProblem } from '../refusal.js';
import type { FlowControl } from './flow-control.js';
import type { Chunk, GenerateTask } from './thread-task.js';

/** A chunk is sent when it holds this much, so it is at most one record longer. */
const CHUNK_BYTES = 128 * 1024;
const COMMA = 0x2c;

const WRITER_OF: Readonly<Record<AnswerFormat, (columns: readonly string[]) => RecordWriter>> = {
  json: jsonRecordWriter,
  csv: csvRecordWriter,
  ndjson: ndjsonRecordWriter,
};

/**
 * Makes the records of a task and sends them in chunks: for JSON the elements of an array without its brackets, for CSV
 * with the header line. What may go wrong in them goes with the first chunk. Blocks while the receiver is behind.
 * @returns false when it was stopped before the last record was sent
 * @throws DefinitionError before any chunk; GenerationError after the records before the failing one were sent
 */
export function writeRecords(
  { schema, seed, count, nowMs, format }: GenerateTask,
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
  /** Written since the last chunk. */
  records = 0;
  private sent = 0;

  constructor(
    private readonly flow: FlowControl,
    private readonly send: (chunk: Chunk) => void,
    private readonly warnings: readonly FieldProblem[],
  ) {}

  /** @returns false when the work is to end */
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
