import { hasExactNumbers, parseExactJson } from '@understudy/expression';

import type { JobOptions } from './job-definition.js';
import type { SyncJobCommand } from './sync-job-command.js';

/**
 * The options of a job that agents of earlier versions ignore, and the numbers that they round. The names are
 * those of AgentCapability in proto/understudy/v1/event.proto.
 */
export const AGENT_CAPABILITIES = [
  'unlisted_tables',
  'refresh_materialized_views',
  'source_code',
  'exact_numbers',
] as const;
export type AgentCapability = (typeof AGENT_CAPABILITIES)[number];

/** Returns what an agent must be able to do to run a job with these options and rules. */
export function neededCapabilities(job: JobOptions & JobRules): readonly AgentCapability[] {
  const { unlistedTables = 'ignore', refreshMaterializedViews = false, sourceCode } = job;
  return [
    ...(unlistedTables === 'ignore' ? [] : (['unlisted_tables'] as const)),
    ...(refreshMaterializedViews ? (['refresh_materialized_views'] as const) : []),
    ...(sourceCode === undefined ? [] : (['source_code'] as const)),
    ...(needsExactNumbers(job) ? (['exact_numbers'] as const) : []),
  ];
}

/** Names capabilities in messages to users. An option has the name of its field in the request. */
export function namesOfCapabilities(capabilities: readonly AgentCapability[] = []): string {
  return capabilities.map((one) => (one === 'exact_numbers' ? EXACT_NUMBERS : one)).join(' and ');
}

const EXACT_NUMBERS = 'numbers that a double would change';

/** The rules of a job. Jobs of earlier versions have no `compositions`. */
type JobRules = Pick<SyncJobCommand, 'tables'> & Partial<Pick<SyncJobCommand, 'compositions'>>;

function needsExactNumbers({ tables, compositions = [] }: JobRules): boolean {
  return (
    tables.some(({ columns }) => columns.some(({ rule }) => hasExactNumbers(rule))) ||
    compositions.some(({ definitionJson }) => hasExactNumbers(parseExactJson(definitionJson)))
  );
}
