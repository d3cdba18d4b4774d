import {
  type Client,
  DEFINITION_CLOSURE,
  findObjects,
  FUNCTIONS_EVALUATED,
  type ObjectAddress,
  RELATIONS_OF_POLICIES,
  sqlNames,
  untrustedObjects,
  type UntrustedObject,
} from '@understudy/postgres';
import { defined, type NamedObjectKind, SyncJobError, type SyncProblem } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../table-plan.js';

export interface ObjectTrustRequest {
  readonly plans: readonly Pick<TablePlan, 'index' | 'source' | 'target' | 'omitted'>[];
  readonly source: LocatedClient;
  /** A client that is not in a transaction. */
  readonly target: LocatedClient;
}

/**
 * Finds objects of the target that another role could have planted, and that missing tables would use. In the same way,
 * finds functions that existing tables call when rows are written. Reads catalogs only.
 * @returns a problem for each object and a cause for a log; undefined if there is no such object
 */
export async function findUntrusted(
  request: ObjectTrustRequest,
): Promise<{ readonly problems: readonly SyncProblem[]; readonly cause: Error } | undefined> {
  const { target } = request;
  const missing = request.plans.filter((plan) => plan.target === undefined);
  const needed = missing.length === 0 ? [] : await neededBy(missing, request);
  const existing = new Map(request.plans.map((plan) => [plan.target?.oid, plan.index]));
  existing.delete(undefined);
  const { found, called } = await readUntrusted(target, needed, [...existing.keys()]);
  if (found.length + called.length === 0) return undefined;
  const tables = new Map<string, number>();
  for (const plan of found.length === 0 ? [] : missing) {
    for (const row of await neededBy([plan], request))
      if (!tables.has(keyOf(row))) tables.set(keyOf(row), plan.index);
  }
  const ofMissing = problemsOf(found, (row) => tables.get(keyOf(row)));
  const ofExisting = problemsOf(called, ({ oid }) => existing.get(oid));
  return {
    problems: [...ofMissing.problems, ...ofExisting.problems],
    cause: found.length > 0 ? ofMissing.cause : ofExisting.cause,
  };
}

/** Finds the untrusted ones among the needed objects, and among the functions that the tables with these oids call. */
async function readUntrusted(
  target: LocatedClient,
  needed: readonly ClosureRow[],
  existing: readonly (string | undefined)[],
) {
  await target.query('BEGIN READ ONLY');
  try {
    const { rows } = await target.query<ObjectAddress & { readonly oid: string }>(FUNCTIONS_EVALUATED, [
      existing,
    ]);
    return {
      found: await untrustedObjects(target, [...(await findObjects(target, needed))]),
      called: await untrustedObjects(target, rows),
    };
  } finally {
    await target.query('ROLLBACK');
  }
}

async function neededBy(
  plans: ObjectTrustRequest['plans'],
  { source }: ObjectTrustRequest,
): Promise<readonly ClosureRow[]> {
  const omitted = plans.flatMap((plan) => (plan.omitted ?? []).map(({ object }) => object.address));
  const oids = plans.map((plan) => plan.source.oid);
  const { rows: objects } = await source.query<ClosureRow>(DEFINITION_CLOSURE, [oids, omitted]);
  const { rows: read } = await source.query<ClosureRow>(RELATIONS_OF_POLICIES, [oids, omitted]);
  return [...objects.filter((row) => !row.is_part), ...read];
}

function keyOf({ classid, oid }: ClosureRow): string {
  return `${classid} ${oid}`;
}

/**
 * Refuses a job that would use objects that another role could have planted, also after the preflight.
 * @param objects objects that the target has
 * @param target a client in a transaction
 * @throws SyncJobError object_untrusted
 */
export async function requireTrusted(target: Client, objects: readonly ObjectAddress[]): Promise<void> {
  const found = await untrustedObjects(target, objects);
  const { problems: [first, ...others] = [], cause } = problemsOf(found, () => undefined);
  if (first === undefined) return;
  const problems = [first, ...others];
  throw new SyncJobError({ ...first, problems, problemCount: problems.length }, { cause });
}

function problemsOf<T>(
  found: readonly UntrustedObject<T>[],
  tableIndexOf: (object: T) => number | undefined,
): { readonly problems: readonly SyncProblem[]; readonly cause: Error } {
  return {
    problems: found.map(({ object, catalog, schema, name }) => {
      const location = defined({ tableIndex: tableIndexOf(object) });
      const named = { kind: KINDS[catalog] ?? 'other', ...sqlNames({ schema, name }) };
      return { code: 'object_untrusted', side: 'target', ...location, object: named };
    }),
    cause: new Error(`objects of other roles on the target: ${found.map(({ text }) => text).join(', ')}`),
  };
}

const KINDS: Readonly<Record<string, NamedObjectKind>> = {
  pg_type: 'type',
  pg_proc: 'function',
  pg_operator: 'operator',
  pg_opclass: 'operator_class',
  pg_collation: 'collation',
  pg_class: 'relation',
};

interface ClosureRow extends ObjectAddress {
  readonly classid: string;
  readonly oid: string;
  readonly is_part: boolean;
}
