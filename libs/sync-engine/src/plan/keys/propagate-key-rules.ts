import { isDeepStrictEqual } from 'node:util';
import { defined } from '@understudy/sync-job';
import { shorter } from '../compile-masks.js';
import { DisjointSets } from './disjoint-sets.js';
import { keyFailure } from './key-failure.js';
import type { ColumnFill, ColumnPlan, SharedMasking, TablePlan } from '../table-plan.js';
import { type KeyComparison, keyComparison } from './key-comparison.js';
import { canonicalOf, kindOf, type ColumnLocation, type JobKeys, type Reference } from './job-keys.js';

type Produced = Extract<ColumnFill, { kind: 'produce' }>;

/**
 * Gives the rule of a masked key to each column that references the key, directly or through other columns.
 * All columns that are joined in this way are masked by the same function of the original value. Pure.
 * @throws SyncJobError key_rules_contradict if two joined columns have different rules. key_referenced_elsewhere if an
 * unlisted table of the target references the key, or unlisted partitions share it. json_paths_refused or
 * nullable_refused for a rule that a referenced key cannot have. key_equality_unsupported if joined columns compare
 * values differently
 */
export function propagateKeyRules(plans: readonly TablePlan[], keys: JobKeys): readonly TablePlan[] {
  const fills = new Map<string, ColumnFill>();
  for (const [plan, { columns }] of plans.entries()) {
    for (const { description, fill } of columns) fills.set(idOf({ plan, column: description.name }), fill);
  }
  const groups = joinedColumns(keys, (location) => isProduced(fills.get(idOf(location))));
  const shared = new Map<string, Produced>();
  for (const group of groups) {
    const root = group.members.find((location) => isProduced(fills.get(idOf(location)))) as ColumnLocation;
    const rootFill = fills.get(idOf(root)) as Produced;
    refuseOutside(plans, keys, group);
    refuseForKey(plans, root, rootFill);
    const isProtected = group.members.some((location) => isProtectedFill(fills.get(idOf(location))));
    const common = commonOf(plans, keys, group, root);
    for (const location of group.members) {
      const own = fills.get(idOf(location));
      if (!agrees(own, rootFill, plans[location.plan], location.column))
        fail(plans, location, 'key_rules_contradict');
      if (own?.kind === 'preserve') refuseKeptReference(plans, keys, group, location);
      const masking: SharedMasking = {
        ...common.masking,
        ...defined({ canonical: common.isFolded ? 'folded' : canonicalOf(typeOf(keys, location)) }),
        isRoot: group.roots.has(idOf(location)),
        mayDangle: group.dangling.has(idOf(location)),
      };
      shared.set(idOf(location), { ...rootFill, ...(isProtected && { isProtected }), shared: masking });
    }
  }
  return plans.map((plan, i) => ({
    ...plan,
    columns: plan.columns.map((column) => withFill(column, i, shared)),
  }));
}

interface Group {
  /** The columns of the group, in the order of tables and columns. */
  readonly members: readonly ColumnLocation[];
  /** The ids of the members that reference no other member, or of one member if all form a cycle. */
  readonly roots: ReadonlySet<string>;
  /** The ids of members that may have further values. All values of the group are in these members and the roots. */
  readonly dangling: ReadonlySet<string>;
}

/**
 * Groups each masked key with the columns that reference it, directly or through other columns. Groups with a
 * common column are merged.
 */
function joinedColumns(
  { references, sharedWithOutside }: JobKeys,
  isMasked: (location: ColumnLocation) => boolean,
): Group[] {
  const byTarget = new Map<string, Reference[]>();
  for (const reference of references) {
    if (idOf(reference.from) === idOf(reference.to)) continue;
    const to = idOf(reference.to);
    byTarget.set(to, [...(byTarget.get(to) ?? []), reference]);
  }
  const outside = new Set(sharedWithOutside.map(idOf));
  const locations = new Map<string, ColumnLocation>();
  const masked: string[] = [];
  for (const { to } of references) locations.set(idOf(to), to);
  for (const location of sharedWithOutside) locations.set(idOf(location), location);
  for (const [id, location] of locations) {
    if (isMasked(location) && (byTarget.has(id) || outside.has(id))) masked.push(id);
  }
  const joined = new DisjointSets();
  const reached = new Set<string>();
  for (const start of masked) {
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      joined.unite(start, id);
      // If a column was reached before, the columns that reference it are already in its set.
      if (reached.has(id)) continue;
      reached.add(id);
      for (const { from } of byTarget.get(id) ?? []) {
        locations.set(idOf(from), from);
        open.push(idOf(from));
      }
    }
  }
  return joined.sets(reached).map((ids) => {
    const members = [...ids].map((id) => locations.get(id) as ColumnLocation);
    members.sort((a, b) => a.plan - b.plan || (a.column < b.column ? -1 : 1));
    const within = references.filter(
      ({ from, to }) => idOf(to) !== idOf(from) && ids.has(idOf(from)) && ids.has(idOf(to)),
    );
    return { members, ...rootsOf(members.map(idOf), within) };
  });
}

