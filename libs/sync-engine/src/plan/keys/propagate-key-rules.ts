import { isDeepStrictEqual } from 'node:util';
import { shorter } from '../compile-masks.js';
import { DisjointSets } from './disjoint-sets.js';
import { SyncJobError, type SyncFailureCode } from '@understudy/sync-job';
import type { ColumnFill, ColumnPlan, SharedMasking, TablePlan } from '../table-plan.js';
import { canonicalOf, kindOf, type ColumnPlace, type JobKeys, type Reference } from './job-keys.js';

type Produced = Extract<ColumnFill, { kind: 'produce' }>;

/**
 * Gives the columns that reference a masked key the key's rule, over chains, composite keys, references of a table to itself and circles of
 * them: all columns so joined are masked by one function of the original value. Pure.
 * @throws SyncJobError key_rules_contradict when two of them are to become different things, key_referenced_elsewhere when rows
 *   that the job does not write hold the key, rule_invalid for a rule that no key can have
 */
export function propagateKeyRules(plans: readonly TablePlan[], keys: JobKeys): readonly TablePlan[] {
  const fills = new Map<string, ColumnFill>();
  for (const [plan, { columns }] of plans.entries()) {
    for (const { description, fill } of columns) fills.set(idOf({ plan, column: description.name }), fill);
  }
  const groups = joinedColumns(keys, (place) => isProduced(fills.get(idOf(place))));
  const shared = new Map<string, Produced>();
  for (const group of groups) {
    const root = group.members.find((place) => isProduced(fills.get(idOf(place)))) as ColumnPlace;
    const rootFill = fills.get(idOf(root)) as Produced;
    refuseOutside(plans, keys, group);
    refuseForKey(plans, root, rootFill);
    const isProtected = group.members.some((place) => isProtectedFill(fills.get(idOf(place))));
    const common = commonOf(plans, keys, group, root);
    for (const place of group.members) {
      const own = fills.get(idOf(place));
      if (!agrees(own, rootFill, plans[place.plan], place.column)) fail('key_rules_contradict', plans, place);
      if (own?.kind === 'preserve') refuseKeptReference(plans, keys, group, place);
      const canonical = common.isFolded ? 'folded' : canonicalOf(typeOf(keys, place));
      const masking: SharedMasking = {
        ...common.masking,
        ...(canonical === undefined ? {} : { canonical }),
        isRoot: group.roots.has(idOf(place)),
      };
      shared.set(idOf(place), { ...rootFill, ...(isProtected && { isProtected }), shared: masking });
    }
  }
  return plans.map((plan, i) => ({
    ...plan,
    columns: plan.columns.map((column) => withFill(column, i, shared)),
  }));
}

interface Group {
  /** In the order of tables and columns, those that have a rule or get one. */
  readonly members: readonly ColumnPlace[];
  /** Ids of those whose values no other member holds as well; all when they reference each other in a circle. */
  readonly roots: ReadonlySet<string>;
}

/** Everything that references a masked column, directly or not, with it; groups that meet are one. */
function joinedColumns(
  { references, referencedFromOutside }: JobKeys,
  isMasked: (place: ColumnPlace) => boolean,
): Group[] {
  const byTarget = new Map<string, Reference[]>();
  for (const reference of references) {
    if (idOf(reference.from) === idOf(reference.to)) continue;
    const to = idOf(reference.to);
    byTarget.set(to, [...(byTarget.get(to) ?? []), reference]);
  }
  const outside = new Set(referencedFromOutside.map(idOf));
  const places = new Map<string, ColumnPlace>();
  const masked: string[] = [];
  for (const { to } of references) places.set(idOf(to), to);
  for (const place of referencedFromOutside) places.set(idOf(place), place);
  for (const [id, place] of places) {
    if (isMasked(place) && (byTarget.has(id) || outside.has(id))) masked.push(id);
  }
  const joined = new DisjointSets();
  const reached = new Set<string>();
  for (const start of masked) {
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      joined.unite(start, id);
      // What follows from a column that was reached before is in its set already.
      if (reached.has(id)) continue;
      reached.add(id);
      for (const { from } of byTarget.get(id) ?? []) {
        places.set(idOf(from), from);
        open.push(idOf(from));
      }
    }
  }
  return joined.sets(reached).map((ids) => {
    const members = [...ids].map((id) => places.get(id) as ColumnPlace);
    const holders = members.filter(
      ({ plan, column }) =>
        !references.some(
          ({ from, to }) =>
            idOf(from) === idOf({ plan, column }) && idOf(to) !== idOf(from) && ids.has(idOf(to)),
        ),
    );
    const roots = new Set((holders.length === 0 ? members : holders).map(idOf));
    return { members: members.sort((a, b) => a.plan - b.plan || (a.column < b.column ? -1 : 1)), roots };
  });
}

