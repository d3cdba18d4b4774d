import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import { type LinkedKey, readLinkedKeys, type TableLink } from '../subset/table-links.js';
import type { TablePlan } from '../table-plan.js';
import { keepsReferences, type NamedKey } from './orphan-problem.js';

/** A foreign key that the target will validate, and that rows of the source can break. */
export interface OrphanKey extends NamedKey {
  readonly link: TableLink;
  /** Whether the source's server has checked all rows by the same key. Only a session without triggers can break it then. */
  readonly isGuarded: boolean;
}

/**
 * Reads the validated foreign keys between tables of a job that the target will have: those of the target's tables, and of
 * the source's tables if the job creates them. Leaves out keys of single partitions that only the target has, keys whose
 * references a rule makes, and keys that can reference rows outside of one table of the job.
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
  const same = new Map(onSource.map((key) => [idOf(key), key]));
  const created = onSource.filter(({ link }) => planOf.get(link.child)?.target === undefined);
  const existing = onTarget.flatMap((key): readonly LinkedKey[] => {
    const known = same.get(idOf(key));
    const isGuarded = known?.isValidated === true && known.isGuarded;
    // The oids of partitions are those of another database.
    if (known !== undefined) return [{ ...key, link: known.link, isGuarded }];
    const { childLeaves, parentLeaves } = key.link;
    return childLeaves === undefined && parentLeaves === undefined ? [{ ...key, isGuarded }] : [];
  });
  return [...created, ...existing].flatMap(({ name, link, isOnlyParent, isValidated, isGuarded }) => {
    const columns = link.columns.map(({ child }) => child);
    const [child, parent] = [planOf.get(link.child), planOf.get(link.parent)];
    if (!isOnlyParent || !isValidated || child === undefined || parent === undefined) return [];
    if (isOmitted(child, name)) return [];
    const isMasked = (n: number) =>
      parent.columns.some(
        ({ description, fill }) => fill.kind === 'produce' && description.name === link.columns[n]?.parent,
      );
    return keepsReferences(child, columns, isMasked) ? [{ name, columns, link, isGuarded }] : [];
  });
}

/** Keys with the same columns are the same on both sides. */
function idOf({ link: { child, parent, columns } }: LinkedKey): string {
  return JSON.stringify([child, parent, columns.map((pair) => [pair.child, pair.parent]).sort()]);
}

/** Tests whether the job leaves out the key as code of the source. */
function isOmitted({ omitted = [] }: TablePlan, name: string): boolean {
  return omitted.some(({ object }) => object.kind === 'constraint' && object.name === name);
}
