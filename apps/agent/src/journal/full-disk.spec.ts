import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Logger } from '@nestjs/common';
import { itUnless, SmallDisk } from '@understudy/testing';

import { encodeSyncJobEvent } from '@understudy/agent-protocol';
import { EgressJournal, JournalWriteError } from './egress-journal.js';

const now = new Date('2026-01-02T03:04:05.000Z');
let folder: string;
let journalFolder: string;
/** Skips the test if this process cannot mount a file system. */
const itOnASmallDisk = itUnless(SmallDisk.whyNotPossible());
let disk: SmallDisk | undefined;

const open = (maxBytes = 500_000) => EgressJournal.open(journalFolder, { maxBytes, now });
const started = (jobId: string) => ({
  subject: 'us.evt.agt_1',
  encode: (journalSeq: number) =>
    encodeSyncJobEvent(journalSeq, {
      lease: { jobId, epoch: 1 },
      seq: 1,
      occurredAt: now,
      body: { type: 'started' },
    }),
});
const beat = (journal: EgressJournal, bytes = 3_000) =>
  journal.recordPassing(
    'heartbeat',
    { subject: 'us.beat.agt_1', bytes: new Uint8Array(bytes), message: {} },
    now,
  );
const lines = () =>
  readdirSync(journalFolder)
    .sort()
    .flatMap((name) => readFileSync(join(journalFolder, name), 'utf8').split(/(?<=\n)/));

/**
 * Writes heartbeats until only a part of one fits on the disk.
 * @returns the error of that write
 */
async function untilFull(journal: EgressJournal): Promise<unknown> {
  disk?.fill(10_000);
  for (;;) {
    const error: unknown = await beat(journal).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error !== undefined) return error;
  }
}

beforeAll(() => {
  Logger.overrideLogger(false);
  folder = mkdtempSync(join(tmpdir(), 'journal-disk-'));
  journalFolder = join(folder, 'journal');
  disk = SmallDisk.mount(folder, '1m');
});
afterEach(() => {
  disk?.free();
  rmSync(journalFolder, { recursive: true, force: true });
});
afterAll(() => {
  disk?.unmount();
  rmSync(folder, { recursive: true, force: true });
});

describe('the journal on a full disk', () => {
  itOnASmallDisk('leaves no partial line and continues when there is room', async () => {
    const journal = await open();
    const first = await journal.appendEvent(started('job_a'), now);
    expect(await untilFull(journal)).toBeInstanceOf(JournalWriteError);
    disk?.free();
    await beat(journal);
    const second = await journal.appendEvent(started('job_b'), now);
    await journal.close();

    expect(lines().map((line) => JSON.parse(line) as unknown)).toHaveLength(lines().length);
    const reopened = await open();
    expect(reopened.unacknowledged()).toEqual([first, second]);
    expect((await reopened.appendEvent(started('job_c'), now)).journalSeq).toBe(3);
    await reopened.close();
  });

  itOnASmallDisk('keeps its segment until there is room for a new one', async () => {
    const journal = await open(80_000); // a segment is full at 10,000 bytes, within the third page of its file
    const [name = ''] = readdirSync(journalFolder);
    const size = () => statSync(join(journalFolder, name)).size;
    while (size() < 9_500) await beat(journal, 30);
    disk?.fill();
    while (size() < 11_000) await beat(journal, 30);
    expect(readdirSync(journalFolder)).toEqual([name]);

    disk?.free();
    const first = await journal.appendEvent(started('job_a'), now);
    expect(readdirSync(journalFolder)).toHaveLength(2);
    const second = await journal.appendEvent(started('job_b'), now);
    await journal.close();
    const reopened = await open(80_000);
    expect(reopened.unacknowledged()).toEqual([first, second]);
    await reopened.close();
  });

  itOnASmallDisk(
    'drops acknowledged events from memory even if the acknowledgement cannot be written',
    async () => {
      const journal = await open();
      const event = await journal.appendEvent(started('job_a'), now);
      await untilFull(journal);
      const longer = [event.journalSeq, ...Array<number>(5_000).fill(9)]; // longer than a heartbeat
      await expect(journal.acknowledge(longer, now)).rejects.toThrow(JournalWriteError);
      expect(journal.unacknowledged()).toEqual([]);
      await journal.close();
      disk?.free();
      const reopened = await open();
      expect(reopened.unacknowledged()).toEqual([event]);
      await reopened.close();
    },
  );

  itOnASmallDisk('accepts no more lines after an event could not be written', async () => {
    const journal = await open();
    const first = await journal.appendEvent(started('job_a'), now);
    await untilFull(journal);
    disk?.fill();
    const kept = [first];
    const untilRefused = async () => {
      for (;;) kept.push(await journal.appendEvent(started('job_b'), now)); // the last page of the file has room
    };
    await expect(untilRefused()).rejects.toThrow(JournalWriteError);
    disk?.free();
    expect(await journal.whenBroken).toBeInstanceOf(JournalWriteError);
    await expect(beat(journal)).rejects.toThrow(JournalWriteError);
    await expect(journal.appendEvent(started('job_b'), now)).rejects.toThrow(JournalWriteError);
    await journal.close();

    const reopened = await open();
    expect(reopened.unacknowledged()).toEqual(kept);
    expect((await reopened.appendEvent(started('job_c'), now)).journalSeq).toBe(kept.length + 1);
    await reopened.close();
  });
});
