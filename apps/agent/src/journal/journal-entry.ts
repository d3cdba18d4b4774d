/** The kinds of work that an agent does under a lease. */
export type WorkKind = 'sync_job' | 'snapshot' | 'restore';

/** The state of a sync job, snapshot or restore according to the journal. */
export interface JournaledJob {
  /** Absent in journals of older agents, which supported only sync jobs. */
  readonly kind?: WorkKind;
  /** The id of the sync job, snapshot or restore. */
  readonly jobId: string;
  readonly epoch: number;
  /** Number, within the job, of the latest event in the journal. */
  readonly lastSeq: number;
  /** Whether the journal contains the event that ends the job. */
  readonly ended: boolean;
}

/** One line of a segment. */
export type JournalLine =
  /** First line of each segment. Repeats the state that would be lost if earlier segments are deleted. */
  | {
      readonly kind: 'segment';
      readonly at: string;
      readonly next_journal_seq: number;
      readonly jobs: readonly JournaledJob[];
    }
  /** A message that was sent or was about to be sent. */
  | OutgoingLine
  /** An incoming acknowledgement: the control plane has committed these events. */
  | { readonly kind: 'acknowledged'; readonly at: string; readonly journal_seqs: readonly number[] };

/** A line for one message to the control plane. */
export interface OutgoingLine {
  readonly kind: 'event' | 'heartbeat' | 'answer';
  readonly at: string;
  readonly subject: string;
  /** Present only for events. */
  readonly journal_seq?: number;
  /** The content of `bytes` as JSON. */
  readonly message: unknown;
  /** The sent bytes in base64. */
  readonly bytes: string;
}

/** An event with the fields that its delivery needs. */
export interface JournaledEvent {
  readonly journalSeq: number;
  /**
   * The id of the job or other object that the event is about. Events with the same id are sent one after
   * another.
   */
  readonly about: string;
  readonly bytes: Uint8Array;
}
