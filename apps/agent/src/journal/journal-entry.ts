/** What is done under a lease. */
export type WorkKind = 'sync_job' | 'snapshot' | 'restore';

/** A job as the journal knows it: what was accepted, how far its events are numbered, whether its last one is written. */
export interface JournaledJob {
  /** Absent in journals of older agents, which knew one kind. */
  readonly kind?: WorkKind;
  /** Or the id of the snapshot that is made, or of the restore. */
  readonly jobId: string;
  readonly epoch: number;
  readonly lastSeq: number;
  readonly ended: boolean;
}

/** One line of a segment. */
export type JournalLine =
  /** First line of each segment: what would be lost with the segments before it. */
  | {
      readonly kind: 'segment';
      readonly at: string;
      readonly next_journal_seq: number;
      readonly jobs: readonly JournaledJob[];
    }
  /** A message that left, or was about to: its bytes, and what they say. */
  | OutgoingLine
  /** Not outgoing: the control plane has committed these events. */
  | { readonly kind: 'acknowledged'; readonly at: string; readonly journal_seqs: readonly number[] };

export interface OutgoingLine {
  readonly kind: 'event' | 'heartbeat' | 'answer';
  readonly at: string;
  readonly subject: string;
  /** Events only. */
  readonly journal_seq?: number;
  readonly message: unknown;
  readonly bytes: string;
}

/** An event in the form delivery needs. */
export interface JournaledEvent {
  readonly journalSeq: number;
  /** As in EventContent; events about one thing leave one after another. */
  readonly about: string;
  readonly subject: string;
  readonly bytes: Uint8Array;
}
