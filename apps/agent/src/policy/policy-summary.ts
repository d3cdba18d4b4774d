import { DATABASE_ROLES, type DatabaseRole, type SslMode } from '@understudy/postgres';

import type { PolicyRules } from './policy-document.js';

/**
 * The counts, limits and choices of a policy, which the control plane shows to its organisation. They contain
 * no pattern, host, role, column or database name.
 */
export interface PolicySummary {
  readonly databases: RoleCounts;
  readonly urls: RoleCounts;
  readonly minSslmode: SslMode;
  readonly allowPlaintext: boolean;
  /** The number of patterns. */
  readonly neverPreserve: number;
  readonly protectText: boolean;
  /** The number of patterns; 0 without `protect`. */
  readonly mayPreserve: number;
  readonly rejectUnlisted: boolean;
  readonly allowWhere: boolean;
  readonly allowTraining: boolean;
  readonly minValuesFloor: number;
  readonly snapshotMinAgeHours: number;
  readonly keepReplacedHours: number;
  readonly reportNames: boolean;
  readonly allowSharedSchemas: boolean;
  readonly allowSourceCode: boolean;
  readonly allowSuperuserTarget: boolean;
}

/** The number of entries of a list, and the number of those that allow each role. */
export type RoleCounts = Readonly<Record<'total' | DatabaseRole, number>>;

export function policySummary(rules: PolicyRules): PolicySummary {
  const { encryption, columns, training, snapshots } = rules;
  return {
    databases: countRoles([...rules.databases.values()]),
    urls: countRoles(rules.urls),
    minSslmode: encryption.minSslMode,
    allowPlaintext: encryption.allowPlaintext,
    neverPreserve: columns.neverPreserve.length,
    protectText: columns.protectsTextBut !== undefined,
    mayPreserve: columns.protectsTextBut?.length ?? 0,
    rejectUnlisted: rules.rejectsUnlisted,
    allowWhere: rules.allowWhere,
    allowTraining: training.isAllowed,
    minValuesFloor: training.minValuesFloor,
    snapshotMinAgeHours: snapshots.minAgeHours,
    keepReplacedHours: rules.keepReplacedHours,
    reportNames: rules.reportNames,
    allowSharedSchemas: rules.allowSharedSchemas,
    allowSourceCode: rules.allowSourceCode,
    allowSuperuserTarget: rules.allowSuperuserTarget,
  };
}

function countRoles(entries: readonly { readonly roles: ReadonlySet<DatabaseRole> }[]): RoleCounts {
  const count = (role: DatabaseRole) => entries.filter(({ roles }) => roles.has(role)).length;
  const counts = DATABASE_ROLES.map((role) => [role, count(role)] as const);
  return { total: entries.length, ...(Object.fromEntries(counts) as Record<DatabaseRole, number>) };
}
