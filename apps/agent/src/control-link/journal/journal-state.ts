import type { JournaledEvent, JournaledJob, JournalLine } from './journal-entry.js';

/** Everything the journal's lines add up to. Pure. */
export class JournalState {
  nextJournalSeq = 1;
  /** Events the control plane has not acknowledged, oldest first. */
  readonly unacknowledged = new Map<number, JournaledEvent>();
  private readonly jobs = new Map<string, JournaledJob>();

  apply(line: JournalLine): void {
    switch (line.kind) {
      case 'segment':
        this.nextJournalSeq = Math.max(this.nextJournalSeq, line.next_journal_seq);
        line.jobs.forEach((job) => this.remember(job));
        return;
      case 'acknowledged':
        line.journal_seqs.forEach((seq) => this.unacknowledged.delete(seq));
        return;
      case 'event':
        this.applyEvent(line);
        return;
      case 'heartbeat':
        return;
    }
  }

  job(jobId: string, epoch: number): JournaledJob | undefined {
    return this.jobs.get(`${jobId}.${epoch}`);
  }

  /** Accepted, and no last event written. */
  openJobs(): JournaledJob[] {
    return [...this.jobs.values()].filter(({ ended }) => !ended);
  }

  /** For the head of a new segment: all open jobs, and the ended ones that a late redelivery may still name. */
  rememberedJobs(): JournaledJob[] {
    const ended = [...this.jobs.values()].filter((job) => job.ended).slice(-REMEMBERED_ENDED_JOBS);
    return [...this.openJobs(), ...ended];
  }

  private applyEvent(line: JournalLine & { kind: 'event' | 'heartbeat' }): void {
    const seq = line.journal_seq;
    const { syncJob, privateModelErased } = (line.message ?? {}) as WireEvent;
    const about = syncJob?.jobId ?? privateModelErased?.erasureId;
    if (seq === undefined || about === undefined) return;
    this.nextJournalSeq = Math.max(this.nextJournalSeq, seq + 1);
    const bytes = new Uint8Array(Buffer.from(line.bytes, 'base64'));
    this.unacknowledged.set(seq, { journalSeq: seq, about, subject: line.subject, bytes });
    if (syncJob?.jobId === undefined) return;
    const { jobId, epoch = 0, seq: jobSeq = 0 } = syncJob;
    const ended = ENDS.some((end) => end in syncJob);
    this.remember({ jobId, epoch, lastSeq: jobSeq, ended });
  }

  private remember(job: JournaledJob): void {
    const key = `${job.jobId}.${job.epoch}`;
    const known = this.jobs.get(key);
    this.jobs.delete(key); // the latest last
    this.jobs.set(key, {
      ...job,
      lastSeq: Math.max(job.lastSeq, known?.lastSeq ?? 0),
      ended: job.ended || known?.ended === true,
    });
  }
}

/** Protobuf's JSON form of Event, as far as it is read here. */
interface WireEvent {
  readonly syncJob?: WireJob;
  readonly privateModelErased?: { readonly erasureId?: string };
}

interface WireJob {
  readonly jobId?: string;
  readonly epoch?: number;
  readonly seq?: number;
}

const REMEMBERED_ENDED_JOBS = 200;

/** Events that are a job's last. */
const ENDS = ['completed', 'predicted', 'failed'];
