import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeSyncJobEvent, type SyncJobEventBody } from '../wire/encode-sync-job-event.js';
import { EgressJournal } from './egress-journal.js';
import { printEgress } from './print-egress.js';

const PROGRESS = {
  type: 'progress',
  tables: [],
  phase: 'copying',
  rowsPerSecond: 0,
  bytesPerSecond: 0,
} as const;
const now = new Date('2026-01-02T03:04:05.000Z');
let state: string;
const folder = () => join(state, 'journal');
const openJournal = (maxBytes = 1_000_000) => EgressJournal.open(folder(), { maxBytes, now });

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(state, { recursive: true }));

function event(jobId: string, seq: number, body: SyncJobEventBody) {
  const encode = (journalSeq: number) =>
    encodeSyncJobEvent(journalSeq, { lease: { jobId, epoch: 1 }, seq, occurredAt: now, body });
  return { subject: 'us.evt.agt_1', encode };
}

describe('the journal', () => {
  it('numbers events from 1 and continues the numbers after a restart', async () => {
    const first = await openJournal();
    expect((await first.appendEvent(event('job_a', 1, { type: 'started' }), now)).journalSeq).toBe(1);
    expect((await first.appendEvent(event('job_b', 1, { type: 'started' }), now)).journalSeq).toBe(2);
    await first.close();
    const second = await openJournal();
    expect((await second.appendEvent(event('job_b', 2, PROGRESS), now)).journalSeq).toBe(3);
    await second.close();
  });

  it('keeps the bytes of unacknowledged events through a crash', async () => {
    const crashed = await openJournal(); // never closed
    const kept = await crashed.appendEvent(event('job_a', 1, { type: 'started' }), now);
    const acknowledged = await crashed.appendEvent(event('job_b', 1, { type: 'started' }), now);
    await crashed.acknowledge([acknowledged.journalSeq], now);
    const journal = await openJournal();
    expect(journal.unacknowledged()).toEqual([kept]);
    await journal.close();
    await crashed.close();
  });

  it('returns the jobs that were accepted and have not ended', async () => {
    const crashed = await openJournal();
    await crashed.appendEvent(event('job_a', 1, { type: 'started' }), now);
    await crashed.appendEvent(event('job_b', 1, { type: 'started' }), now);
    await crashed.appendEvent(event('job_b', 2, { type: 'failed', failure: { code: 'internal' } }), now);
    await crashed.close();
    const journal = await openJournal();
    expect(journal.openJobs()).toEqual([
      { kind: 'sync_job', jobId: 'job_a', epoch: 1, lastSeq: 1, ended: false },
    ]);
    expect([journal.knows('job_a', 1), journal.knows('job_b', 1), journal.knows('job_a', 2)]).toEqual([
      true,
      true,
      false,
    ]);
    await journal.close();
  });

  it('ignores a line that a crash cut off', async () => {
    const crashed = await openJournal();
    await crashed.appendEvent(event('job_a', 1, { type: 'started' }), now);
    await crashed.close();
    const [name = ''] = await readdir(folder());
    await appendFile(join(folder(), name), '{"kind":"event","journal_seq":2,"mess');
    const journal = await openJournal();
    expect(journal.unacknowledged()).toHaveLength(1);
    expect((await journal.appendEvent(event('job_a', 2, PROGRESS), now)).journalSeq).toBe(2);
    await journal.close();
  });

  it('stays within its size limit after acknowledgements and keeps its numbers and open jobs', async () => {
    const journal = await openJournal(20_000);
    await journal.appendEvent(event('job_open', 1, { type: 'started' }), now);
    for (let seq = 1; seq <= 500; seq += 1) {
      const { journalSeq } = await journal.appendEvent(event('job_a', seq, PROGRESS), now);
      await journal.acknowledge([journalSeq, 1], now);
    }
    await journal.close();
    const sizes = await Promise.all(
      (await readdir(folder())).map(async (name) => (await stat(join(folder(), name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25_000);
    const again = await openJournal(20_000);
    expect(again.openJobs().map(({ jobId }) => jobId)).toContain('job_open');
    expect((await again.appendEvent(event('job_a', 501, PROGRESS), now)).journalSeq).toBe(502);
    await again.close();
  });

  it('keeps an unacknowledged event even above the size limit', async () => {
    const journal = await openJournal(5_000);
    const { journalSeq } = await journal.appendEvent(event('job_a', 1, { type: 'started' }), now);
    for (let beat = 0; beat < 200; beat += 1)
      await journal.recordPassing(
        'heartbeat',
        { subject: 'us.beat.agt_1', bytes: new Uint8Array(9), message: {} },
        now,
      );
    await journal.close();
    const again = await openJournal(5_000);
    expect(again.unacknowledged().map((kept) => kept.journalSeq)).toEqual([journalSeq]);
    await again.close();
  });

  it('deletes full segments around unacknowledged events, and keeps its numbers, events and jobs', async () => {
    const journal = await openJournal(20_000);
    const beat = { subject: 'us.beat.agt_1', bytes: new Uint8Array(100), message: {} };
    const kept: number[] = [];
    for (const jobId of ['job_a', 'job_b', 'job_c']) {
      const { journalSeq } = await journal.appendEvent(event(jobId, 1, { type: 'started' }), now);
      kept.push(journalSeq);
      for (let i = 0; i < 200; i += 1) await journal.recordPassing('heartbeat', beat, now);
      const ended = await journal.appendEvent(event(`${jobId}_ended`, 1, { type: 'started' }), now);
      await journal.appendEvent(
        event(`${jobId}_ended`, 2, { type: 'failed', failure: { code: 'internal' } }),
        now,
      );
      await journal.acknowledge([ended.journalSeq, ended.journalSeq + 1], now);
      for (let i = 0; i < 200; i += 1) await journal.recordPassing('heartbeat', beat, now);
    }
    await journal.close();
    const sizes = await Promise.all(
      (await readdir(folder())).map(async (name) => (await stat(join(folder(), name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25_000);
    const again = await openJournal(20_000);
    expect(again.unacknowledged().map(({ journalSeq }) => journalSeq)).toEqual(kept);
    expect(again.openJobs().map(({ jobId }) => jobId)).toEqual(['job_a', 'job_b', 'job_c']);
    expect((await again.appendEvent(event('job_a', 2, PROGRESS), now)).journalSeq).toBe(10);
    await again.close();
  });

  it('is readable only by its owner', async () => {
    const journal = await openJournal();
    await journal.close();
    const [name = ''] = await readdir(folder());
    expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });

  it('prints the sent messages as bytes and as JSON', async () => {
    const journal = await openJournal();
    const { bytes } = await journal.appendEvent(event('job_a', 1, { type: 'started' }), now);
    await journal.recordPassing(
      'heartbeat',
      { subject: 'us.beat.agt_1', bytes: new Uint8Array([1]), message: { freeSlots: 1 } },
      now,
    );
    await journal.acknowledge([1], now);
    await journal.close();
    const lines: string[] = [];
    await printEgress(state, { json: true, write: (line) => lines.push(line) });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        kind: 'event',
        at: now.toISOString(),
        journal_seq: 1,
        subject: 'us.evt.agt_1',
        message: {
          journalSeq: '1',
          occurredAt: '2026-01-02T03:04:05Z',
          syncJob: { jobId: 'job_a', epoch: 1, seq: 1, started: {} },
        },
        bytes: Buffer.from(bytes).toString('base64'),
      },
      {
        kind: 'heartbeat',
        at: now.toISOString(),
        subject: 'us.beat.agt_1',
        message: { freeSlots: 1 },
        bytes: 'AQ==',
      },
    ]);
    const readable: string[] = [];
    await printEgress(state, { json: false, write: (line) => readable.push(line) });
    expect(readable[0]).toContain('event #1  us.evt.agt_1');
    expect(await readFile(join(folder(), (await readdir(folder()))[0] ?? ''), 'utf8')).toContain(
      '"acknowledged"',
    );
  });
});
