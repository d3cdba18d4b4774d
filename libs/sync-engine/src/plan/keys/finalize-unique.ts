import { type TableMasks, shorter } from '../compile-masks.js';
import { isDeepStrictEqual } from 'node:util';
import {
  cannotRepeat,
  type CellMask,
  type ColumnMask,
  keepUnique,
  masksWithin,
  orderByReferences,
  permuteOriginals,
  type UniqueKeyPart,
} from '@understudy/masking';
import type { UniqueKey } from '@understudy/postgres';
import type { TablePlan } from '../table-plan.js';
import { canonicalInKey, isInteger, type ColumnPlace, type PlanKeys } from './job-keys.js';

/** What has to be asked of the source before the rules of the keys are finalized. */
export interface SourceFacts {
  /** Do all values of an integer column lie within bounds, both included? */
  readonly isWithin: (place: ColumnPlace, min: number, max: number) => Promise<boolean>;
}

/** Masks by originals that share their values, and the columns whose originals must not become one value. */
export interface OriginalsGroup {
  /** With the shortest length of the columns that matter. */
  readonly mask: ColumnMask;
  readonly originals: readonly ColumnPlace[];
}

/**
 * Keeps the values of unique keys from repeating: those of one table. A key is left alone when a column of it cannot repeat or
 * follows from originals that are unique themselves; else the one that is produced last is watched row by row.
 * @param plan the table's number
 */
export async function keepTableUnique(
  {
    plan,
    table,
    masks,
    keys,
  }: {
    readonly plan: number;
    readonly table: TablePlan;
    readonly masks: TableMasks;
    readonly keys: PlanKeys;
  },
  facts: SourceFacts,
): Promise<TableMasks> {
  const parts = new Map<string, UniqueKeyPart[]>();
  const finalized = new Map(masks);
  const order = orderByReferences([...masks.values()]).map(({ column }) => column.name);
  const all = uniqueKeysOf(table, keys);
  for (const key of all) {
    const byRow = key.columns.filter((name) => isByRow(masks.get(name)));
    if (byRow.length === 0) continue;
    const permuted = await permuteUnique(plan, key, masks, keys, facts);
    if (permuted !== undefined) {
      finalized.set(permuted.column.name, permuted);
      continue;
    }
    const alone = byRow.find(
      (name) => isUniqueAlone(name, all) || cannotRepeat(masks.get(name) as ColumnMask),
    );
    const watched = alone ?? byRow.sort((a, b) => order.indexOf(a) - order.indexOf(b)).at(-1) ?? '';
    const canonical = canonicalInKey(key, keys.written.types, watched);
    const part: UniqueKeyPart = {
      others:
        alone === undefined
          ? key.columns.filter((name) => name !== watched).map((name) => otherColumn(key, keys, name))
          : [],
      ...(canonical === undefined ? {} : { canonical }),
    };
    const known = parts.get(watched) ?? [];
    if (!known.some((one) => isDeepStrictEqual(one, part))) parts.set(watched, [...known, part]);
  }
  for (const [name, wanted] of parts) {
    const mask = finalized.get(name) as ColumnMask;
    if (mask.originalKey === undefined) finalized.set(name, keepUnique(mask, wanted));
  }
  return finalized;
}

/** A unique column whose rule makes integers may have its originals permuted: then no row has to wait for another. */
async function permuteUnique(
  plan: number,
  key: UniqueKey,
  masks: TableMasks,
  { source, written }: PlanKeys,
  facts: SourceFacts,
): Promise<ColumnMask | undefined> {
  const [name = ''] = key.columns;
  const mask = masks.get(name);
  if (key.columns.length > 1 || mask === undefined || 'leaves' in mask) return undefined;
  const isUniqueInSource = source.unique.some(({ columns }) => columns.length === 1 && columns[0] === name);
  if (!isUniqueInSource || !isInteger(source.types.get(name)) || !isInteger(written.types.get(name)))
    return undefined;
  const permuted = permuteOriginals(mask);
  const integers = permuted?.integers;
  if (integers === undefined) return undefined;
  return (await facts.isWithin({ plan, column: name }, integers.min, integers.max)) ? permuted : undefined;
}

