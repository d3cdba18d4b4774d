import { type ColumnMask, type OriginalClasses, OriginalClassesBuilder } from '@understudy/masking';
import type { TableMasks } from '../compile-masks.js';
import type { ColumnPlan } from '../table-plan.js';
import type { MasksToFinalize } from './masks-to-finalize.js';
import type { ColumnLocation } from './job-keys.js';
import { comparisonBy, isSameComparison, type KeyComparison } from './key-comparison.js';
import { blamed, keyFailure } from './key-failure.js';

/** The columns of one group of joined columns whose originals the server must compare. */
interface ComparedGroup {
  readonly comparison: KeyComparison;
  readonly members: readonly Member[];
}

interface Member extends ColumnLocation {
  readonly isRoot: boolean;
  readonly mask: ColumnMask;
}

/**
 * Adds to the masks of keys the classes of originals that the server treats as equal. Reads nothing for keys
 * whose originals are equal exactly if their canonical forms are.
 * @throws SyncJobError key_equality_unsupported if two rows of a unique key have originals of the same classes,
 * key_too_large
 */
export async function withClasses(request: MasksToFinalize): Promise<readonly TableMasks[]> {
  const masks = [...request.masks];
  for (const group of comparedGroups(request)) {
    await refuseMerged(group, request);
    const classes = await classesOf(group, request);
    if (classes === undefined) continue;
    for (const { plan, column, mask } of group.members)
      masks[plan] = new Map(masks[plan]).set(column, { ...mask, originalClasses: classes });
  }
  return masks;
}

function comparedGroups({ plans, masks }: MasksToFinalize): readonly ComparedGroup[] {
  const groups = new Map<string, { comparison: KeyComparison; members: Member[] }>();
  for (const [plan, { columns }] of plans.entries()) {
    for (const { description, fill } of columns) {
      const shared = sharedOf(fill);
      const mask = masks[plan]?.get(description.name);
      if (shared?.comparison === undefined || mask === undefined || 'leaves' in mask) continue;
      const id = JSON.stringify([shared.table, shared.name]);
      const group = groups.get(id) ?? { comparison: shared.comparison, members: [] };
      group.members.push({ plan, column: description.name, isRoot: shared.isRoot, mask });
      groups.set(id, group);
    }
  }
  return [...groups.values()];
}

function sharedOf(fill: ColumnPlan['fill']) {
  return fill.kind === 'produce' ? fill.shared : undefined;
}

async function classesOf(
  { comparison, members }: ComparedGroup,
  { plans, reader }: MasksToFinalize,
): Promise<OriginalClasses | undefined> {
  const [first] = members;
  if (first === undefined) return undefined;
  const canonical = first.mask.column.canonical === 'folded' ? 'folded' : undefined;
  const builder = new OriginalClassesBuilder(first.mask, canonical);
  const isWhole = canonical === 'folded' || first.mask.differs;
  await reader.at(plans[first.plan]).eachClass(members, comparison, isWhole, (bytes, bounds) => {
    blamed(plans, first, () => {
      builder.add(bytes, bounds);
    });
  });
  return builder.finish();
}

/**
 * Throws if two rows of a source table differ in a unique key, but not by the comparison of the group: they would
 * get the same new value. This needs a unique key that compares values more strictly than the group.
 */
async function refuseMerged(
  { comparison, members }: ComparedGroup,
  { plans, keys, reader }: MasksToFinalize,
): Promise<void> {
  for (const member of members) {
    const { plan, column } = member;
    const { types, unique } = keys.tables[plan]?.source ?? { types: new Map<string, never>(), unique: [] };
    const isLoose = comparison.collation !== undefined;
    for (const { columns, folded, loose } of unique) {
      if (!columns.includes(column) || folded.includes(column)) continue;
      const isSame =
        isSameComparison(comparisonBy(types.get(column)), comparison) &&
        isLoose === loose.some((one) => one.column === column);
      if (isSame) continue;
      const comparisons = new Map(
        members.filter((one) => one.plan === plan).map((one) => [one.column, comparison] as const),
      );
      const isMerged = await reader.at(plans[plan]).hasEqualRows(plan, columns, comparisons);
      if (isMerged) throw keyFailure(plans, member, 'key_equality_unsupported', 'rows would become equal');
    }
  }
}
