import type { RuleDefinition } from '@understudy/personal-data';
import {
  type DetectedTable,
  type FixedColumn,
  sqlTableName,
  type UnreadColumn,
} from '../detect/detected-table.js';
import type { Decisions } from '../propose/choose-rules.js';

/** The result of `understudy init`, without any value of a row. */
export interface InitResult {
  readonly file: string;
  readonly tables: number;
  readonly columns: number;
  readonly rules: readonly RuledColumn[];
  /** Columns that look personal or are named like personal data, or of which a few values mention persons, without a rule. */
  readonly to_decide: readonly {
    readonly table: string;
    readonly column: string;
    /** The path inside the documents of the column, if only values of this path are to decide. */
    readonly path?: string;
    readonly what: string;
    readonly obstacle: string;
  }[];
  /** The columns that are copied unchanged, by table. */
  readonly unruled: Readonly<Record<string, readonly string[]>>;
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
  /** The tables and columns whose values were not read, or not all. */
  readonly not_read: readonly NotRead[];
}

export interface NotRead {
  readonly table: string;
  /** Absent if the entry is about the whole table. */
  readonly column?: string;
  /** `size` means that the table is large, so that only a sample was read. */
  readonly reason: UnreadColumn['reason'] | 'size';
  /** The share of the table that the sample has, for the reason `size`. */
  readonly share?: number;
  /** The names of the types that are not read, for the reason `type`. */
  readonly type?: string;
  /**
   * The number of non-NULL values of a column in the sample, and the number of those that were read to their end. For a
   * whole table, the same numbers of rows.
   */
  readonly sampled?: number;
  readonly read?: number;
  /** Whether the beginning of a further value was read. */
  readonly read_beginning?: boolean;
}

export interface RuledColumn {
  readonly table: string;
  readonly column: string;
  readonly what: string;
  readonly reason: string;
  readonly rule: RuleDefinition;
}

export function initResult(
  file: string,
  detected: readonly DetectedTable[],
  decisions: Decisions,
  unreadable: InitResult['unreadable'],
): InitResult {
  const all = detected.flatMap(({ table }, i) =>
    [...(decisions[i] ?? new Map())].map(([column, decision]) => ({
      table: sqlTableName(table.name),
      column,
      decision,
    })),
  );
  const unruled = new Map<string, string[]>();
  for (const { table, column, decision } of all) {
    if (decision.kind === 'preserve' || decision.kind === 'withheld')
      unruled.set(table, [...(unruled.get(table) ?? []), column]);
  }
  return {
    file,
    tables: detected.length,
    columns: all.length,
    rules: all.flatMap(({ table, column, decision }) =>
      decision.kind === 'rule'
        ? [{ table, column, what: decision.what, reason: decision.reason, rule: decision.rule }]
        : [],
    ),
    to_decide: detected.flatMap((table, i) => toDecide(table, decisions[i] ?? new Map())),
    unruled: Object.fromEntries(unruled),
    unreadable,
    not_read: detected.flatMap((table, i) => notRead(table, decisions[i])),
  };
}

/** Lists what a person has to decide about the columns of a table, in the order of the columns. */
export function toDecide(
  { table: { name }, undecided, fixed }: DetectedTable,
  decisions: Decisions[number],
): InitResult['to_decide'] {
  const table = sqlTableName(name);
  return [...decisions].flatMap(([column, decision]) => {
    if (decision.kind === 'withheld')
      return [{ table, column, what: decision.what, obstacle: decision.blocker }];
    const own = fixed.flatMap((one) => (one.column.name === column ? obstacleOf(one, decisions) : []));
    if (own.length > 0) return own.map((one) => ({ table, column, ...one }));
    const isMasked = decision.kind === 'rule' && !('json' in decision.rule);
    const open = isMasked ? [] : undecided.filter((one) => one.column.name === column);
    return open.map(({ path, reason }) => ({
      ...{ table, column },
      ...(path === undefined ? {} : { path }),
      ...reason,
    }));
  });
}

/** Returns nothing for a generated column of which every original that it reads gets a rule. */
function obstacleOf(
  { column: { labels, computedFrom }, what }: FixedColumn,
  decisions: Decisions[number],
): readonly { readonly what: string; readonly obstacle: string }[] {
  if (labels !== undefined)
    return [{ what, obstacle: 'the values are labels of an enum, which is copied, too' }];
  if (computedFrom.length === 0)
    return [{ what, obstacle: 'the database computes it from constants, which are copied, too' }];
  const kept = computedFrom.filter((column) => decisions.get(column)?.kind !== 'rule');
  if (kept.length === 0) return [];
  return [{ what, obstacle: `the database computes it from columns without a rule: ${kept.join(', ')}` }];
}

/** Lists a table, or its columns, whose values were not read, or not all. */
export function notRead(
  { table: { name }, rows, unreadColumns }: DetectedTable,
  decisions: Decisions[number] | undefined,
): readonly NotRead[] {
  const table = sqlTableName(name);
  const columns = unreadColumns
    // If a column gets a rule, its type does not matter.
    .filter(({ column, reason }) => reason !== 'type' || decisions?.get(column.name)?.kind === 'preserve')
    .map(({ column, reason, types = [], documents }) => ({
      ...{ table, column: column.name, reason },
      ...(reason === 'type' ? { type: types.join(', ') } : {}),
      ...(documents === undefined
        ? {}
        : { sampled: documents.total, read: documents.complete, read_beginning: documents.isCut }),
    }));
  const { read, sampled, share, unread } = rows;
  const own = [
    ...(unread === undefined ? [] : [{ table, reason: unread, ...(read === 0 ? {} : { sampled, read }) }]),
    ...(share === 1 ? [] : [{ table, reason: 'size' as const, share }]),
  ];
  return [...own, ...columns];
}
