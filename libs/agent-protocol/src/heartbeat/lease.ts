/** The right to work on one attempt of a sync job, snapshot or restore. */
export interface Lease {
  /** The id of the sync job, snapshot or restore. */
  readonly jobId: string;
  readonly epoch: number;
}

/** A lease as a command grants it. */
export interface GrantedLease extends Lease {
  /**
   * How much longer than usual the agent may hold the lease without a reply, from the first reply on. The
   * control plane gives the work to no other agent during this time.
   */
  readonly graceSeconds: number;
}

/** A lease that an agent holds according to its heartbeat. */
export interface ReportedLease extends Lease {
  /** The time for which the agent has held a PostgreSQL snapshot of the source; absent if it holds none. */
  readonly snapshotAgeSeconds?: number;
}
