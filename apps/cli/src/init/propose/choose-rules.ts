import type { RuleDefinition } from '@understudy/personal-data';
import type { RuleTrial } from '@understudy/sync-engine';
import { keyOf } from './column-groups.js';
import type { ColumnProposal } from './propose-columns.js';
import { type DetectedTable, sqlTableName } from '../detect/detected-table.js';

/** The decision about a column, which determines its entry in the job file. */
export type Decision =
  | {
      readonly kind: 'rule';
      readonly rule: RuleDefinition;
      /** The detected content of the column, in a word or two. */
      readonly what: string;
      readonly reason: string;
    }
  /** The column looks personal, but no proposed rule can be used. */
  | { readonly kind: 'withheld'; readonly what: string; readonly reason: string; readonly blocker: string }
  | { readonly kind: 'preserve' }
  | { readonly kind: 'computed' };

/** The decisions for each column, by the index of the detected table and the column's name. */
export type Decisions = readonly ReadonlyMap<string, Decision>[];

/** The number of tables whose rules one transaction tries. */
const BATCH = 20;

/**
 * Chooses for each column the first of its rules whose values the server accepts. The server checks types, lengths,
 * domains and CHECK constraints. A personal column without such a rule gets the decision `withheld`.
 * @throws SyncJobError if the server cannot run a trial
 */
export async function chooseRules(
  detected: readonly DetectedTable[],
  proposals: readonly ColumnProposal[],
  trial: Pick<RuleTrial, 'mismatches'>,
): Promise<Decisions> {
  const choice = new RuleChoice(detected, proposals);
  // Every round except the last one rejects at least one candidate, so the loop ends.
  for (let tables = choice.untried(); tables.length > 0; tables = choice.untried()) {
    for (let at = 0; at < tables.length; at += BATCH) {
      const batch = tables.slice(at, at + BATCH);
      const mismatches = await trial.mismatches(batch.map(({ name, columns }) => ({ name, columns })));
      choice.record(
        batch,
        mismatches.map(({ table, column }) => ({ table: batch[table]?.index ?? -1, column })),
      );
    }
  }
  return detected.map(({ table }, index) => {
    const decisions = table.columns.map(({ name, isGenerated }) => {
      const decision: Decision = isGenerated ? { kind: 'computed' } : choice.decisionFor(index, name);
      return [name, decision] as const;
    });
    return new Map(decisions);
  });
}

interface TriedTable {
  readonly index: number;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly rule: RuleDefinition }[];
}

/**
 * Records the current rule of each column and the rules that the server accepted. If the server accepted a rule
 * for a column, the rule is used without another check for columns with the same `fitKeys`.
 */
class RuleChoice {
  /** The index of the current candidate rule. */
  private readonly chosen = new Map<ColumnProposal, number>();
  private readonly byPath: ReadonlyMap<string, ColumnProposal>;
  private readonly fitting = new Set<string>();
  private readonly touched: readonly number[];

  constructor(
    private readonly detected: readonly DetectedTable[],
    proposals: readonly ColumnProposal[],
  ) {
    this.byPath = new Map(
      proposals.flatMap((proposal) => proposal.paths.map((path) => [keyOf(path), proposal] as const)),
    );
    this.touched = [...new Set(proposals.flatMap(({ paths }) => paths.map(({ table }) => table)))];
  }

  /** Returns the tables that have a rule which the server has neither accepted nor rejected yet. */
  untried(): readonly TriedTable[] {
    // If several tables need the same trial, only the first of these tables is tried.
    const requested = new Set<string>();
    return this.touched.flatMap((index) => {
      const table = this.rulesOf(index);
      const keys = this.fitKeys(table).filter((key) => !this.fitting.has(key) && !requested.has(key));
      for (const key of keys) requested.add(key);
      return keys.length === 0 ? [] : [table];
    });
  }

  /** Records the result of a trial. A column with a mismatch proceeds to its next rule. */
  record(
    tables: readonly TriedTable[],
    mismatches: readonly { readonly table: number; readonly column: string }[],
  ): void {
    const failed = new Set(mismatches.map(keyOf));
    // After a mismatch, the server may have skipped the other columns, so their rules do not count as accepted.
    if (failed.size === 0)
      for (const key of tables.flatMap((table) => this.fitKeys(table))) this.fitting.add(key);
    const proposals = new Set([...failed].flatMap((key) => this.byPath.get(key) ?? []));
    for (const proposal of proposals) this.chosen.set(proposal, (this.chosen.get(proposal) ?? 0) + 1);
  }

  decisionFor(table: number, column: string): Decision {
    const proposal = this.byPath.get(keyOf({ table, column }));
    if (proposal === undefined) return { kind: 'preserve' };
    const { what, blocker = 'the column accepts the values of none of the rules for it' } = proposal;
    const rule = this.ruleOf(proposal);
    const isFirst = (this.chosen.get(proposal) ?? 0) === 0 || proposal.ifNotFirst === undefined;
    const reason = isFirst ? proposal.reason : `${proposal.reason}\n${proposal.ifNotFirst}`;
    return rule === undefined
      ? { kind: 'withheld', what, reason, blocker }
      : { kind: 'rule', rule, what, reason };
  }

  private ruleOf(proposal: ColumnProposal | undefined): RuleDefinition | undefined {
    if (proposal === undefined) return undefined;
    const { candidates } = proposal;
    const chosen = this.chosen.get(proposal) ?? 0;
    return candidates[chosen === 0 && !this.hasAllItReads(proposal) ? 1 : chosen];
  }

  /**
   * Tests whether every column that the first candidate rule reads has a rule. The recursion ends, because
   * the rules of these columns read no other columns.
   */
  private hasAllItReads({ paths, reads = [] }: ColumnProposal): boolean {
    const table = paths[0]?.table ?? -1;
    return reads.every((column) => this.ruleOf(this.byPath.get(keyOf({ table, column }))) !== undefined);
  }

  private rulesOf(index: number): TriedTable {
    const { table } = this.detected[index] as DetectedTable;
    const columns = table.columns.flatMap(({ name }) => {
      const rule = this.ruleOf(this.byPath.get(keyOf({ table: index, column: name })));
      return rule === undefined ? [] : [{ name, rule: evenly(rule) }];
    });
    return { index, name: sqlTableName(table.name), columns };
  }

  /**
   * Returns a key for each column. The key contains everything that decides whether the server accepts the
   * column's rule: the rule, the column's type and its NOT NULL constraint. The key also contains all rules of the table
   * if the rule reads the original or other columns. The same applies if a CHECK constraint, an index expression or a
   * generated column reads the column.
   */
  private fitKeys({ index, columns }: TriedTable): readonly string[] {
    const { table } = this.detected[index] as DetectedTable;
    return columns.map(({ name, rule }) => {
      const column = table.columns.find((one) => one.name === name);
      const readsOthers = this.byPath.get(keyOf({ table: index, column: name }))?.reads !== undefined;
      // The new documents depend on the old ones.
      const isOfTable = table.checkedColumns.has(name) || readsOthers || 'json' in rule;
      const checked = isOfTable ? [table.oid, name, columns] : [];
      return JSON.stringify([rule, column?.sqlType, column?.notNull, ...checked]);
    });
  }
}

/** Removes the weights of a list, so that a trial also generates rare values. */
function evenly(rule: RuleDefinition): RuleDefinition {
  const { type, values } = rule;
  if (type !== 'list' || !Array.isArray(values)) return rule;
  const bare = values.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : entry,
  );
  return { ...rule, values: bare };
}
