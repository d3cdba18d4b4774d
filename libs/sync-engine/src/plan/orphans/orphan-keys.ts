import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import { ifDecidable } from '../../session/query-rows.js';
import { orphansOf } from '../subset/relation-sql.js';
import { type LinkedKey, readLinkedKeys, type TableLink } from '../subset/table-links.js';
import type { TablePlan } from '../table-plan.js';
import { keepsReferences, type NamedKey } from './orphan-problem.js';

/** A foreign key that the target will validate, and that rows of the source can break. */
export interface OrphanKey extends NamedKey {
  /** The oids of the catalog and of the constraint, on the target if it has the key. */
  readonly address: string;
  /** The key for queries on the source, which may have an operator in another schema. */
  readonly link: TableLink;
  readonly onTarget: TableLink;
  /** Whether the source's server has checked all rows by the same key. Only a session without triggers can break it then. */
  readonly isGuarded: boolean;
}

/**
 * Reads the validated foreign keys between tables of a job that the target will have: those of the target's tables, and of
 * the source's tables if the job creates them. Leaves out keys of single partitions that only the target has, and keys
 * whose columns the source cannot compare. Leaves out keys whose references a rule makes, and keys that can reference rows
 * outside of one table of the job.
 */
export async function readOrphanKeys(
  plans: readonly TablePlan[],
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<readonly OrphanKey[]> {
  const planOf = new Map(plans.map((plan) => [plan.index, plan]));
  const indexes = (side: DatabaseSide) =>
    new Map(
      plans.flatMap((plan) => (plan[side] === undefined ? [] : [[plan[side].oid, plan.index] as const])),
    );
  const onSource = await readLinkedKeys(source, indexes('source'));
  const onTarget = await readLinkedKeys(target, indexes('target'));
  const found = onSource
    .filter(({ link }) => planOf.get(link.child)?.target === undefined)
    .map((key) => ({ ...key, onTarget: key.link }));
  for (const key of onTarget) {
    const known = sameKey(onSource, key);
    const isGuarded = known?.isValidated === true && known.isGuarded;
    const { link } = known ?? key;
    if (known !== undefined || (await isComparable(key.link, planOf, source)))
      found.push({ ...key, link, onTarget: key.link, isGuarded });
  }
  return found.flatMap(({ address, name, link, onTarget, isOnlyParent, isValidated, isGuarded }) => {
    const columns = link.columns.map(({ child }) => child);
    const [child, parent] = [planOf.get(link.child), planOf.get(link.parent)];
    if (!isOnlyParent || !isValidated || child === undefined || parent === undefined) return [];
    if (isOmitted(child, name)) return [];
    const isMasked = (n: number) =>
      parent.columns.some(
        ({ description, fill }) => fill.kind === 'produce' && description.name === link.columns[n]?.parent,
      );
    if (!keepsReferences(child, columns, isMasked)) return [];
    return [{ address, name, columns, link, onTarget, isGuarded }];
  });
}

/** Tests whether the source can evaluate a key that only the target has. */
async function isComparable(
  link: TableLink,
  planOf: ReadonlyMap<number, TablePlan>,
  source: LocatedClient,
): Promise<boolean> {
  const { childLeaves, parentLeaves } = link;
  const [child, parent] = [planOf.get(link.child), planOf.get(link.parent)];
  // The oids of partitions are those of another database.
  if (childLeaves !== undefined || parentLeaves !== undefined || !child || !parent) return false;
  const query = `${orphansOf(link, child, parent)} LIMIT 0`;
  return (await ifDecidable(source, () => source.query(query))) !== undefined;
}

/**
 * Finds the source's key for a key of the target. Of several equal keys, it is the one of the same partition and name. A
 * key of all rows stands for one that only partitions of the target have.
 */
function sameKey(keys: readonly LinkedKey[], key: LinkedKey): LinkedKey | undefined {
  const equal = keys.filter((one) => isEqualLink(one.link, key.link));
  const ofRelations = equal.filter(({ relations }) => relations === key.relations);
  const ofAllRows = equal.find(
    ({ link }) => link.childLeaves === undefined && link.parentLeaves === undefined,
  );
  return ofRelations.find(({ name }) => name === key.name) ?? ofRelations[0] ?? ofAllRows;
}

/** Tests whether two keys have the same columns and the same kind of match. */
function isEqualLink(one: TableLink, other: TableLink): boolean {
  if (one.child !== other.child || one.parent !== other.parent) return false;
  if (one.columns.length !== other.columns.length) return false;
  return (
    (one.columns.length === 1 || one.isFull === other.isFull) &&
    one.columns.every(({ child, parent }) =>
      other.columns.some((pair) => pair.child === child && pair.parent === parent),
    )
  );
}

/** Tests whether the job leaves out the key as code of the source. */
function isOmitted({ omitted = [] }: TablePlan, name: string): boolean {
  return omitted.some(({ object }) => object.kind === 'constraint' && object.name === name);
}
