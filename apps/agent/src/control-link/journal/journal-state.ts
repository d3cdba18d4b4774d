import type { JournaledEvent, JournaledJob, JournalLine, OutgoingLine, WorkKind } from './journal-entry.js';

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
      case 'answer':
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

  private applyEvent(line: OutgoingLine): void {
    const seq = line.journal_seq;
    const message = (line.message ?? {}) as WireEvent;
    const work = workOf(message);
    const about = work?.jobId ?? message.privateModelErased?.erasureId ?? message.snapshotDeleted?.deletionId;
    if (seq === undefined || about === undefined) return;
    this.nextJournalSeq = Math.max(this.nextJournalSeq, seq + 1);
    const bytes = new Uint8Array(Buffer.from(line.bytes, 'base64'));
    this.unacknowledged.set(seq, { journalSeq: seq, about, subject: line.subject, bytes });
    if (work !== undefined) this.remember(work);
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
  readonly syncJob?: WireWork & { readonly jobId?: string };
  readonly snapshot?: WireWork & { readonly snapshotId?: string };
  readonly restore?: WireWork & { readonly restoreId?: string };
  readonly privateModelErased?: { readonly erasureId?: string };
  readonly snapshotDeleted?: { readonly deletionId?: string };
}

interface WireWork {
  readonly epoch?: number;
  readonly seq?: number;
}

function workOf({ syncJob, snapshot, restore }: WireEvent): JournaledJob | undefined {
  return (
    journaled('sync_job', syncJob?.jobId, syncJob) ??
    journaled('snapshot', snapshot?.snapshotId, snapshot) ??
    journaled('restore', restore?.restoreId, restore)
  );
}

function journaled(
  kind: WorkKind,
  jobId: string | undefined,
  { epoch = 0, seq: lastSeq = 0, ...event }: WireWork = {},
): JournaledJob | undefined {
  if (jobId === undefined) return undefined;
  return { kind, jobId, epoch, lastSeq, ended: ENDS.some((end) => end in event) };
}

const REMEMBERED_ENDED_JOBS = 200;

/** Events that are the last of a job, a snapshot's making or a restore. */
const ENDS = ['completed', 'predicted', 'ready', 'failed'];
