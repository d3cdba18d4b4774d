import { MAX_ENDED_WORK, type EndedWork, type ListedWork } from './ended-work.js';
import { opsTablePage, type OpsColumn } from './ops-table-page.js';

/** Returns a complete HTML page. It has ids, names and times, and no content of the work. */
export function endedWorkPage({ works, unreadable }: ListedWork): string {
  return opsTablePage({
    title: 'Ended work',
    text: unreadable === 0 ? TEXTS : [...TEXTS, unreadableText(unreadable)],
    empty: 'No work has ended in the last 24 hours.',
    columns: COLUMNS,
    rows: works,
  });
}

const TEXTS = [
  `This page shows the work of both queues that ended in the last 24 hours, the newest first. It shows at most ${MAX_ENDED_WORK.toLocaleString('en')} entries, and at least the newest ${MAX_ENDED_WORK / 2} of each queue.`,
  'An entry can be missing: if a process was killed, Redis was not reachable, or Redis lost its data. PostgreSQL has the state of each job, snapshot and delivery.',
];

const unreadableText = (entries: number): string =>
  `This version cannot read ${entries} entries of the list, and does not show them. Another version may have written them.`;

const COLUMNS: readonly OpsColumn<EndedWork>[] = [
  ['Queue', ({ queue }) => queue],
  ['Id', ({ id }) => id],
  ['Kind', ({ kind }) => kind],
  ['State', ({ failure }) => (failure === null ? 'completed' : `failed: ${failure}`)],
  ['Start', ({ startedAt }) => startedAt.toISOString()],
  ['End', ({ endedAt }) => endedAt.toISOString()],
  ['Duration in ms', ({ startedAt, endedAt }) => endedAt.getTime() - startedAt.getTime()],
  ['Attempts', ({ attempts }) => attempts],
];