/** Finds the members of a group that together have all of its values. @param within the references between members */
function rootsOf(ids: readonly string[], within: readonly Reference[]): Pick<Group, 'roots' | 'dangling'> {
  const isReferencing = new Set(within.map(({ from }) => idOf(from)));
  const validated = within.filter(({ isValidated }) => isValidated);
  const isValidated = new Set(validated.map(({ from }) => idOf(from)));
  const roots = new Set(ids.filter((id) => !isReferencing.has(id)));
  const dangling = new Set<string>();
  const covered = new Set<string>();
  const cover = (id: string): void => {
    if (covered.has(id)) return;
    covered.add(id);
    for (const { from, to } of validated) if (idOf(to) === id) cover(idOf(from));
  };
  roots.forEach(cover);
  // First those that nothing else can cover, then any member of a cycle.
  for (const id of [...ids.filter((one) => !isValidated.has(one)), ...ids]) {
    if (covered.has(id)) continue;
    (roots.size === 0 ? roots : dangling).add(id);
    cover(id);
  }
  return { roots, dangling };
}

/** Returns whether a column can take the rule of the key: it has the same rule, or the job does not list it. */
function agrees(
  own: ColumnFill | undefined,
  root: Produced,
  plan: TablePlan | undefined,
  column: string,
): boolean {
  if (own?.kind === 'produce') return isDeepStrictEqual(own.rule, root.rule);
  return own?.kind === 'preserve' && plan?.columnIndex.has(column) === false;
}

/** Throws if a column references both a masked key and a preserved one. */
function refuseKeptReference(
  plans: readonly TablePlan[],
  { references }: JobKeys,
  { members }: Group,
  location: ColumnLocation,
): void {
  const ids = new Set(members.map(idOf));
  const kept = references.some(({ from, to }) => idOf(from) === idOf(location) && !ids.has(idOf(to)));
  if (kept)
    fail(
      plans,
      location,
      'key_rules_contradict',
      'the column references both a masked key and a key that is kept',
    );
}

/** Throws if rows outside the job share a masked key, because references from or to them would break. */
function refuseOutside(
  plans: readonly TablePlan[],
  { sharedWithOutside }: JobKeys,
  { members }: Group,
): void {
  const outside = new Set(sharedWithOutside.map(idOf));
  const held = members.find((location) => outside.has(idOf(location)));
  if (held !== undefined) fail(plans, held, 'key_referenced_elsewhere');
}

function refuseForKey(plans: readonly TablePlan[], root: ColumnLocation, { rule }: Produced): void {
  if (rule.kind === 'json') fail(plans, root, 'json_paths_refused');
  else if ((rule.nullable ?? 0) > 0) fail(plans, root, 'nullable_refused');
}

function commonOf(
  plans: readonly TablePlan[],
  keys: JobKeys,
  { members }: Group,
  root: ColumnLocation,
): { readonly isFolded: boolean; readonly masking: Omit<SharedMasking, 'isRoot' | 'mayDangle'> } {
  const types = members.map((location) => typeOf(keys, location));
  const other = members.find((_, i) => kindOf(types[i]) !== kindOf(types[0]));
  if (other !== undefined)
    fail(
      plans,
      other,
      'key_equality_unsupported',
      'the types of the key and of its reference are of different kinds',
    );
  const comparison = comparisonOf(plans, keys, members);
  const lengths = members.flatMap(({ plan, column }) =>
    [plans[plan]?.source, plans[plan]?.target].map(
      (table) => table?.columns.find(({ name }) => name === column)?.maxLength,
    ),
  );
  const maxLength = lengths.reduce(shorter, undefined);
  const { schema = '', table = '' } = plans[root.plan]?.name ?? {};
  return {
    isFolded: types.some((type) => type?.base === 'citext'),
    masking: { table: `${schema}.${table}`, name: root.column, ...defined({ comparison, maxLength }) },
  };
}

/** Decides how the server compares the originals of a group. Throws if the columns contradict each other. */
function comparisonOf(
  plans: readonly TablePlan[],
  keys: JobKeys,
  members: readonly ColumnLocation[],
): KeyComparison | undefined {
  const ids = new Set(members.map(idOf));
  const joining = keys.references.filter(({ from, to }) => ids.has(idOf(from)) && ids.has(idOf(to)));
  const special = joining.find(({ hasDefaultEquality }) => !hasDefaultEquality);
  if (special !== undefined)
    fail(plans, special.to, 'key_equality_unsupported', 'the key has an operator class of its own');
  const comparison = keyComparison(
    joining.map(({ from, to, isOnSource }) => ({
      child: typeOf(keys, from),
      parent: isOnSource ? typeOf(keys, to) : keys.tables[to.plan]?.written.types.get(to.column),
    })),
  );
  if (comparison === 'mixed')
    fail(plans, joining[0]?.to as ColumnLocation, 'key_equality_unsupported', 'the types differ');
  return comparison;
}

function typeOf({ tables }: JobKeys, { plan, column }: ColumnLocation) {
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

function idOf({ plan, column }: ColumnLocation): string {
  return `${plan} ${column}`;
}

function fail(...failure: Parameters<typeof keyFailure>): never {
  throw keyFailure(...failure);
}
