import { type Client, UNMOVABLE_OBJECTS } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';

/** An object of the source that the target lacks. */
export interface NeededObject {
  readonly classid: string;
  readonly oid: string;
  readonly type: string;
  readonly names: readonly string[];
}

/** Tables that cannot exist before the switch, and what only they need. */
export interface LateTables {
  readonly plans: ReadonlySet<TablePlan>;
  readonly isEarly: (object: NeededObject) => boolean;
}

export interface LateTablesRequest {
  readonly source: Client;
  readonly target: Client;
  readonly missing: readonly TablePlan[];
  readonly needed: readonly NeededObject[];
  /** Everything that the definition of some plans is made of. */
  readonly closureOf: (plans: readonly TablePlan[]) => Promise<readonly { classid: string; oid: string }[]>;
}

/**
 * Finds the tables that need something which cannot be made out of sight: an extension that the role can make and not move, a range type.
 * They are made in the switch, and their rows wait as text.
 */
export async function lateTables(request: LateTablesRequest): Promise<LateTables> {
  const { missing, needed, closureOf } = request;
  const unmovable = new Set((await unmovableObjects(request)).map(keyOf));
  const plans = new Set<TablePlan>();
  if (unmovable.size === 0) return { plans, isEarly: () => true };
  for (const plan of missing) {
    if ((await closureOf([plan])).some((object) => unmovable.has(keyOf(object)))) plans.add(plan);
  }
  const early = missing.filter((plan) => !plans.has(plan));
  const earlyObjects = new Set(early.length === 0 ? [] : (await closureOf(early)).map(keyOf));
  return { plans, isEarly: (object) => earlyObjects.has(keyOf(object)) && needed.includes(object) };
}

async function unmovableObjects({ source, target, needed }: LateTablesRequest) {
  // A schema that is made as well takes everything with it.
  const made = new Set(needed.flatMap(({ type, names }) => (type === 'schema' ? names : [])));
  const { rows } = await source.query<{
    classid: string;
    oid: string;
    schema: string | null;
    relocatable: boolean;
  }>(UNMOVABLE_OBJECTS, [needed.map(({ classid }) => classid), needed.map(({ oid }) => oid)]);
  const hidden = rows.filter(({ schema }) => schema === null || !made.has(schema));
  if (hidden.length === 0) return [];
  const asked = await target.query<{ superuser: boolean }>(
    "SELECT pg_catalog.current_setting('is_superuser')::boolean AS superuser",
  );
  return hidden.filter(({ relocatable }) => asked.rows[0]?.superuser !== true || !relocatable);
}

function keyOf({ classid, oid }: { readonly classid: string; readonly oid: string }): string {
  return `${classid} ${oid}`;
}
