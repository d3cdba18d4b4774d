import {
  enumName,
  enumValue,
  SslMode,
  type EnumName,
  type PolicySummary as WireSummary,
  type RoleCounts as WireRoleCounts,
} from '../schema/index.js';
import { defined } from '../wire-values.js';

/**
 * The counts, limits and choices of an agent's policy, which the control plane only shows to its organisation. They
 * contain no pattern, host, role, column or database name. The agent enforces its policy itself.
 */
export interface PolicySummary {
  readonly databases: RoleCounts;
  readonly urls: RoleCounts;
  /** Null for a mode that this version does not know. */
  readonly minSslmode: EnumName<typeof SslMode> | null;
  readonly allowPlaintext: boolean;
  /** The number of patterns. */
  readonly neverPreserve: number;
  readonly protectText: boolean;
  /** The number of patterns; 0 without `protect`. */
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
  readonly allowSecurityDefiner: boolean;
  readonly allowLargeObjects: boolean;
  readonly allowForeignServers: boolean;
  readonly allowEndSessions: boolean;
  /** Null without a limit. */
  readonly maxDatabaseBytes: number | null;
}

/** The number of entries of a list in the policy, and the number of those that allow each role. */
export interface RoleCounts {
  readonly total: number;
  readonly source: number;
  readonly target: number;
  readonly snapshot: number;
  readonly restore: number;
  readonly replace: number;
}

export function wirePolicySummary({
  allowSourceCode,
  allowSuperuserTarget,
  maxDatabaseBytes,
  ...summary
}: PolicySummary) {
  return {
    ...summary,
    minSslmode: enumValue(SslMode, summary.minSslmode ?? undefined),
    ...defined({
      allowSourceCode: allowSourceCode ?? undefined,
      allowSuperuserTarget: allowSuperuserTarget ?? undefined,
      maxDatabaseBytes: maxDatabaseBytes === null ? undefined : BigInt(maxDatabaseBytes),
    }),
  };
}

/** Decodes the summary of an agent's policy. Reduces counts and limits to the largest that a policy can have. */
export function policySummary(wire: WireSummary): PolicySummary {
  return {
    databases: roleCounts(wire.databases),
    urls: roleCounts(wire.urls),
    minSslmode: enumName(SslMode, wire.minSslmode) ?? null,
    allowPlaintext: wire.allowPlaintext,
    neverPreserve: Math.min(wire.neverPreserve, MAX_ENTRIES),
    protectText: wire.protectText,
    mayPreserve: Math.min(wire.mayPreserve, MAX_ENTRIES),
    rejectUnlisted: wire.rejectUnlisted,
    allowWhere: wire.allowWhere,
    allowTraining: wire.allowTraining,
    minValuesFloor: Math.min(wire.minValuesFloor, MAX_VALUES_FLOOR),
    snapshotMinAgeHours: Math.min(wire.snapshotMinAgeHours, MAX_HOURS),
    keepReplacedHours: Math.min(wire.keepReplacedHours, MAX_HOURS),
    reportNames: wire.reportNames,
    allowSharedSchemas: wire.allowSharedSchemas,
    allowSourceCode: wire.allowSourceCode ?? null,
    allowSuperuserTarget: wire.allowSuperuserTarget ?? null,
    allowSecurityDefiner: wire.allowSecurityDefiner,
    allowLargeObjects: wire.allowLargeObjects,
    allowForeignServers: wire.allowForeignServers,
    allowEndSessions: wire.allowEndSessions,
    maxDatabaseBytes:
      wire.maxDatabaseBytes === undefined
        ? null
        : Math.min(Number(wire.maxDatabaseBytes), Number.MAX_SAFE_INTEGER),
  };
}

function roleCounts(counts: WireRoleCounts | undefined): RoleCounts {
  const { total = 0, source = 0, target = 0, snapshot = 0, restore = 0, replace = 0 } = counts ?? {};
  const most = Math.min(total, MAX_ENTRIES);
  return {
    total: most,
    source: Math.min(source, most),
    target: Math.min(target, most),
    snapshot: Math.min(snapshot, most),
    restore: Math.min(restore, most),
    replace: Math.min(replace, most),
  };
}

/** The largest number of entries in a list of the policy that the control plane shows. */
const MAX_ENTRIES = 1_000_000;
const MAX_VALUES_FLOOR = 1_000_000;
const MAX_HOURS = 365 * 24;
