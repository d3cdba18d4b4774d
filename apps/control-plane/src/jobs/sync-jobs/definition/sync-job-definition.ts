import { selectorOf } from '../../../agents/agent-work/choice/agent-requirement.js';
import type { AgentDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import { toRequest } from '@understudy/sync-job';

import type { JobDefinition } from '../sync-job.js';
import type { SyncJobEntity } from '../sync-job.entity.js';
import type { SyncJobDefinitionResponse } from './sync-job-definition-response.js';
import { withholdLiterals, type Withheld } from './withhold-literals.js';

export interface DefinedJob extends Pick<
  SyncJobEntity,
  'name' | 'source' | 'target' | 'requires' | 'seed' | 'referenceInstant'
> {
  readonly definition: JobDefinition;
}

/**
 * Returns the request of a job as it was accepted, with the values that the control plane chose. Pure. It does
 * not contain connection URLs, conditions and literals that can be values of rows. Each of them is null in the
 * definition, and its path is in `withheld`. The API refuses each such null, so an incomplete definition cannot
 * be posted.
 */
export function toSyncJobDefinition(job: DefinedJob): SyncJobDefinitionResponse {
  const request = toRequest(job.definition);
  const source = toDatabase(job.source, 'source');
  const target = toDatabase(job.target, 'target');
  const tables = request.tables.map((table, index) => toTable(table, `tables[${index}]`));
  const agent = selectorOf(job.requires);
  return {
    definition: {
      name: job.name,
      source: source.shown,
      target: target.shown,
      ...(agent ? { agent: toSelector(agent) } : {}),
      ...request,
      tables: tables.map(({ shown }) => shown),
      dry_run: request.dry_run ?? false,
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

function toSelector({ id, name, labels }: NonNullable<ReturnType<typeof selectorOf>>) {
  return {
    ...(id === null ? {} : { id }),
    ...(name === null ? {} : { name }),
    ...(labels.length === 0 ? {} : { labels }),
  };
}

type ShownTable = SyncJobDefinitionResponse['definition']['tables'][number];

type RequestedTable = ReturnType<typeof toRequest>['tables'][number];

function toTable({ name, columns, subset, ...options }: RequestedTable, path: string): Withheld<ShownTable> {
  const { shown, withheld } = withholdLiterals(columns, `${path}.columns`);
  const { where, ...limit } = subset ?? {};
  const condition = where === undefined ? {} : { where: null };
  return {
    shown: { name, columns: shown, ...options, ...(subset ? { subset: { ...condition, ...limit } } : {}) },
    withheld: [...withheld, ...(where === undefined ? [] : [`${path}.subset.where`])],
  };
}