/** A rule on both ends is one rule; without one, a column follows the key that it references. */
function agrees(
  own: ColumnFill | undefined,
  root: Produced,
  plan: TablePlan | undefined,
  column: string,
): boolean {
  if (own?.kind === 'produce') return isDeepStrictEqual(own.rule, root.rule);
  return own?.kind === 'preserve' && plan?.columnIndex.has(column) === false;
}

/** A column that follows a masked key cannot reference a kept one as well. */
function refuseKeptReference(
  plans: readonly TablePlan[],
  { references }: JobKeys,
  { members }: Group,
  place: ColumnPlace,
): void {
  const ids = new Set(members.map(idOf));
  const kept = references.some(({ from, to }) => idOf(from) === idOf(place) && !ids.has(idOf(to)));
  if (kept) fail('key_rules_contradict', plans, place, 'it references a masked key and one that is kept');
}

/** Rows that the job does not write would reference keys that are no more. */
function refuseOutside(
  plans: readonly TablePlan[],
  { referencedFromOutside }: JobKeys,
  { members }: Group,
): void {
  const outside = new Set(referencedFromOutside.map(idOf));
  const held = members.find((place) => outside.has(idOf(place)));
  if (held !== undefined) fail('key_referenced_elsewhere', plans, held);
}

function refuseForKey(plans: readonly TablePlan[], root: ColumnPlace, { rule }: Produced): void {
  if (rule.kind === 'json') fail('rule_invalid', plans, root, 'a key is masked whole');
  else if ((rule.nullable ?? 0) > 0)
    fail('rule_invalid', plans, root, 'a key that is referenced takes no NULLs');
}

function commonOf(
  plans: readonly TablePlan[],
  keys: JobKeys,
  { members }: Group,
  root: ColumnPlace,
): { readonly isFolded: boolean; readonly masking: Omit<SharedMasking, 'isRoot'> } {
  const types = members.map((place) => typeOf(keys, place));
  const other = members.find((_, i) => kindOf(types[i]) !== kindOf(types[0]));
  if (other !== undefined)
    fail('key_rules_contradict', plans, other, 'the types of the key and of its reference differ in kind');
  const lengths = members.flatMap(({ plan, column }) =>
    [plans[plan]?.source, plans[plan]?.target].map(
      (table) => table?.columns.find(({ name }) => name === column)?.maxLength,
    ),
  );
  const maxLength = lengths.reduce(shorter, undefined);
  const { schema = '', table = '' } = plans[root.plan]?.name ?? {};
  return {
    isFolded: types.some((type) => type?.base === 'citext'),
    masking: {
      table: `${schema}.${table}`,
      name: root.column,
      ...(maxLength === undefined ? {} : { maxLength }),
    },
  };
}

function typeOf({ tables }: JobKeys, { plan, column }: ColumnPlace) {
  return tables[plan]?.source.types.get(column);
}

function withFill(column: ColumnPlan, plan: number, shared: ReadonlyMap<string, Produced>): ColumnPlan {
  const fill = shared.get(idOf({ plan, column: column.description.name }));
  return fill === undefined ? column : { ...column, fill };
}

function isProduced(fill: ColumnFill | undefined): fill is Produced {
  return fill?.kind === 'produce';
}

function isProtectedFill(fill: ColumnFill | undefined): boolean {
  return isProduced(fill) && fill.isProtected === true;
}

function idOf({ plan, column }: ColumnPlace): string {
  return `${plan} ${column}`;
}

function fail(
  code: SyncFailureCode,
  plans: readonly TablePlan[],
  { plan, column }: ColumnPlace,
  reason: string = code,
): never {
  const columnIndex = plans[plan]?.columnIndex.get(column);
  const tableIndex = plans[plan]?.index ?? plan;
  const place = columnIndex === undefined ? {} : { columnIndex };
  throw new SyncJobError({ code, tableIndex, ...place }, { cause: new Error(reason) });
}
