import type { RuleDefinition } from '@understudy/personal-data';
import type { RuleTrial } from '@understudy/sync-engine';
import { keyOf } from './column-groups.js';
import type { ColumnProposal } from './propose-columns.js';
import { type TableFindings, sqlTableName } from '../detect/findings.js';

/** Decides what the job file says about a column. */
export type Decision =
  | {
      readonly kind: 'rule';
      readonly rule: RuleDefinition;
      /** What the column seems to hold, in a word or two. */
      readonly what: string;
      readonly reason: string;
    }
  /** The column is personal, and takes none of the rules. */
  | { readonly kind: 'withheld'; readonly what: string; readonly reason: string; readonly obstacle: string }
  | { readonly kind: 'preserve' }
  | { readonly kind: 'computed' };

/** The decisions by index of the table among the findings, then by column. */
export type Decisions = readonly ReadonlyMap<string, Decision>[];

/** Tables whose rules are tried by one transaction. */
const BATCH = 20;

/**
 * Chooses for each column the first of its rules that the server accepts: types, lengths, domains, CHECK constraints.
 * A personal column without such a rule is reported.
 * @throws SyncJobError
 */
export async function chooseRules(
  findings: readonly TableFindings[],
  proposals: readonly ColumnProposal[],
  trial: Pick<RuleTrial, 'mismatches'>,
): Promise<Decisions> {
  const choice = new RuleChoice(findings, proposals);
  // Every round but the last takes a candidate away.
  for (let tables = choice.untried(); tables.length > 0; tables = choice.untried()) {
    for (let at = 0; at < tables.length; at += BATCH) {
      const batch = tables.slice(at, at + BATCH);
      const mismatches = await trial.mismatches(batch.map(({ name, columns }) => ({ name, columns })));
      choice.note(
        batch,
        mismatches.map(({ table, column }) => ({ table: batch[table]?.index ?? -1, column })),
      );
    }
  }
  return findings.map(({ table }, index) => {
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

/** Keeps which rule each column has so far and which rules fit. A rule that fits a type once fits it everywhere. */
class RuleChoice {
  /** The index of the chosen candidate. */
  private readonly chosen = new Map<ColumnProposal, number>();
  private readonly byPath: ReadonlyMap<string, ColumnProposal>;
  private readonly fitting = new Set<string>();
  private readonly touched: readonly number[];

  constructor(
    private readonly findings: readonly TableFindings[],
    proposals: readonly ColumnProposal[],
  ) {
    this.byPath = new Map(
      proposals.flatMap((proposal) => proposal.paths.map((path) => [keyOf(path), proposal] as const)),
    );
    this.touched = [...new Set(proposals.flatMap(({ paths }) => paths.map(({ table }) => table)))];
  }

  untried(): readonly TriedTable[] {
    // One of several tables with the same columns is enough.
    const asked = new Set<string>();
    return this.touched.flatMap((index) => {
      const table = this.rulesOf(index);
      const keys = this.fitKeys(table).filter((key) => !this.fitting.has(key) && !asked.has(key));
      for (const key of keys) asked.add(key);
      return keys.length === 0 ? [] : [table];
    });
  }

  note(
    tables: readonly TriedTable[],
    mismatches: readonly { readonly table: number; readonly column: string }[],
  ): void {
    const failed = new Set(mismatches.map(keyOf));
    // The columns beside a mismatch may not have been tried.
    if (failed.size === 0)
      for (const key of tables.flatMap((table) => this.fitKeys(table))) this.fitting.add(key);
    const proposals = new Set([...failed].flatMap((key) => this.byPath.get(key) ?? []));
    for (const proposal of proposals) this.chosen.set(proposal, (this.chosen.get(proposal) ?? 0) + 1);
  }

  decisionFor(table: number, column: string): Decision {
    const proposal = this.byPath.get(keyOf({ table, column }));
    if (proposal === undefined) return { kind: 'preserve' };
    const { what, reason, obstacle = 'the column takes none of the rules that there are for it' } = proposal;
    const rule = this.ruleOf(proposal);
    return rule === undefined
      ? { kind: 'withheld', what, reason, obstacle }
      : { kind: 'rule', rule, what, reason };
  }

  private ruleOf(proposal: ColumnProposal | undefined): RuleDefinition | undefined {
    if (proposal === undefined) return undefined;
    const { candidates } = proposal;
    const chosen = this.chosen.get(proposal) ?? 0;
    return candidates[chosen === 0 && !this.hasAllItReads(proposal) ? 1 : chosen];
  }

  /** Columns that are read read no column themselves. */
  private hasAllItReads({ paths, reads = [] }: ColumnProposal): boolean {
    const table = paths[0]?.table ?? -1;
    return reads.every((column) => this.ruleOf(this.byPath.get(keyOf({ table, column }))) !== undefined);
  }

  private rulesOf(index: number): TriedTable {
    const { table } = this.findings[index] as TableFindings;
    const columns = table.columns.flatMap(({ name }) => {
      const rule = this.ruleOf(this.byPath.get(keyOf({ table: index, column: name })));
      return rule === undefined ? [] : [{ name, rule: evenly(rule) }];
    });
    return { index, name: sqlTableName(table.name), columns };
  }

  /** Returns a key for each column that decides whether its rule fits: its type, and all rules of the table if a CHECK reads it. */
  private fitKeys({ index, columns }: TriedTable): readonly string[] {
    const { table } = this.findings[index] as TableFindings;
    return columns.map(({ name, rule }) => {
      const column = table.columns.find((one) => one.name === name);
      const readsOthers = this.byPath.get(keyOf({ table: index, column: name }))?.reads !== undefined;
      const checked = table.checkedColumns.has(name) || readsOthers ? [table.oid, name, columns] : [];
      return JSON.stringify([rule, column?.sqlType, column?.notNull, ...checked]);
    });
  }
}

/** Removes the weights of a list, so that a trial meets rare values too. */
function evenly(rule: RuleDefinition): RuleDefinition {
  const { type, values } = rule;
  if (type !== 'list' || !Array.isArray(values)) return rule;
  const bare = values.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : entry,
  );
  return { ...rule, values: bare };
}
