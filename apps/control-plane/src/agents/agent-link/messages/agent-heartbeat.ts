import type { AgentCapability } from '@understudy/sync-job';

/** A decoded heartbeat: the state that an agent reports every 2 s. */
export interface AgentHeartbeat {
  /** `major.minor.patch` */
  readonly version: string;
  readonly leases: readonly ReportedLease[];
  readonly freeSlots: number;
  /** Fingerprint of the agent's snapshot store (32 lower-case hex digits); absent if the agent has no store. */
  readonly snapshotStore?: string;
  /** Absent if the agent accepts no new work. */
  readonly offer?: AgentOffer;
}

/** The work that an agent can accept. Fingerprints are 32 lower-case hex digits. */
export interface AgentOffer {
  readonly labels: readonly string[];
  readonly maskingKey: string;
  /**
   * Fingerprint of the policy for each database that the agent can open. The key is `agent:<name>`, or `url` for
   * all databases that are named by URL.
   */
  readonly policies: Readonly<Record<string, string>>;
  /** The number of jobs that the agent runs concurrently. Older agents do not report it. */
  readonly slots?: number;
  /** Older agents do not report it. */
  readonly snapshotStoreKind?: 'folder' | 'bucket';
  /** Older agents do not report it. */
  readonly policy?: PolicySummary;
  /** The options of sync jobs that the agent applies. Older agents do not report it. */
  readonly capabilities?: readonly AgentCapability[];
}

/**
 * The counts, limits and choices of an agent's policy. The control plane only shows them. The agent enforces its
 * policy itself.
 */
export interface PolicySummary {
  readonly databases: RoleCounts;
  readonly urls: RoleCounts;
  /** Null for a mode that this version does not know. */
  readonly minSslmode: 'require' | 'verify_ca' | 'verify_full' | null;
  readonly allowPlaintext: boolean;
  /** The number of patterns. */
  readonly neverPreserve: number;
  readonly protectText: boolean;
  /** The number of patterns. */
  readonly mayPreserve: number;
  readonly rejectUnlisted: boolean;
  readonly allowWhere: boolean;
  /** Null if the agent's version does not know this rule; so for the next one. */
  readonly allowSourceCode: boolean | null;
  readonly allowSuperuserTarget: boolean | null;
  readonly allowTraining: boolean;
  readonly minValuesFloor: number;
  readonly snapshotMinAgeHours: number;
  readonly keepReplacedHours: number;
  readonly reportNames: boolean;
  readonly allowSharedSchemas: boolean;
}

/** The number of entries of a list in the policy, and the number of those that allow each role. */
export interface RoleCounts {
  readonly total: number;
  readonly source: number;
  readonly target: number;
  readonly snapshot: number;
  readonly restore: number;
}

/** The key in {@link AgentOffer.policies} for databases that are named by URL. */
export const BY_URL = 'url';

/** The key in {@link AgentOffer.policies} for a database that is named in the agent's policy. */
export function byName(name: string): string {
  return `${NAMED}${name}`;
}

/** Returns the database name in a key of {@link AgentOffer.policies}. @returns undefined for the key {@link BY_URL} */
export function nameOf(key: string): string | undefined {
  return key.startsWith(NAMED) ? key.slice(NAMED.length) : undefined;
}

const NAMED = 'agent:';

/** Changes to the leases that a heartbeat lists. */
export interface LeaseUpdates {
  /** Leases that the agent no longer holds. */
  readonly lostLeases: readonly LeaseRef[];
  /** Leases that the agent still holds, and whose work it must cancel. */
  readonly cancelledLeases: readonly LeaseRef[];
  /** True if the agent is revoked. It then stops all work, and the lists have no effect. */
  readonly revoked: boolean;
}

/** A lease that an agent holds according to its heartbeat. */
export interface ReportedLease extends LeaseRef {
  /** The time for which the agent has held a PostgreSQL snapshot of the source; absent if it holds none. */
  readonly snapshotAgeSeconds?: number;
}

export interface LeaseRef {
  /** The id of a sync job, a snapshot or a restore. */
  readonly jobId: string;
  readonly epoch: number;
}
