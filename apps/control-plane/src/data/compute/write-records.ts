import { compileSchema, type GeneratorSources } from '@understudy/generator';
import { recordChunks, type RecordChunk, type RecordFormat } from '@understudy/records';

import type { FieldProblem } from '../../platform/http/errors/api-error.js';
import { toFieldProblem } from './refusal.js';
import type { FlowControl } from './flow-control.js';

export interface RecordsInput {
  readonly schema: unknown;
  readonly seed: number;
  readonly count: number;
  readonly nowMs: number;
  readonly format: RecordFormat;
}

export interface Chunk extends RecordChunk {
  /**
   * Present only in the first chunk. Warnings report settings that have no effect, and problems that records
   * may have.
   */
  readonly warnings?: readonly FieldProblem[];
}

/**
 * Generates records and sends them in the chunks of `recordChunks`. The first chunk has the warnings. Blocks
 * the thread until the receiver allows the next chunk.
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
  let sent = 0;
  let records = 0;
  for (const chunk of recordChunks(plan, { seed, count, format, isStopped: () => flow.isStopped })) {
    if (!flow.waitUntilAllowed(sent)) return false;
    send(sent === 0 ? { ...chunk, warnings } : chunk);
    sent += 1;
    records += chunk.records;
  }
  return records === count;
}
