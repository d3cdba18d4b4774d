import type { RuleDefinition } from '@understudy/personal-data';
import { type TableFindings, sqlTableName } from '../detect/findings.js';
import type { Decisions } from '../propose/choose-rules.js';

/** What an init has come to, without a value of any row. */
export interface InitResult {
  readonly file: string;
  readonly tables: number;
  readonly columns: number;
  readonly rules: readonly RuledColumn[];
  /** Something of persons that got no rule. */
  readonly to_decide: readonly {
    readonly table: string;
    readonly column: string;
    readonly what: string;
    readonly obstacle: string;
  }[];
  /** By table, the columns that are copied as they are. */
  readonly unruled: Readonly<Record<string, readonly string[]>>;
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
  /** Tables that gave no rows in time. */
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
  findings: readonly TableFindings[],
  decisions: Decisions,
  unreadable: InitResult['unreadable'],
): InitResult {
  const all = findings.flatMap(({ table }, i) =>
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
    tables: findings.length,
    columns: all.length,
    rules: all.flatMap(({ table, column, decision }) =>
      decision.kind === 'rule'
        ? [{ table, column, what: decision.what, reason: decision.reason, rule: decision.rule }]
        : [],
    ),
    to_decide: all.flatMap(({ table, column, decision }) =>
      decision.kind === 'withheld'
        ? [{ table, column, what: decision.what, obstacle: decision.obstacle }]
        : [],
    ),
    unruled: Object.fromEntries(unruled),
    unreadable,
    unsampled: findings.filter(({ isSampled }) => !isSampled).map(({ table }) => sqlTableName(table.name)),
  };
}
