import { mkdir, rm } from 'node:fs/promises';

import { Logger } from '@nestjs/common';

import type { JournaledEvent, JournaledJob, JournalLine } from './journal-entry.js';
import { JournalState } from './journal-state.js';
import { DamagedLines, type SegmentLine } from './damaged-lines.js';
import { ConfigurationError } from '../config/environment.js';
import { listSegments, readSegment, segmentName, sizeOf } from './segment-files.js';
import { SegmentWriter, TornSegmentError } from './segment-writer.js';

/** An event that has no journal number yet. */
export interface EventDraft {
  readonly subject: string;
  /**
   * Encodes the event.
   * @returns the bytes to send, and the same content as JSON
   */
  readonly encode: (journalSeq: number) => { readonly bytes: Uint8Array; readonly message: unknown };
}

/**
 * Records every message before the agent sends it. Events survive crashes until the control plane acknowledges
 * them. Acknowledged events stay for the `egress` command until the size limit is reached.
 *
 * The journal consists of append-only segments. A new segment begins at each start of the agent, and when the
 * current segment is full. If the journal exceeds its limit, it deletes the oldest segments that contain no
 * unacknowledged events.
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
  /**
   * Resolves when a failed write breaks the journal, which then accepts no more lines. The segments stay
   * readable, so a new process can continue.
   */
  readonly whenBroken = new Promise<JournalWriteError>((resolve) => (this.reportBroken = resolve));

  private constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /**
   * Reads the segments in the folder and begins a new one. Leaves out damaged lines that are not needed. Logs their
   * places, and those of missing events.
   * @param options.maxBytes size limit of all segments together; one segment takes up to an eighth of it
   * @throws JournalWriteError · ConfigurationError if a segment cannot be read or a damaged line may be needed
   */
  static async open(folder: string, options: { maxBytes: number; now: Date }): Promise<EgressJournal> {
    const journal = new EgressJournal(folder, options.maxBytes);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const damaged = new DamagedLines();
    for (const file of await listSegments(folder)) {
      const { path, number } = file;
      journal.lastNumber = number;
      for (const line of await readSegment(file)) {
        damaged.add(line);
        if (line.content !== undefined) journal.state.apply(line.content);
      }
      journal.segments.push({
        path,
        number,
        size: await sizeOf(path),
        highestSeq: journal.state.nextJournalSeq - 1,
      });
    }
    journal.judge(damaged);
    try {
      await journal.beginSegment(options.now);
      await journal.dropOldSegments();
    } catch (cause) {
      throw new JournalWriteError(folder, { cause });
    }
    return journal;
  }

  /** @throws ConfigurationError if a damaged line may be needed */
  private judge(damaged: DamagedLines): void {
    const { unneeded, needed, missing } = damaged.result();
    if (needed.length > 0)
      throw new ConfigurationError(
        'The journal is damaged',
        placesOf(needed).map((place) => `${place}: ${REMEDY}`),
      );
    for (const { before, count } of missing)
      this.logger.warn(
        `the journal lacks ${count} ${count === 1 ? 'event' : 'events'} before ${placesOf([before])[0]}. The control plane may not have them: it tries their jobs again when the leases expire`,
      );
    for (const place of placesOf(unneeded))
      this.logger.warn(
        `the journal is damaged, and these lines are left out, because nothing needs them: ${place}`,
      );
  }

  /** Returns the events that must be sent again, oldest first. */
  unacknowledged(): JournaledEvent[] {
    return [...this.state.unacknowledged.values()].sort((a, b) => a.journalSeq - b.journalSeq);
  }

  /**
   * Returns the jobs that were accepted and have not ended. Directly after `open`, these are the jobs of an
   * earlier process.
   */
  openJobs(): JournaledJob[] {
    return this.state.openJobs();
  }

  /** Returns whether the journal contains an event of the job in this epoch. */
  knows(jobId: string, epoch: number): boolean {
    return this.state.job(jobId, epoch) !== undefined;
  }

  /**
   * Writes an event. Resolves when the event is on the disk. The event may only be sent after that. If the
   * write fails, the journal is broken and accepts no more lines, because the job would otherwise continue
   * with a missing event.
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
   * Records a heartbeat or a pre-check response, so that the `egress` command can print it. Does not wait for
   * the disk, because these messages are not needed after a crash.
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
   * Records that the control plane has committed the events. Does not wait for the disk: if the line is lost,
   * the agent sends the events again after a restart, which does no harm. If the write fails, the events
   * still count as acknowledged in this process, so that their segments can be deleted.
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

  /** Syncs all lines to the disk and closes the file. After a write failure, only closes the file. */
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

  /**
   * Begins the next segment. If that fails, logs an error and keeps the current segment. The next write tries
   * again.
   */
  private async changeSegment(now: Date): Promise<void> {
    try {
      await this.beginSegment(now);
      await this.dropOldSegments();
    } catch (error) {
      this.logger.error(`the journal could not begin a new segment: ${messageOf(error)}`);
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

  /**
   * Deletes old segments until the journal is within its limit. A segment between two that are kept can contain the
   * acknowledgement of an event before it. After a restart, that event is sent again, which does no harm.
   */
  private async dropOldSegments(): Promise<void> {
    const needed = [...this.state.unacknowledged.keys()];
    let total = this.segments.reduce((sum, { size }) => sum + size, 0);
    let before = 0;
    for (const segment of this.segments.slice(0, -1)) {
      if (total <= this.maxBytes) return;
      const from = before;
      before = segment.highestSeq;
      if (needed.some((seq) => seq > from && seq <= segment.highestSeq)) continue;
      await rm(segment.path);
      this.segments = this.segments.filter((kept) => kept !== segment);
      total -= segment.size;
    }
  }

  /**
   * Runs one write at a time, in the order of the calls. Later writes still run after a failed write, unless
   * the journal is broken.
   */
  private serially<T>(act: () => Promise<T>): Promise<T> {
    const result = this.tail.then(() => {
      if (this.failure !== undefined) throw this.failure;
      if (this.writer === undefined) throw new Error('the journal is closed');
      return act();
    });
    this.tail = result.catch(() => undefined);
    return result;
  }

  /**
   * Marks the journal as broken and reports the failure.
   * @returns the failure, which the caller throws
   */
  private broken(cause: unknown): JournalWriteError {
    this.failure ??=
      cause instanceof JournalWriteError ? cause : new JournalWriteError(this.folder, { cause });
    this.reportBroken(this.failure);
    return this.failure;
  }
}

/** A line could not be written. */
export class JournalWriteError extends Error {
  readonly code = 'agent.journal_write_failed';

  constructor(folder: string, options: { readonly cause: unknown }) {
    super(`the journal in ${folder} cannot be written: ${messageOf(options.cause)}`, options);
    this.name = 'JournalWriteError';
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Lists the lines of each segment file. */
function placesOf(lines: readonly SegmentLine[]): readonly string[] {
  const files = new Map<number, number[]>();
  for (const { segment, line } of lines) files.set(segment, [...(files.get(segment) ?? []), line]);
  return [...files].map(([segment, numbers]) => {
    const shown = numbers.slice(0, MAX_SHOWN).join(', ');
    const more = numbers.length > MAX_SHOWN ? ` and ${numbers.length - MAX_SHOWN} more` : '';
    return `journal/${segmentName(segment)}: line ${shown}${more}`;
  });
}

const MAX_SHOWN = 10;
const REMEDY =
  'may hold an event that the control plane does not have. Restore the file from a backup, or delete these lines. If an event is lost, the control plane tries its job again when the lease expires.';

const SEGMENTS = 8;
