import type { PolicySummary, RoleCounts } from '@understudy/agent-protocol';
import { DATABASE_ROLES, type DatabaseRole, type SslMode } from '@understudy/postgres';

import type { PolicyRules } from './policy-document.js';

/**
 * Returns the counts, limits and choices of a policy, which the control plane shows to its organisation. They
 * contain no pattern, host, role, column or database name.
 */
export function policySummary(rules: PolicyRules): PolicySummary {
  const { encryption, columns, training, snapshots } = rules;
  return {
    databases: countRoles([...rules.databases.values()]),
    urls: countRoles(rules.urls),
    minSslmode: SSL_MODES[encryption.minSslMode],
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
    allowSecurityDefiner: rules.allowSecurityDefiner,
    allowLargeObjects: rules.allowLargeObjects,
    allowForeignServers: rules.allowForeignServers,
    allowEndSessions: rules.allowEndSessions,
    maxDatabaseBytes: rules.maxDatabaseBytes ?? null,
  };
}

function countRoles(entries: readonly { readonly roles: ReadonlySet<DatabaseRole> }[]): RoleCounts {
  const count = (role: DatabaseRole) => entries.filter(({ roles }) => roles.has(role)).length;
  const counts = DATABASE_ROLES.map((role) => [role, count(role)] as const);
  return { total: entries.length, ...(Object.fromEntries(counts) as Record<DatabaseRole, number>) };
}

const SSL_MODES = {
  require: 'require',
  'verify-ca': 'verify_ca',
  'verify-full': 'verify_full',
} as const satisfies Readonly<Record<SslMode, PolicySummary['minSslmode']>>;
