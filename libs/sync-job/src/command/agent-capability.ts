import type { SyncJobCommand } from './sync-job-command.js';

/**
 * The options of a job that agents of earlier versions ignore. The names are those of AgentCapability in
 * proto/understudy/v1/event.proto.
 */
export const AGENT_CAPABILITIES = ['unlisted_tables', 'refresh_materialized_views', 'source_code'] as const;
export type AgentCapability = (typeof AGENT_CAPABILITIES)[number];

/** The options of a job. */
export type JobOptions = Pick<
  SyncJobCommand,
  'unlistedTables' | 'ignoredTables' | 'refreshMaterializedViews' | 'sourceCode'
>;

/** Returns the options that an agent must know to run a job with these options. */
export function neededCapabilities(options: JobOptions): readonly AgentCapability[] {
  const { unlistedTables = 'ignore', refreshMaterializedViews = false, sourceCode } = options;
  return [
    ...(unlistedTables === 'ignore' ? [] : (['unlisted_tables'] as const)),
    ...(refreshMaterializedViews ? (['refresh_materialized_views'] as const) : []),
    ...(sourceCode === undefined ? [] : (['source_code'] as const)),
  ];
}
