import { Type } from 'typebox';
import type { PolicySummary } from '@understudy/agent-protocol';

import { count, named, nullable, oneOf, type ResponseOf } from '../../platform/http/operations/schemas.js';

const ROLE_COUNTS = named(
  'AgentPolicyEntries',
  {
    total: count('Number of entries.'),
    source: count('Number of entries that jobs may copy from.'),
    target: count('Number of entries that jobs may copy to.'),
    snapshot: count('Number of entries that snapshots may be created from.'),
    restore: count('Number of entries that snapshots may be restored into.'),
    replace: count('Number of entries that jobs may replace as a whole.'),
  },
  { description: "Number of entries in the lists `databases` or `urls` of an agent's policy." },
);

const flag = (description: string) => Type.Boolean({ description });

/** The summary of an agent's policy in API responses. The keys are those of the policy file where it has them. */
export const PolicyResponse = named('AgentPolicy', {
  databases: ROLE_COUNTS,
  urls: ROLE_COUNTS,
  min_sslmode: nullable(
    oneOf(['require', 'verify_ca', 'verify_full'], "The `sslmode` of PostgreSQL's connection strings."),
    'Minimum encryption of connections to other machines. Null if this version of the control plane does not know the value.',
  ),
  allow_plaintext: flag('Whether a connection string may turn encryption off.'),
  never_preserve_count: count('Number of patterns for columns that no job may preserve.'),
  protect_text: flag(
    'Whether no job may preserve a column that can hold text, except columns of `may_preserve`.',
  ),
  may_preserve_count: count('Number of patterns for text columns that jobs may preserve.'),
  reject_unlisted: flag('Whether each table of a job must have `unlisted_columns: "reject"`.'),
  allow_where: flag('Whether a job may select rows with `where`.'),
  allow_training: flag('Whether a job may train private models.'),
  min_values_floor: count('Smallest `min_values` of a rule that trains a model.'),
  snapshot_min_age_hours: count('Age in hours below which the agent does not delete a snapshot.'),
  keep_replaced_hours: count(
    'Time in hours for which a restore with `overwrite` keeps the replaced database.',
  ),
  report_names: flag('Whether reports of the agent may contain names from the catalogs of databases.'),
  allow_shared_schemas: flag(
    'Whether a target may evaluate rows with functions of schemas in which other roles may create objects.',
  ),
  allow_source_code: nullable(
    flag('Whether a job may create functions of the source on a target, and what calls them.'),
    'Null for an agent of an earlier version, which always creates them.',
  ),
  allow_superuser_target: nullable(
    flag('Whether the role of a target may be a superuser.'),
    'Null for an agent of an earlier version, which does not check the role.',
  ),
  allow_security_definer: flag('Whether functions may stay SECURITY DEFINER if a job replaces a database.'),
  allow_large_objects: flag('Whether a job that replaces a database may copy large objects.'),
  allow_foreign_servers: flag(
    'Whether a job that replaces a database may create foreign servers and tables.',
  ),
  allow_end_sessions: flag('Whether a job may end the sessions in a database that it replaces.'),
  max_database_bytes: nullable(
    count('Largest size of a database that a job builds.'),
    'Null without a limit.',
  ),
});
export type PolicyResponse = ResponseOf<typeof PolicyResponse>;

export const POLICY_EXAMPLE: PolicyResponse = {
  databases: { total: 2, source: 1, target: 1, snapshot: 1, restore: 1, replace: 0 },
  urls: { total: 0, source: 0, target: 0, snapshot: 0, restore: 0, replace: 0 },
  min_sslmode: 'verify_full',
  allow_plaintext: false,
  never_preserve_count: 3,
  protect_text: true,
  may_preserve_count: 12,
  reject_unlisted: true,
  allow_where: false,
  allow_training: true,
  min_values_floor: 20,
  snapshot_min_age_hours: 0,
  keep_replaced_hours: 24,
  report_names: true,
  allow_shared_schemas: false,
  allow_source_code: false,
  allow_superuser_target: false,
  allow_security_definer: false,
  allow_large_objects: false,
  allow_foreign_servers: false,
  allow_end_sessions: false,
  max_database_bytes: null,
};

export function toPolicyResponse(policy: PolicySummary): PolicyResponse {
  return {
    databases: policy.databases,
    urls: policy.urls,
    min_sslmode: policy.minSslmode,
    allow_plaintext: policy.allowPlaintext,
    never_preserve_count: policy.neverPreserve,
    protect_text: policy.protectText,
    may_preserve_count: policy.mayPreserve,
    reject_unlisted: policy.rejectUnlisted,
    allow_where: policy.allowWhere,
    allow_training: policy.allowTraining,
    min_values_floor: policy.minValuesFloor,
    snapshot_min_age_hours: policy.snapshotMinAgeHours,
    keep_replaced_hours: policy.keepReplacedHours,
    report_names: policy.reportNames,
    allow_shared_schemas: policy.allowSharedSchemas,
    allow_source_code: policy.allowSourceCode,
    allow_superuser_target: policy.allowSuperuserTarget,
    allow_security_definer: policy.allowSecurityDefiner,
    allow_large_objects: policy.allowLargeObjects,
    allow_foreign_servers: policy.allowForeignServers,
    allow_end_sessions: policy.allowEndSessions,
    max_database_bytes: policy.maxDatabaseBytes,
  };
}
