import type { FileHandle } from 'node:fs/promises';
import { rm } from 'node:fs/promises';

import type { JournaledEvent, JournaledJob, JournalLine } from './journal-entry.js';
import { JournalState } from './journal-state.js';
import { createSegment, listSegments, readSegment, sizeOf } from './segment-files.js';

/** An event before it has its number. */
export interface EventDraft {
  readonly subject: string;
  /** @returns the bytes that will leave, and the same in readable form */
  readonly encode: (journalSeq: number) => { readonly bytes: Uint8Array; readonly message: unknown };
}

/**
 * The agent's memory of what it has said: every message that leaves is written here first. Events survive crashes until
 * the control plane has acknowledged them; what is older stays as the customer's record until the size limit takes it.
 *
 * Segments are append-only. A new one begins at each start and when the current one is full; an old one is deleted when
 * nothing in it waits for an acknowledgement and the whole is over the limit.
 */
export class EgressJournal {
  private readonly state = new JournalState();
  private segments: { path: string; number: number; size: number; highestSeq: number }[] = [];
  private file: FileHandle | undefined;
  private tail: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /** @param maxBytes of all segments together; one segment takes up to an eighth of it */
  static async open(folder: string, options: { maxBytes: number; now: Date }): Promise<EgressJournal> {
    const journal = new EgressJournal(folder, options.maxBytes);
    for (const { path, number } of await listSegments(folder)) {
      for (const line of await readSegment(path)) journal.state.apply(line);
      journal.segments.push({
        path,
        number,
        size: await sizeOf(path),
        highestSeq: journal.state.nextJournalSeq - 1,
      });
    }
    await journal.beginSegment(options.now);
    return journal;
  }

  /** Events to send again, oldest first. */
  unacknowledged(): JournaledEvent[] {
    return [...this.state.unacknowledged.values()].sort((a, b) => a.journalSeq - b.journalSeq);
  }

  /** Jobs that were accepted and never ended: their process died. Meaningful right after opening. */
  openJobs(): JournaledJob[] {
    return this.state.openJobs();
  }

  knows(jobId: string, epoch: number): boolean {
    return this.state.job(jobId, epoch) !== undefined;
  }

  /** Resolves when the event is on the disk: only then may it leave. */
  appendEvent(draft: EventDraft, now: Date): Promise<JournaledEvent> {
    return this.serially(async () => {
      const journalSeq = this.state.nextJournalSeq;
      const { bytes, message } = draft.encode(journalSeq);
      await this.write(
        {
          kind: 'event',
          at: now.toISOString(),
          journal_seq: journalSeq,
          subject: draft.subject,
          message,
          bytes: Buffer.from(bytes).toString('base64'),
        },
        now,
      );
      await this.file?.datasync();
      const event = this.state.unacknowledged.get(journalSeq);
      if (event === undefined) throw new Error(`event ${journalSeq} is not in the journal`);
      return event;
    });
  }

  /** Heartbeats and answers are recorded for the customer; nobody needs them after a crash, so the disk is not waited for. */
  recordPassing(
    kind: 'heartbeat' | 'answer',
    { subject, bytes, message }: { subject: string; bytes: Uint8Array; message: unknown },
    now: Date,
  ): Promise<void> {
    const at = now.toISOString();
    const line: JournalLine = { kind, at, subject, message, bytes: Buffer.from(bytes).toString('base64') };
    return this.serially(() => this.write(line, now));
  }

  /** Losing this line in a crash costs one more delivery of each event. */
  acknowledge(journalSeqs: readonly number[], now: Date): Promise<void> {
    return this.serially(() =>
      this.write({ kind: 'acknowledged', at: now.toISOString(), journal_seqs: journalSeqs }, now),
    );
  }

  close(): Promise<void> {
    return this.serially(async () => {
      await this.file?.sync();
      await this.file?.close();
      this.file = undefined;
    });
  }

  private async write(line: JournalLine, now: Date): Promise<void> {
    if (this.file === undefined) throw new Error('the journal is closed');
    const text = `${JSON.stringify(line)}\n`;
    await this.file.appendFile(text);
    this.state.apply(line);
    const current = this.segments.at(-1);
    if (current === undefined) return;
    current.size += Buffer.byteLength(text);
    current.highestSeq = this.state.nextJournalSeq - 1;
    if (current.size > this.maxBytes / SEGMENTS && line.kind !== 'segment') await this.beginSegment(now);
  }

  private async beginSegment(now: Date): Promise<void> {
    await this.file?.sync();
    await this.file?.close();
    const number = (this.segments.at(-1)?.number ?? 0) + 1;
    const { file, path } = await createSegment(this.folder, number);
    this.file = file;
    this.segments.push({ path, number, size: 0, highestSeq: this.state.nextJournalSeq - 1 });
    await this.write(
      {
        kind: 'segment',
        at: now.toISOString(),
        next_journal_seq: this.state.nextJournalSeq,
        jobs: this.state.rememberedJobs(),
      },
      now,
    );
    await file.sync();
    await this.dropOldSegments();
  }

  private async dropOldSegments(): Promise<void> {
    const oldestNeeded = Math.min(...this.state.unacknowledged.keys(), Number.POSITIVE_INFINITY);
    let total = this.segments.reduce((sum, { size }) => sum + size, 0);
    for (const segment of this.segments.slice(0, -1)) {
      if (total <= this.maxBytes || segment.highestSeq >= oldestNeeded) return;
      await rm(segment.path);
      this.segments = this.segments.filter((kept) => kept !== segment);
      total -= segment.size;
    }
  }

  /** One write at a time, in the order of the calls; a failed one does not stop those after it. */
  private serially<T>(act: () => Promise<T>): Promise<T> {
    const result = this.tail.then(act);
    this.tail = result.catch(() => undefined);
    return result;
  }
}

const SEGMENTS = 8;
