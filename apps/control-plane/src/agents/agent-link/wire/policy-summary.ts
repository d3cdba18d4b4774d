import {
  enumName,
  SslMode,
  type PolicySummary as WireSummary,
  type RoleCounts as WireRoleCounts,
} from '@understudy/contract';

import type { PolicySummary, RoleCounts } from '../messages/agent-heartbeat.js';

/** Decodes the summary of an agent's policy. Reduces counts and limits to the largest that a policy can have. */
export function decodePolicySummary(wire: WireSummary): PolicySummary {
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
  };
}

function roleCounts(counts: WireRoleCounts | undefined): RoleCounts {
  const { total = 0, source = 0, target = 0, snapshot = 0, restore = 0 } = counts ?? {};
  const most = Math.min(total, MAX_ENTRIES);
  return {
    total: most,
    source: Math.min(source, most),
    target: Math.min(target, most),
    snapshot: Math.min(snapshot, most),
    restore: Math.min(restore, most),
  };
}

/** The largest number of entries in a list of the policy that the control plane shows. */
const MAX_ENTRIES = 1_000_000;
const MAX_VALUES_FLOOR = 1_000_000;
const MAX_HOURS = 365 * 24;
