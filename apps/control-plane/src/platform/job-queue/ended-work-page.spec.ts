import type { EndedWork } from './ended-work.js';
import { endedWorkPage } from './ended-work-page.js';

const WORK: EndedWork = {
  queue: 'work',
  id: 'job_1',
  kind: 'sync_job.dispatch',
  failure: 'QueryFailedError',
  startedAt: new Date('2026-01-01T00:00:00.000Z'),
  endedAt: new Date('2026-01-01T00:00:01.250Z'),
  attempts: 2,
};

/** Returns the texts of the cells of each row. */
function cellsOf(page: string): string[][] {
  const rows = page.split('<tbody>')[1]?.match(/<tr>.*<\/tr>/g) ?? [];
  return rows.map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text]) => text ?? ''));
}

it('shows queue, id, kind, state, start, end, duration and attempts, and nothing else', () => {
  const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.250Z', '1250'];
  const completed = { ...WORK, failure: null, attempts: 1, values: 'a row value' };
  expect(cellsOf(endedWorkPage({ works: [WORK, completed], unreadable: 0 }))).toEqual([
    ['work', 'job_1', 'sync_job.dispatch', 'failed: QueryFailedError', ...times, '2'],
    ['work', 'job_1', 'sync_job.dispatch', 'completed', ...times, '1'],
  ]);
});

it('shows a text instead of an empty table, and names the entries that can be missing', () => {
  const page = endedWorkPage({ works: [], unreadable: 0 });
  expect(page).toContain('No work has ended in the last 24 hours.');
  expect(page).toContain('An entry can be missing');
  expect(page).not.toContain('<table');
});

it('escapes all texts', () => {
  const hostile = `<script>'&"`;
  const page = endedWorkPage({
    works: [{ ...WORK, id: hostile, kind: hostile, queue: hostile, failure: hostile }],
    unreadable: 0,
  });
  expect(page).not.toContain('<script>');
  expect(page.split('&#60;script&#62;&#39;&#38;&#34;')).toHaveLength(5);
});

it('names the number of entries that it cannot read', () => {
  expect(endedWorkPage({ works: [WORK], unreadable: 2 })).toContain('cannot read 2 entries');
  expect(endedWorkPage({ works: [WORK], unreadable: 0 })).not.toContain('cannot read');
});
