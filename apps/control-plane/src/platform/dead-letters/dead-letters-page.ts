import { opsTablePage, type OpsColumn } from '../job-queue/ops-table-page.js';
import type { RecordedLetter } from './dead-letters.service.js';

/** The maximum number of rows on the page. */
export const ROWS_SHOWN = 200;

/** Returns a complete HTML page. */
export function deadLettersPage(rows: readonly RecordedLetter[]): string {
  return opsTablePage({
    title: 'Dead letters',
    text: [
      `These messages of agents could not be applied. The page shows the newest ${ROWS_SHOWN} with ids and codes, but without their content.`,
    ],
    empty: 'There are no dead letters.',
    columns: COLUMNS,
    rows,
    terms: { title: 'Codes', meanings: MEANINGS },
  });
}

const COLUMNS: readonly OpsColumn<RecordedLetter>[] = [
  ['Last', ({ lastAt }) => lastAt.toISOString()],
  ['First', ({ firstAt }) => firstAt.toISOString()],
  ['Times', ({ times }) => times],
  ['Organisation', ({ organizationId }) => organizationId ?? ''],
  ['Agent', ({ agentId }) => agentId],
  ['Code', ({ code }) => code],
  ['SQLSTATE', ({ sqlstate }) => sqlstate ?? ''],
  ['Kind', ({ pattern }) => pattern ?? ''],
  ['Work', ({ workId }) => workId ?? ''],
  ['Journal number', ({ journalSeq }) => journalSeq],
];

const MEANINGS = {
  not_an_event: 'The bytes do not encode an event. The message was dropped.',
  malformed: 'A field is missing or out of range. The event was dropped and acknowledged to the agent.',
  refused_by_database: 'PostgreSQL refused the data. The event was dropped and acknowledged to the agent.',
  unknown_event:
    'The agent is newer than this control plane. The agent keeps the event and repeats it. Upgrade the control plane.',
  not_addressed:
    'The message arrived on the subject of an agent that did not send it. The message was dropped.',
} as const;
