import { rm } from 'node:fs/promises';

import { Logger } from '@nestjs/common';

import type { JournaledEvent, JournaledJob, JournalLine } from './journal-entry.js';
import { JournalState } from './journal-state.js';
import { listSegments, readSegment, sizeOf } from './segment-files.js';
import { SegmentWriter, TornSegmentError } from './segment-writer.js';

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
  private readonly logger = new Logger(EgressJournal.name);
  private readonly state = new JournalState();
  private segments: { path: string; number: number; size: number; highestSeq: number }[] = [];
  private writer: SegmentWriter | undefined;
  private lastNumber = 0;
  private tail: Promise<unknown> = Promise.resolve();
  private failure: JournalWriteError | undefined;
  private reportBroken: (failure: JournalWriteError) => void = () => undefined;
  /** Resolves when the journal can take nothing more. What is on the disk is whole: a new process goes on from it. */
  readonly whenBroken = new Promise<JournalWriteError>((resolve) => (this.reportBroken = resolve));

  private constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /** @param maxBytes of all segments together; one segment takes up to an eighth of it */
  static async open(folder: string, options: { maxBytes: number; now: Date }): Promise<EgressJournal> {
    const journal = new EgressJournal(folder, options.maxBytes);
    for (const { path, number } of await listSegments(folder)) {
      journal.lastNumber = number;
      for (const line of await readSegment(path)) journal.state.apply(line);
      journal.segments.push({
        path,
        number,
        size: await sizeOf(path),
        highestSeq: journal.state.nextJournalSeq - 1,
      });
    }
    try {
      await journal.beginSegment(options.now);
      await journal.dropOldSegments();
    } catch (cause) {
      throw new JournalWriteError(folder, { cause });
    }
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

  /**
   * Resolves when the event is on the disk: only then may it leave. An event that cannot be written breaks the journal,
   * because the work that it reports on would go on without it.
   * @throws JournalWriteError
   */
  appendEvent(draft: EventDraft, now: Date): Promise<JournaledEvent> {
    return this.serially(async () => {
      const journalSeq = this.state.nextJournalSeq;
      const { bytes, message } = draft.encode(journalSeq);
      const line: JournalLine = {
        kind: 'event',
        at: now.toISOString(),
        journal_seq: journalSeq,
        subject: draft.subject,
        message,
        bytes: Buffer.from(bytes).toString('base64'),
      };
      try {
        await this.write(line, now, 'synced');
      } catch (error) {
        throw this.broken(error);
      }
      const event = this.state.unacknowledged.get(journalSeq);
      if (event === undefined) throw new Error(`event ${journalSeq} is not in the journal`);
      return event;
    });
  }

  /**
   * Heartbeats and answers are recorded for the customer; nobody needs them after a crash, so the disk is not waited for.
   * @throws JournalWriteError
   */
  recordPassing(
    kind: 'heartbeat' | 'answer',
    { subject, bytes, message }: { subject: string; bytes: Uint8Array; message: unknown },
    now: Date,
  ): Promise<void> {
    const at = now.toISOString();
    const line: JournalLine = { kind, at, subject, message, bytes: Buffer.from(bytes).toString('base64') };
    return this.serially(() => this.write(line, now, 'buffered'));
  }

  /**
   * Losing this line costs one more delivery of each event, after a restart. In this process the events are acknowledged
   * either way: else their segments would stay.
   * @throws JournalWriteError
   */
  acknowledge(journalSeqs: readonly number[], now: Date): Promise<void> {
    const line = { kind: 'acknowledged', at: now.toISOString(), journal_seqs: journalSeqs } as const;
    return this.serially(() =>
      this.write(line, now, 'buffered').catch((error: unknown) => {
        this.state.apply(line);
        throw error;
      }),
    );
  }

  /** Resolves when every line is on the disk; of a broken journal, when its file is closed. */
  async close(): Promise<void> {
    await this.tail;
    const { writer } = this;
    this.writer = undefined;
    if (this.failure === undefined) await writer?.sync();
    await writer?.close();
  }

  private async write(line: JournalLine, now: Date, reach: 'synced' | 'buffered'): Promise<void> {
    const { writer } = this;
    const current = this.segments.at(-1);
    if (writer === undefined || current === undefined) throw new Error('the journal has no segment');
    try {
      await writer.append(line);
      if (reach === 'synced') await writer.sync();
    } catch (cause) {
      const failure = new JournalWriteError(this.folder, { cause });
      throw cause instanceof TornSegmentError ? this.broken(failure) : failure;
    }
    this.state.apply(line);
    current.size = writer.size;
    current.highestSeq = this.state.nextJournalSeq - 1;
    if (current.size > this.maxBytes / SEGMENTS) await this.changeSegment(now);
  }

  /** Goes on with the current segment when the next one cannot begin: the line is written, and the next one tries again. */
  private async changeSegment(now: Date): Promise<void> {
    try {
      await this.beginSegment(now);
      await this.dropOldSegments();
    } catch (error) {
      this.logger.error(`the journal could not change its segment: ${messageOf(error)}`);
    }
  }

  private async beginSegment(now: Date): Promise<void> {
    this.lastNumber += 1;
    const next = await SegmentWriter.begin(this.folder, this.lastNumber, {
      kind: 'segment',
      at: now.toISOString(),
      next_journal_seq: this.state.nextJournalSeq,
      jobs: this.state.rememberedJobs(),
    });
    const full = this.writer;
    this.writer = next;
    const { path, number, size } = next;
    this.segments.push({ path, number, size, highestSeq: this.state.nextJournalSeq - 1 });
    await full?.sync();
    await full?.close();
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

  /** One write at a time, in the order of the calls. A failed one stops those after it only when the journal is broken. */
  private serially<T>(act: () => Promise<T>): Promise<T> {
    const result = this.tail.then(() => {
      if (this.failure !== undefined) throw this.failure;
      if (this.writer === undefined) throw new Error('the journal is closed');
      return act();
    });
    this.tail = result.catch(() => undefined);
    return result;
  }

  /** @returns the failure, to be thrown */
  private broken(cause: unknown): JournalWriteError {
    this.failure ??=
      cause instanceof JournalWriteError ? cause : new JournalWriteError(this.folder, { cause });
    this.reportBroken(this.failure);
    return this.failure;
  }
}

/** A line was not written, and nothing of it is in the journal. */
export class JournalWriteError extends Error {
  readonly code = 'agent.journal_write_failed';

  constructor(folder: string, options: { readonly cause: unknown }) {
    super(`the journal in ${folder} takes no line: ${messageOf(options.cause)}`, options);
    this.name = 'JournalWriteError';
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const SEGMENTS = 8;
