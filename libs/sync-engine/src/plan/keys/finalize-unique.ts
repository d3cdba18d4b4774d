import { type TableMasks, shorter } from '../compile-masks.js';
import { isDeepStrictEqual } from 'node:util';
import {
  type Canonical,
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
import { defined } from '@understudy/sync-job';
import { columnFailure } from '../problems/column-failure.js';
import type { TablePlan } from '../table-plan.js';
import { canonicalInKey, isInteger, type ColumnLocation, type PlanKeys } from './job-keys.js';

/** Queries on the source's values. */
export interface SourceFacts {
  /** Returns whether all values of an integer column are within the bounds, both included. */
  readonly isWithin: (location: ColumnLocation, min: number, max: number) => Promise<boolean>;
}

/**
 * Columns in which the same original gets the same new value, and different originals must get different new
 * values. `originals` has only the columns that are needed to find all originals.
 */
export interface OriginalsGroup {
  /** The mask of the group, with the shortest length limit of its columns. */
  readonly mask: ColumnMask;
  readonly originals: readonly OriginalsColumn[];
  /** Columns that may hold further originals: references to missing rows. */
  readonly dangling: readonly OriginalsColumn[];
  /** How the keys of the columns compare new values. */
  readonly compared: Canonical | undefined;
}

export interface OriginalsColumn extends ColumnLocation {
  readonly mask: ColumnMask;
}

/**
 * Adapts the masks of a table so that the values of its unique keys are unique. Only one column of each key
 * is checked: a column whose values are unique without the other columns, or else the column that is produced
 * last. Ignores keys in which each column is preserved or has a mask that depends on the original value:
 * {@link groupsOfOriginals} handles these keys.
 * @param plan the index of the table's plan
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
    if (byRow.length === 0) {
      refuseModelText(table, key.columns, masks, key.columns);
      continue;
    }
    const permuted = await permuteUnique(plan, key, masks, keys, facts);
    if (permuted !== undefined) {
      finalized.set(permuted.column.name, permuted);
      continue;
    }
    const covering = byRow.find(
      (name) => isUniqueByItself(name, all) || cannotRepeat(masks.get(name) as ColumnMask),
    );
    const watched = covering ?? byRow.sort((a, b) => order.indexOf(a) - order.indexOf(b)).at(-1) ?? '';
    const compared = covering === undefined ? key.columns : [covering];
    refuseModelText(table, compared, masks, [watched]);
    const canonical = canonicalInKey(key, keys.written.types, watched);
    const part: UniqueKeyPart = {
      others:
        covering === undefined
          ? key.columns.filter((name) => name !== watched).map((name) => otherColumn(key, keys, name))
          : [],
      ...defined({ canonical }),
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

/**
 * Refuses a unique key that compares text of a private model with a text that a rule can choose. If a retry does
 * not change the text, the job would fail exactly if both are equal.
 * @param retried the columns whose values are generated again if the key repeats
 * @throws SyncJobError model_text_refused
 */
function refuseModelText(
  table: TablePlan,
  compared: readonly string[],
  masks: TableMasks,
  retried: readonly string[],
): void {
  for (const name of compared) {
    const mask = masks.get(name);
    if (mask === undefined || !keepsModelText(mask, retried.includes(name))) continue;
    throw columnFailure(table, name, 'model_text_refused');
  }
}

/** Returns whether a value with text of a private model can equal a chosen text, and a retry does not change it. */
function keepsModelText(mask: CellMask, isRetried: boolean): boolean {
  if ('leaves' in mask) return mask.leaves.some((leaf) => leaf.mask.modelText !== undefined);
  if (mask.modelText === undefined || cannotRepeat(mask)) return false;
  const { kind, transform } = mask.column.rule;
  const isWholeText = kind === 'model' && transform === undefined;
  return mask.modelText === 'read' || !(isRetried || isWholeText);
}

/**
 * Returns a mask that permutes the originals of a unique integer column, if possible. Such a column needs no
 * check for each row, and its rows may be copied in any order.
 */
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

/** Returns the unique keys of the table, and a key for each rule with `unique`. */
export function uniqueKeysOf({ columns }: TablePlan, { written }: PlanKeys): readonly UniqueKey[] {
  const looseOf = (column: string) => {
    const locale = written.types.get(column)?.looseLocale;
    return locale === undefined ? [] : [{ column, locale }];
  };
  const requested = columns.flatMap(({ description, fill }): UniqueKey[] =>
    fill.kind === 'produce' && fill.rule.kind !== 'json' && fill.rule.unique === true
      ? [
          {
            columns: [description.name],
            folded: [],
            loose: looseOf(description.name),
            nullsNotDistinct: false,
          },
        ]
      : [],
  );
  // Short keys come first, because a column that is unique by itself makes longer keys unique too.
  return [...written.unique, ...requested].sort((a, b) => a.columns.length - b.columns.length);
}

function isUniqueByItself(name: string, keys: readonly UniqueKey[]): boolean {
  return keys.some(({ columns }) => columns.length === 1 && columns[0] === name);
}

function isByRow(mask: CellMask | undefined): boolean {
  return mask !== undefined && !('leaves' in mask) && mask.originalKey === undefined;
}

function otherColumn(key: UniqueKey, { written }: PlanKeys, name: string) {
  return { name, ...defined({ canonical: canonicalInKey(key, written.types, name) }) };
}

/**
 * Groups the columns whose masks depend on the original value, if different originals must get different
 * values. These are masked keys with the columns that reference them, and columns in unique keys whose
 * rules have `consistent`.
 */
export function groupsOfOriginals(
  plans: readonly TablePlan[],
  masks: readonly TableMasks[],
  keys: readonly PlanKeys[],
): readonly OriginalsGroup[] {
  const groups = new Map<string, OriginalsGroup>();
  for (const [plan, table] of plans.entries()) {
    const ofTable = masks[plan] ?? new Map<string, CellMask>();
    const unique = uniqueKeysOf(table, keys[plan] as PlanKeys);
    const watched = new Set(
      unique
        .filter(({ columns }) => !columns.some((name) => isByRow(ofTable.get(name))))
        .flatMap(({ columns }) => columns),
    );
    for (const { description, fill } of table.columns) {
      const { name } = description;
      const mask = ofTable.get(name);
      if (mask === undefined || 'leaves' in mask || mask.originalKey === undefined || fill.kind !== 'produce')
        continue;
      if (fill.shared === undefined && !watched.has(name)) continue;
      const id = groupId(mask);
      const group = groups.get(id) ?? { mask, originals: [], dangling: [], compared: undefined };
      const { isRoot = true, mayDangle = false } = fill.shared ?? {};
      const column = { plan, column: name, mask };
      const canonicals = unique
        .filter(({ columns }) => columns.includes(name))
        .map((key) => canonicalInKey(key, keys[plan]?.written.types ?? new Map(), name));
      groups.set(id, {
        mask: common(group.mask, mask),
        originals: isRoot ? [...group.originals, column] : group.originals,
        dangling: mayDangle ? [...group.dangling, column] : group.dangling,
        compared: [group.compared, ...canonicals].reduce(coarser),
      });
    }
  }
  return [...groups.values()];
}

/** Returns the canonical form of the two that has more texts in common. */
function coarser(a: Canonical | undefined, b: Canonical | undefined): Canonical | undefined {
  return COARSENESS.indexOf(a) > COARSENESS.indexOf(b) ? a : b;
}

const COARSENESS: readonly (Canonical | undefined)[] = [
  ...([undefined, 'padded', 'number', 'folded', 'lowered', 'composed', 'caseless', 'letters'] as const),
];

/** Returns an id that is the same for all masks that map each original to the same new value. */
export function groupId({ key: { a, b, c, d } }: ColumnMask): string {
  return `${a} ${b} ${c} ${d}`;
}

/**
 * Combines the masks of two columns into one whose values fit both. It expects originals without the trailing
 * blanks of char(n), as `OriginalsReader` returns them.
 */
function common(a: ColumnMask, b: ColumnMask): ColumnMask {
  const { name, path, rule, isText, isBlankPadded } = a.column;
  const canonical = [a, b]
    .map((mask) => mask.column.canonical)
    .find((one) => one !== undefined && one !== 'padded');
  const maxLength = shorter(a.column.maxLength, b.column.maxLength);
  return { ...a, column: { name, path, rule, isText, isBlankPadded, ...defined({ canonical, maxLength }) } };
}

/**
 * Adds to each mask the number of the candidate value that was chosen for each original.
 * @param attempts by group id
 */
export function withAttempts(
  masks: TableMasks,
  attempts: ReadonlyMap<string, NonNullable<ColumnMask['originalAttempts']>>,
): TableMasks {
  const finalize = (mask: ColumnMask): ColumnMask => {
    const found = mask.originalKey === undefined ? undefined : attempts.get(groupId(mask));
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
