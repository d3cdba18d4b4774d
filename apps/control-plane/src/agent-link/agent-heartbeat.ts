/** What an agent says of itself every 2 s, after protobuf. */
export interface AgentHeartbeat {
  /** `major.minor.patch` */
  readonly version: string;
  readonly leases: readonly LeaseRef[];
  readonly freeSlots: number;
  /** Where it keeps snapshots, as 32 lower-case hex digits; absent from one that keeps none. */
  readonly snapshotStore?: string;
}

/** What a heartbeat's leases have become. */
export interface LeaseNews {
  /** No longer the agent's. */
  readonly lostLeases: readonly LeaseRef[];
  /** The agent's still, to be ended as cancelled. */
  readonly cancelledLeases: readonly LeaseRef[];
}

export interface LeaseRef {
  /** Of a sync job, of a snapshot that is made, of a restore. */
  readonly jobId: string;
  readonly epoch: number;
}
