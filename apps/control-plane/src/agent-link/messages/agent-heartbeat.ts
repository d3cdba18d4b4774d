/** What an agent says of itself every 2 s, after protobuf. */
export interface AgentHeartbeat {
  /** `major.minor.patch` */
  readonly version: string;
  readonly leases: readonly LeaseRef[];
  readonly freeSlots: number;
  /** Where it keeps snapshots, as 32 lower-case hex digits; absent from one that keeps none. */
  readonly snapshotStore?: string;
  /** Absent from an agent that takes no new work. */
  readonly offer?: AgentOffer;
}

/** What work an agent can take. Fingerprints are 32 lower-case hex digits. */
export interface AgentOffer {
  readonly labels: readonly string[];
  readonly maskingKey: string;
  /** What it can open (`agent:<name>`, or `url` for databases named by URL) → the fingerprint of the policy for it. */
  readonly policies: Readonly<Record<string, string>>;
}

/** The key in {@link AgentOffer.policies} for databases that are named by URL. */
export const BY_URL = 'url';

/** The key in {@link AgentOffer.policies} for a database that is named in the agent's policy. */
export function byName(name: string): string {
  return `${NAMED}${name}`;
}

/** @returns undefined for a key of anything else */
export function nameOf(key: string): string | undefined {
  return key.startsWith(NAMED) ? key.slice(NAMED.length) : undefined;
}

const NAMED = 'agent:';

/** What a heartbeat's leases have become. */
export interface LeaseUpdates {
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
