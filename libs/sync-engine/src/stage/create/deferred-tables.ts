import { type Client, UNMOVABLE_OBJECTS } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';

/** An object that missing tables need, and that the target lacks. */
export interface NeededObject {
  readonly classid: string;
  readonly oid: string;
  readonly type: string;
  readonly names: readonly string[];
}

/** The missing tables that cannot be created before the switch, and the needed objects that can be. */
export interface DeferredTables {
  readonly plans: ReadonlySet<TablePlan>;
  readonly isEarly: (object: NeededObject) => boolean;
}

export interface DeferredTablesRequest {
  readonly source: Client;
  readonly target: Client;
  readonly missing: readonly TablePlan[];
  readonly needed: readonly NeededObject[];
  /** The indexes of tables that must be deferred for another reason. */
  readonly deferring: ReadonlySet<number>;
  /** Returns all objects that the definitions of the plans' tables need. */
  readonly closureOf: (plans: readonly TablePlan[]) => Promise<readonly { classid: string; oid: string }[]>;
}

/**
 * Finds the missing tables that need an object which cannot be created in a hidden schema. Examples of such objects are
 * a range type, and an extension that the role can create but not move. Adds the tables in `deferring`. The switch creates
 * these tables. Until then, their rows are staged as text.
 */
export async function findDeferredTables(request: DeferredTablesRequest): Promise<DeferredTables> {
  const { missing, needed, deferring, closureOf } = request;
  const unmovable = new Set((await unmovableObjects(request)).map(keyOf));
  const plans = new Set(missing.filter(({ index }) => deferring.has(index)));
  if (unmovable.size === 0 && plans.size === 0) return { plans, isEarly: () => true };
  for (const plan of missing.filter((one) => !plans.has(one))) {
    if ((await closureOf([plan])).some((object) => unmovable.has(keyOf(object)))) plans.add(plan);
  }
  const early = missing.filter((plan) => !plans.has(plan));
  const earlyObjects = new Set(early.length === 0 ? [] : (await closureOf(early)).map(keyOf));
  return { plans, isEarly: (object) => earlyObjects.has(keyOf(object)) && needed.includes(object) };
}

async function unmovableObjects({ source, target, needed }: DeferredTablesRequest) {
  // If the job creates a schema, the schema can be hidden as a whole, with all objects in it.
  const createdSchemas = new Set(needed.flatMap(({ type, names }) => (type === 'schema' ? names : [])));
  const { rows } = await source.query<{
    classid: string;
    oid: string;
    schema: string | null;
    relocatable: boolean;
  }>(UNMOVABLE_OBJECTS, [needed.map(({ classid }) => classid), needed.map(({ oid }) => oid)]);
  const unmovable = rows.filter(({ schema }) => schema === null || !createdSchemas.has(schema));
  if (unmovable.length === 0) return [];
  const role = await target.query<{ superuser: boolean }>(
    "SELECT pg_catalog.current_setting('is_superuser')::boolean AS superuser",
  );
  return unmovable.filter(({ relocatable }) => role.rows[0]?.superuser !== true || !relocatable);
}

function keyOf({ classid, oid }: { readonly classid: string; readonly oid: string }): string {
  return `${classid} ${oid}`;
}
