import { selectorOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import type { AgentDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import type { JobOptions } from '@understudy/sync-job';

import type { JobSubset, JobTable } from '../sync-job.js';
import type { SyncJobEntity } from '../sync-job.entity.js';
import type { SyncJobDefinitionResponse } from './sync-job-definition-response.js';
import { withholdLiterals, type Withheld } from './withhold-literals.js';

export type DefinedJob = Pick<
  SyncJobEntity,
  'name' | 'source' | 'target' | 'requires' | 'definition' | 'seed' | 'referenceInstant'
>;

/**
 * Returns the request of a job as it was accepted, with the values that the control plane chose. Pure. It does
 * not contain connection URLs, conditions and literals that can be values of rows. Each of them is null in the
 * definition, and its path is in `withheld`. The API refuses each such null, so an incomplete definition cannot
 * be posted.
 */
export function toSyncJobDefinition(job: DefinedJob): SyncJobDefinitionResponse {
  const { unlistedColumns, dryRun = false, ...options } = job.definition;
  const source = toDatabase(job.source, 'source');
  const target = toDatabase(job.target, 'target');
  const tables = job.definition.tables.map((table, index) => toTable(table, `tables[${index}]`));
  const agent = selectorOf(job.requires);
  return {
    definition: {
      name: job.name,
      source: source.shown,
      target: target.shown,
      ...(agent ? { agent: toSelector(agent) } : {}),
      tables: tables.map(({ shown }) => shown),
      unlisted_columns: unlistedColumns,
      ...toOptions(options),
      dry_run: dryRun,
      seed: job.seed,
      now: job.referenceInstant.toISOString(),
    },
    withheld: [source, target, ...tables].flatMap(({ withheld }) => withheld),
  };
}

function toDatabase(database: AgentDatabase, path: string) {
  const isUrl = database.kind === 'sealed';
  return {
    shown: { type: 'postgresql' as const, connection_string: isUrl ? null : `agent:${database.name}` },
    withheld: isUrl ? [`${path}.connection_string`] : [],
  };
}

function toOptions({ unlistedTables, ignoredTables, refreshMaterializedViews, sourceCode }: JobOptions) {
  return {
    ...(unlistedTables === undefined ? {} : { unlisted_tables: unlistedTables }),
    ...(ignoredTables === undefined ? {} : { ignored_tables: ignoredTables }),
    ...(refreshMaterializedViews === undefined
      ? {}
      : { refresh_materialized_views: refreshMaterializedViews }),
    ...(sourceCode === undefined ? {} : { source_code: sourceCode }),
  };
}

function toSelector({ id, name, labels }: NonNullable<ReturnType<typeof selectorOf>>) {
  return {
    ...(id === null ? {} : { id }),
    ...(name === null ? {} : { name }),
    ...(labels.length === 0 ? {} : { labels }),
  };
}

type ShownTable = SyncJobDefinitionResponse['definition']['tables'][number];

function toTable({ name, columns, unlistedColumns, subset }: JobTable, path: string): Withheld<ShownTable> {
  const rules = Object.fromEntries(columns.map(({ name: column, rule }) => [column, rule]));
  const { shown, withheld } = withholdLiterals(rules, `${path}.columns`);
  return {
    shown: {
      name,
      columns: shown,
      ...(unlistedColumns ? { unlisted_columns: unlistedColumns } : {}),
      ...(subset ? { subset: toSubset(subset) } : {}),
    },
    withheld: [...withheld, ...(subset?.where === undefined ? [] : [`${path}.subset.where`])],
  };
}

function toSubset({ where, limit }: JobSubset) {
  return { ...(where === undefined ? {} : { where: null }), ...(limit === undefined ? {} : { limit }) };
}
