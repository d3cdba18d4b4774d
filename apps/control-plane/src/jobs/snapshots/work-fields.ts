import { Type } from 'typebox';

import { selectorOf } from '../../agents/agent-work/choice/agent-requirement.js';
import { AGENT_SELECTOR } from '../../agents/agent-work/choice/agent-selector.dto.js';
import type { WorkColumns } from '../../agents/agent-work/leases/work-columns.js';
import {
  count,
  nullable,
  nullableCount,
  nullableId,
  nullableInstant,
  oneOf,
} from '../../platform/http/operations/schemas.js';

/** Describes the progress of a snapshot or a restore. */
export const progressOf = <const Phases extends readonly string[]>(phases: Phases) =>
  Type.Object(
    {
      phase: nullable(
        oneOf(phases, 'The current phase of the work.'),
        'The current phase. Null while no agent works on it.',
      ),
      tables_done: count('Tables that are finished.'),
      tables_total: nullableCount('All tables. Null until the agent has counted them.'),
      bytes_done: count('Bytes of rows that are finished, before compression.'),
      bytes_total: nullableCount(
        'All bytes of rows, before compression. An estimate until the work is finished.',
      ),
    },
    { description: 'Progress of the current attempt, or of the last one.' },
  );

/** The fields about the work of an agent that a snapshot and a restore share. */
export const WORK_FIELDS = {
  started_at: nullableInstant('When an agent first started the work; null before.'),
  completed_at: nullableInstant('When the work ended, also if it failed; null before.'),
  attempts: count('Number of attempts.'),
  agent: AGENT_SELECTOR,
  agent_id: nullableId('agt', 'The agent of the last attempt.'),
  error: nullable(
    Type.Object({ code: Type.String({ description: 'Stable error code.' }), message: Type.String() }),
    'Why the work failed; null unless it failed.',
  ),
};

/** Returns the values of {@link WORK_FIELDS}. */
export function toWorkFields(work: WorkColumns) {
  return {
    started_at: work.startedAt?.toISOString() ?? null,
    completed_at: work.completedAt?.toISOString() ?? null,
    attempts: work.attempts,
    agent: selectorOf(work.requires),
    agent_id: work.agentId,
    error: work.errorCode === null ? null : { code: work.errorCode, message: work.errorMessage ?? '' },
  };
}
