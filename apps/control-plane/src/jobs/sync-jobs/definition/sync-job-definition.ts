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
 * Returns the request of a job as it was accepted, with the values that the control plane chose. Pure. The value of
 * a connection URL is null, because it is sealed to agents. All conditions and literals are in it, so do not show it.
 */
export function toStoredRequest(job: DefinedJob) {
  const request = toRequest(job.definition);
  const agent = selectorOf(job.requires);
  return {
    name: job.name,
    source: toDatabase(job.source),
    target: toDatabase(job.target),
    ...(agent ? { agent: toSelector(agent) } : {}),
    ...request,
    dry_run: request.dry_run ?? false,
    seed: job.seed,
    now: job.referenceInstant.toISOString(),
  };
}

/**
 * Returns {@link toStoredRequest} without conditions and literals that can be values of rows. Pure. Each withheld part
 * is null in the definition, and its path is in `withheld`. The API refuses each such null, so an incomplete
 * definition cannot be posted.
 */
export function toSyncJobDefinition(job: DefinedJob): SyncJobDefinitionResponse {
  const request = toStoredRequest(job);
  const tables = request.tables.map((table, index) => toTable(table, `tables[${index}]`));
  const urls = (['source', 'target'] as const).filter((side) => request[side].connection_string === null);
  return {
    definition: { ...request, tables: tables.map(({ shown }) => shown) },
    withheld: [
      ...urls.map((side) => `${side}.connection_string`),
      ...tables.flatMap(({ withheld }) => withheld),
    ],
  };
}

function toDatabase(database: AgentDatabase) {
  const name = database.kind === 'sealed' ? null : `agent:${database.name}`;
  return { type: 'postgresql' as const, connection_string: name };
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
