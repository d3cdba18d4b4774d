import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@understudy/agent-protocol/schema';

import { contentOf } from './event-content.js';
import type { JournaledEvent, JournaledJob, JournalLine, OutgoingLine } from './journal-entry.js';

/** The state that results from applying all lines of the journal in order. Performs no I/O. */
export class JournalState {
  nextJournalSeq = 1;
  /** Events that the control plane has not acknowledged, oldest first. */
  readonly unacknowledged = new Map<number, JournaledEvent>();
  private readonly jobs = new Map<string, JournaledJob>();

  apply(line: JournalLine): void {
    switch (line.kind) {
      case 'segment':
        this.nextJournalSeq = Math.max(this.nextJournalSeq, line.next_journal_seq);
        line.jobs.forEach((job) => this.remember(job));
        return;
      case 'acknowledged':
        line.journal_seqs.forEach((seq) => {
          this.unacknowledged.delete(seq);
          this.nextJournalSeq = Math.max(this.nextJournalSeq, seq + 1); // the line of the event may be damaged
        });
        return;
      case 'event':
        this.applyEvent(line);
        return;
      case 'heartbeat':
      case 'answer':
        return;
    }
  }

  job(jobId: string, epoch: number): JournaledJob | undefined {
    return this.jobs.get(`${jobId}.${epoch}`);
  }

  /** Returns the jobs that were accepted and have not ended. */
  openJobs(): JournaledJob[] {
    return [...this.jobs.values()].filter(({ ended }) => !ended);
  }

  /**
   * Returns the jobs to repeat in the first line of a new segment: all open jobs, and the latest ended ones, whose
   * commands may still be redelivered.
   */
  rememberedJobs(): JournaledJob[] {
    const ended = [...this.jobs.values()].filter((job) => job.ended).slice(-REMEMBERED_ENDED_JOBS);
    return [...this.openJobs(), ...ended];
  }

  /** Advances the journal number for every event, including events of an unknown kind. */
  private applyEvent({ journal_seq: seq, bytes: text }: OutgoingLine): void {
    if (seq === undefined) return;
    this.nextJournalSeq = Math.max(this.nextJournalSeq, seq + 1);
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    const { about, work } = contentOf(fromBinary(EventSchema, bytes));
    this.unacknowledged.set(seq, { journalSeq: seq, about, bytes });
    if (work !== undefined) this.remember(work);
  }

  private remember(job: JournaledJob): void {
    const key = `${job.jobId}.${job.epoch}`;
    const known = this.jobs.get(key);
    this.jobs.delete(key); // so that the latest job is the last one of the map
    this.jobs.set(key, {
      ...job,
      lastSeq: Math.max(job.lastSeq, known?.lastSeq ?? 0),
      ended: job.ended || known?.ended === true,
    });
  }
}

const REMEMBERED_ENDED_JOBS = 200;