/** Of the database, and those that rules ask for. */
export function uniqueKeysOf({ columns }: TablePlan, { written }: PlanKeys): readonly UniqueKey[] {
  const asked = columns.flatMap(({ description, fill }): UniqueKey[] =>
    fill.kind === 'produce' && fill.rule.kind !== 'json' && fill.rule.unique === true
      ? [{ columns: [description.name], folded: [], nullsNotDistinct: false }]
      : [],
  );
  // Short ones first: a column that is unique alone covers the others.
  return [...written.unique, ...asked].sort((a, b) => a.columns.length - b.columns.length);
}

function isUniqueAlone(name: string, keys: readonly UniqueKey[]): boolean {
  return keys.some(({ columns }) => columns.length === 1 && columns[0] === name);
}

function isByRow(mask: CellMask | undefined): boolean {
  return mask !== undefined && !('leaves' in mask) && mask.originalKey === undefined;
}

function otherColumn(key: UniqueKey, { written }: PlanKeys, name: string) {
  const canonical = canonicalInKey(key, written.types, name);
  return { name, ...(canonical === undefined ? {} : { canonical }) };
}

/**
 * The masks by originals of a whole job that may make one value of two originals where that must not be: of keys with what references
 * them, and of consistent rules in unique keys that no other column covers.
 */
export function groupsOfOriginals(
  plans: readonly TablePlan[],
  masks: readonly TableMasks[],
  keys: readonly PlanKeys[],
): readonly OriginalsGroup[] {
  const groups = new Map<string, { mask: ColumnMask; originals: ColumnPlace[] }>();
  for (const [plan, table] of plans.entries()) {
    const ofTable = masks[plan] ?? new Map<string, CellMask>();
    const watched = new Set(
      uniqueKeysOf(table, keys[plan] as PlanKeys)
        .filter(({ columns }) => !columns.some((name) => isByRow(ofTable.get(name))))
        .flatMap(({ columns }) => columns),
    );
    for (const { description, fill } of table.columns) {
      const mask = ofTable.get(description.name);
      if (mask === undefined || 'leaves' in mask || mask.originalKey === undefined || fill.kind !== 'produce')
        continue;
      if (fill.shared === undefined && !watched.has(description.name)) continue;
      const id = groupId(mask);
      const group = groups.get(id) ?? { mask, originals: [] };
      const isRoot = fill.shared?.isRoot ?? true;
      groups.set(id, {
        mask: common(group.mask, mask),
        originals: isRoot ? [...group.originals, { plan, column: description.name }] : group.originals,
      });
    }
  }
  return [...groups.values()];
}

/** The same for masks by originals that give an original the same value. */
export function groupId({ key: { a, b, c, d } }: ColumnMask): string {
  return `${a} ${b} ${c} ${d}`;
}

/** One that takes what the columns of both take, and knows originals as they are read: without the blanks of char(n). */
function common(a: ColumnMask, b: ColumnMask): ColumnMask {
  const { name, path, rule, isText, isBlankPadded } = a.column;
  const canonical = [a, b]
    .map((mask) => mask.column.canonical)
    .find((one) => one !== undefined && one !== 'padded');
  const maxLength = shorter(a.column.maxLength, b.column.maxLength);
  return {
    ...a,
    column: {
      ...{ name, path, rule, isText, isBlankPadded },
      ...(canonical === undefined ? {} : { canonical }),
      ...(maxLength === undefined ? {} : { maxLength }),
    },
  };
}

/** The masks with how their originals are drawn, by group. */
export function withRedraws(
  masks: TableMasks,
  redraws: ReadonlyMap<string, NonNullable<ColumnMask['originalAttempts']>>,
): TableMasks {
  const finalize = (mask: ColumnMask): ColumnMask => {
    const found = mask.originalKey === undefined ? undefined : redraws.get(groupId(mask));
    return found === undefined ? mask : { ...mask, originalAttempts: found };
  };
  return new Map(
    [...masks].map(([name, mask]): [string, CellMask] => {
      if (!('leaves' in mask)) return [name, finalize(mask)];
      if (!masksWithin(mask).some((leaf) => leaf !== finalize(leaf))) return [name, mask];
      return [name, { ...mask, leaves: mask.leaves.map((leaf) => ({ ...leaf, mask: finalize(leaf.mask) })) }];
    }),
  );
}
