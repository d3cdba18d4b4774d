/** The right to work on one attempt of a sync job, snapshot or restore. */
export interface Lease {
  /** The id of the sync job, snapshot or restore. */
  readonly jobId: string;
  readonly epoch: number;
}

/** The leases that a heartbeat reply reports as changed. */
export interface LeaseUpdates {
  readonly lost: readonly Lease[];
  /** Leases that the agent still has, and whose work it must end as cancelled. */
  readonly cancelled: readonly Lease[];
}

/** An event of work under a lease, before it is encoded. */
export interface NumberedEvent<Body> {
  readonly lease: Lease;
  /** Counts 1, 2, 3 … within the lease. */
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: Body;
}
