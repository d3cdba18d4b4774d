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

/** The leases that a heartbeat reply reports as changed. */
export interface LeaseUpdates {
  readonly lost: readonly Lease[];
  /** Leases that the agent still has, and whose work it must end as cancelled. */
  readonly cancelled: readonly Lease[];
  /** True if the control plane has revoked the agent. The other fields then have no effect. */
  readonly revoked: boolean;
}

/** An event of work under a lease, before it is encoded. */
export interface NumberedEvent<Body> {
  readonly lease: Lease;
  /** Counts 1, 2, 3 … within the lease. */
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body: Body;
}
