import { type Canonical, foldOfLocale } from '@understudy/masking';
import {
  readForeignKeys,
  readTableKeys,
  type ColumnType,
  type ForeignKey,
  type TableKeys,
  type UniqueKey,
} from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../table-plan.js';

/** The unique keys and foreign keys that the values of a job's tables must satisfy. */
export interface JobKeys {
  /** The keys of the tables, in the order of the plans. */
  readonly tables: readonly PlanKeys[];
  readonly references: readonly Reference[];
  /**
   * The columns of listed tables whose values must match those of rows outside the job. Foreign keys of unlisted target
   * tables refer to them. Or a foreign key refers to a partitioned table of which the job lists only some partitions.
   */
  readonly sharedWithOutside: readonly ColumnLocation[];
}

export interface PlanKeys {
  readonly source: TableKeys;
  /** The keys of the table on the target. If the job creates this table, the keys of the source's table. */
  readonly written: TableKeys;
}

/** A column of a listed table. */
export interface ColumnLocation {
  /** The index of the table's plan. */
  readonly plan: number;
  readonly column: string;
}

/** One column of a foreign key between listed tables. */
export interface Reference {
  /** The foreign key, and its columns in the referencing table. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly from: ColumnLocation;
  readonly to: ColumnLocation;
  /** False if only the target has the foreign key. */
  readonly isOnSource: boolean;
  /** False if rows of the source may have values that the referenced column lacks. */
  readonly isValidated: boolean;
  /** See `ForeignKey`. */
  readonly hasDefaultEquality: boolean;
}

const NOTHING: TableKeys = { unique: [], derived: [], types: new Map(), checks: [] };

/**
 * Reads the keys of a job's tables from the catalogs of both databases.
 * @param trustsKeys if false, no reference counts as validated, because the job copies rows that violate keys
 */
export async function readJobKeys(
  plans: readonly TablePlan[],
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  trustsKeys = true,
): Promise<JobKeys> {
  const sourceOids = plans.map((plan) => plan.source.oid);
  const targetOids = plans.flatMap((plan) => plan.target?.oid ?? []);
  const onSource = {
    keys: await readTableKeys(source, sourceOids),
    foreign: await readForeignKeys(source, sourceOids),
  };
  const onTarget = {
    keys: await readTableKeys(target, targetOids),
    foreign: await readForeignKeys(target, targetOids),
  };
  const bySource = new Map(plans.map((plan, i) => [plan.source.oid, i]));
  const byTarget = new Map(plans.flatMap((plan, i) => (plan.target ? [[plan.target.oid, i] as const] : [])));
  return {
    tables: plans.map((plan) => {
      const ofSource = onSource.keys.get(plan.source.oid) ?? NOTHING;
      const written = plan.target === undefined ? ofSource : (onTarget.keys.get(plan.target.oid) ?? NOTHING);
      return { source: ofSource, written };
    }),
    references: mergedReferences(
      onSource.foreign.flatMap((key) => referencesOf(key, bySource, trustsKeys)),
      onTarget.foreign.flatMap((key) => referencesOf(key, byTarget, false)),
    ),
    sharedWithOutside: [
      ...onSource.foreign
        .filter(({ table, isReferencedListed }) => bySource.has(table) && !isReferencedListed)
        .flatMap((key) => referencedColumns(key, bySource)),
      ...onTarget.foreign
        .filter(({ isTableListed, isReferencedListed }) => !isTableListed || !isReferencedListed)
        .flatMap((key) => referencedColumns(key, byTarget)),
    ],
  };
}

/**
 * Merges the references of both databases. What the target's keys promise does not hold for the source's rows, so
 * a reference that only the target has is not validated.
 */
function mergedReferences(
  onSource: readonly Omit<Reference, 'isOnSource'>[],
  onTarget: readonly Omit<Reference, 'isOnSource'>[],
): readonly Reference[] {
  const merged = new Map<string, Reference>();
  const all = [
    ...onSource.map((one) => ({ ...one, isOnSource: true })),
    ...onTarget.map((one) => ({ ...one, isOnSource: false })),
  ];
  for (const one of all) {
    const id = JSON.stringify([one.from, one.to]);
    const known = merged.get(id) ?? one;
    merged.set(id, {
      ...known,
      isValidated: known.isValidated || one.isValidated,
      hasDefaultEquality: known.hasDefaultEquality && one.hasDefaultEquality,
    });
  }
  return [...merged.values()];
}

function referencesOf(
  { name, table, columns, referenced, referencedColumns, areValidated, hasDefaultEquality }: ForeignKey,
  planOf: ReadonlyMap<string, number>,
  isTrusted: boolean,
): readonly Omit<Reference, 'isOnSource'>[] {
  const from = planOf.get(table);
  const to = planOf.get(referenced);
  if (from === undefined || to === undefined) return [];
  return columns.map((column, i) => ({
    ...{ name, columns },
    from: { plan: from, column },
    to: { plan: to, column: referencedColumns[i] ?? '' },
    ...{ isValidated: isTrusted && areValidated[i] === true, hasDefaultEquality },
  }));
}

/** Returns the columns of a listed table that the key references. */
function referencedColumns(
  { referenced, referencedColumns: columns }: ForeignKey,
  planOf: ReadonlyMap<string, number>,
): readonly ColumnLocation[] {
  const plan = planOf.get(referenced);
  return plan === undefined ? [] : columns.map((column) => ({ plan, column }));
}

/**
 * Returns the conversion after which equal values of a type, such as `1` and `1.0`, have the same text.
 * @returns undefined if no conversion is needed
 */
export function canonicalOf(type: ColumnType | undefined): Canonical | undefined {
  if (type?.base === 'numeric') return 'number';
  if (type?.base === 'citext') return 'folded';
  return type?.base === 'bpchar' ? 'padded' : undefined;
}

/**
 * Returns the conversion after which new values have the same text if a unique key treats them as equal.
 * @returns undefined if no conversion is needed
 */
export function canonicalInKey(
  { folded, loose }: UniqueKey,
  types: TableKeys['types'],
  column: string,
): Canonical | undefined {
  const locale = loose.find((one) => one.column === column)?.locale;
  if (locale !== undefined) return foldOfLocale(locale);
  const canonical = folded.includes(column) ? 'folded' : canonicalOf(types.get(column));
  return canonical === 'folded' ? 'lowered' : canonical;
}

/**
 * Returns the kind of a type. The texts of two values can be compared only if their types have the same kind.
 */
export function kindOf(type: ColumnType | undefined): string {
  const base = type?.base ?? '';
  if (['int2', 'int4', 'int8', 'numeric'].includes(base)) return 'number';
  return ['text', 'varchar', 'bpchar', 'name', 'citext'].includes(base) ? 'text' : base;
}

export function isInteger(type: ColumnType | undefined): boolean {
  return type !== undefined && ['int2', 'int4', 'int8'].includes(type.base);
}
