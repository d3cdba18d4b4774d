import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Logger } from '@nestjs/common';

import { encodeSyncJobEvent, type SyncJobReport } from '@understudy/agent-protocol';
import { ConfigurationError } from '../config/environment.js';
import { EgressJournal } from './egress-journal.js';
import { parseLine } from './parse-line.js';
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

function event(jobId: string, seq: number, body: SyncJobReport) {
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

  describe('with a damaged line', () => {
    let path: string;
    let lines: string[];
    let logged: jest.SpyInstance;
    /** Fills the first segment: its head, an acknowledged event, a heartbeat, the acknowledgement, an event, a heartbeat. */
    beforeEach(async () => {
      const journal = await openJournal();
      const beat = { subject: 'us.beat.agt_1', bytes: new Uint8Array([1]), message: {} };
      await journal.appendEvent(event('job_a', 1, { type: 'started' }), now);
      await journal.recordPassing('heartbeat', beat, now);
      await journal.acknowledge([1], now);
      await journal.appendEvent(event('job_b', 1, { type: 'started' }), now);
      await journal.recordPassing('heartbeat', beat, now);
      await journal.close();
      path = join(folder(), (await readdir(folder()))[0] ?? '');
      lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      logged = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    });
    afterEach(() => {
      logged.mockRestore();
    });

    const damage = (number: number, change: (line: string) => string, count = lines.length) => {
      const damaged = lines.slice(0, count).map((line, i) => (i === number - 1 ? change(line) : line));
      return writeFile(path, `${damaged.join('\n')}\n`);
    };
    /** Writes the line like an earlier agent, without a checksum. */
    const withField = (field: string, value: unknown) => (line: string) =>
      JSON.stringify({ ...(JSON.parse(line) as object), [field]: value, crc32: undefined });
    const without = (field: string) => withField(field, undefined);
    const ANY_LINE: readonly (readonly [string, (line: string) => string])[] = [
      ['a flipped bit', (line) => line.replace('{', 'z')],
      ['no object', () => 'null'],
      ['an unknown kind', withField('kind', 'evenu')],
      ['no time', without('at')],
    ];
    const EVENT: typeof ANY_LINE = [
      ...ANY_LINE,
      ['no bytes', without('bytes')],
      ['bytes that are no base64', withField('bytes', '*')],
      ['bytes that are no event', withField('bytes', '/////w==')],
      ['the number of another event', withField('journal_seq', 7)],
      ['a number that is a text', withField('journal_seq', '1')],
      ['no number', without('journal_seq')],
    ];

    it.each(EVENT)('leaves out an acknowledged event with %s, and names the line', async (_, change) => {
      await damage(2, change);
      const journal = await openJournal();
      expect(journal.unacknowledged().map(({ journalSeq }) => journalSeq)).toEqual([2]);
      expect(journal.openJobs().map(({ jobId }) => jobId)).toEqual(['job_b']);
      expect(logged).toHaveBeenCalledWith(expect.stringContaining('0000000001.ndjson: line 2'));
      expect((await journal.appendEvent(event('job_c', 1, { type: 'started' }), now)).journalSeq).toBe(3);
      await journal.close();
    });

    it.each([
      ['a heartbeat', 6, (line: string) => line.slice(0, -1)],
      ['a heartbeat without a subject', 6, without('subject')],
      ['an acknowledgement', 4, withField('journal_seqs', 1)],
      ['the first head', 1, withField('jobs', undefined)],
      ['the first head with a wrong job', 1, withField('jobs', [{ jobId: 'job_a' }])],
    ])('leaves out %s', async (_, number, change) => {
      await damage(number, change);
      const journal = await openJournal();
      expect(journal.unacknowledged().map(({ journalSeq }) => journalSeq)).toEqual(
        number === 4 ? [1, 2] : [2],
      );
      expect(logged).toHaveBeenCalledWith(expect.stringContaining(`0000000001.ndjson: line ${number}`));
      await journal.close();
    });

    it.each([
      ['with a later number', async () => (await openJournal()).close()],
      ['without a later number', async () => undefined],
    ])('does not start if an event that is not acknowledged is damaged, %s', async (_, restart) => {
      await restart();
      await damage(5, (line) => line.replace('"event"', '"evenu"'));
      const before = await readdir(folder());
      const opened = openJournal();
      await expect(opened).rejects.toThrow(ConfigurationError);
      await expect(opened).rejects.toThrow('0000000001.ndjson: line 5');
      expect(await readdir(folder())).toEqual(before);
      await damage(5, () => '');
      await (await openJournal()).close();
    });

    it('finds each flipped bit that changes what a line contains', () => {
      for (const line of lines) {
        const bytes = Buffer.from(line);
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const flipped = Buffer.from(bytes);
          flipped[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          const read = parseLine(flipped.toString());
          if (read !== undefined) expect(read).toMatchObject({ ...parseLine(line) });
        }
      }
    });

    it('reads lines of earlier agents, which have no checksum', async () => {
      const plain = lines.map(without('crc32'));
      await writeFile(path, `${plain.join('\n')}\n`);
      const journal = await openJournal();
      expect(journal.unacknowledged().map(({ journalSeq }) => journalSeq)).toEqual([2]);
      expect(logged).not.toHaveBeenCalled();
      await journal.close();
    });

    it.each([
      ['a missing line', () => [...lines.slice(0, 4), ...lines.slice(5)].join('\n')],
      ['a cut file', () => lines.join('\n').slice(0, lines.slice(0, 5).join('\n').length - 9)],
    ])('names the place of events that are lost with %s', async (_, text) => {
      await (await openJournal()).close();
      await writeFile(path, text());
      const journal = await openJournal();
      expect(journal.unacknowledged()).toEqual([]);
      expect(logged.mock.calls).toEqual([
        [expect.stringMatching('lacks 1 event before journal/0000000002.ndjson: line 1')],
      ]);
      await journal.close();
    });

    it('does not miss an acknowledged event', async () => {
      await writeFile(path, `${[...lines.slice(0, 1), ...lines.slice(2)].join('\n')}\n`);
      await (await openJournal()).close();
      expect(logged).not.toHaveBeenCalled();
    });

    it('does not start if a file cannot be read, and names it', async () => {
      await rm(path);
      await mkdir(path);
      const opened = openJournal();
      await expect(opened).rejects.toThrow(ConfigurationError);
      await expect(opened).rejects.toThrow('journal/0000000001.ndjson: expected a file');
    });

    it('leaves out an event whose acknowledgement is the last line with a number', async () => {
      await damage(2, (line) => line.replace('"event"', '"evenu"'), 4);
      const journal = await openJournal();
      expect(journal.unacknowledged()).toEqual([]);
      expect((await journal.appendEvent(event('job_c', 1, { type: 'started' }), now)).journalSeq).toBe(2);
      await journal.close();
    });

    it('needs the head of the oldest segment, unless another head follows', async () => {
      await (await openJournal()).close();
      await (await openJournal()).close();
      const [first = '', second = '', third = ''] = await readdir(folder());
      await rm(join(folder(), first));
      await writeFile(join(folder(), second), 'null\n');
      await (await openJournal()).close();
      await writeFile(join(folder(), third), '');
      for (const name of (await readdir(folder())).slice(1)) await rm(join(folder(), name));
      await expect(openJournal()).rejects.toThrow('0000000002.ndjson: line 1');
    });

    it('is named by the command that prints the journal', async () => {
      await damage(2, () => 'null');
      const printed: string[] = [];
      await printEgress(state, { json: true, write: (line) => printed.push(line) });
      expect(printed.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { kind: 'damaged', segment: '0000000001.ndjson', line: 2 },
        { kind: 'heartbeat' },
        { kind: 'event', journal_seq: 2 },
        { kind: 'heartbeat' },
      ]);
      await printEgress(state, { json: false, write: (line) => printed.push(line) });
      expect(printed[4]).toBe('0000000001.ndjson: line 2 is damaged');
    });
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
