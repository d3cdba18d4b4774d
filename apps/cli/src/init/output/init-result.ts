import type { RuleDefinition } from '@understudy/personal-data';
import { type DetectedTable, sqlTableName } from '../detect/detected-table.js';
import type { Decisions } from '../propose/choose-rules.js';

/** The result of `understudy init`, without any value of a row. */
export interface InitResult {
  readonly file: string;
  readonly tables: number;
  readonly columns: number;
  readonly rules: readonly RuledColumn[];
  /** Columns that look personal but got no rule. */
  readonly to_decide: readonly {
    readonly table: string;
    readonly column: string;
    readonly what: string;
    readonly obstacle: string;
  }[];
  /** The columns that are copied unchanged, by table. */
  readonly unruled: Readonly<Record<string, readonly string[]>>;
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
  /** Tables whose sample failed or took too long, or for which no time was left. */
  readonly unsampled: readonly string[];
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
    if (decision.kind === 'preserve') unruled.set(table, [...(unruled.get(table) ?? []), column]);
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
    to_decide: all.flatMap(({ table, column, decision }) =>
      decision.kind === 'withheld'
        ? [{ table, column, what: decision.what, obstacle: decision.blocker }]
        : [],
    ),
    unruled: Object.fromEntries(unruled),
    unreadable,
    unsampled: detected.filter(({ isSampled }) => !isSampled).map(({ table }) => sqlTableName(table.name)),
  };
}
