import type { Written } from '@understudy/personal-data';
import type { RuleTrial } from '@understudy/sync-engine';
import { keyOf } from './column-groups.js';
import type { ColumnProposal } from './column-proposals.js';
import type { TableFindings } from './findings.js';
import type { Decision, Decisions } from './proposal.js';
import { sqlTableName } from './sql-table-name.js';

/** Tables whose rules are tried by one transaction. */
const BATCH = 20;

/**
 * Takes for each column the first of its rules that the column takes, asked of the server: types, lengths, domains, CHECK constraints. What
 * is found and gets no rule is kept and said.
 * @throws SyncJobError
 */
export async function settleProposals(
  findings: readonly TableFindings[],
  proposals: readonly ColumnProposal[],
  trial: Pick<RuleTrial, 'misfits'>,
): Promise<Decisions> {
  const settling = new Settling(findings, proposals);
  // Every round but the last takes a candidate away.
  for (let tables = settling.untried(); tables.length > 0; tables = settling.untried()) {
    for (let at = 0; at < tables.length; at += BATCH) {
      const batch = tables.slice(at, at + BATCH);
      const misfits = await trial.misfits(batch.map(({ name, columns }) => ({ name, columns })));
      settling.note(
        batch,
        misfits.map(({ table, column }) => ({ table: batch[table]?.index ?? -1, column })),
      );
    }
  }
  return findings.map(({ table }, index) => {
    const decisions = table.columns.map(({ name, isGenerated }) => {
      const decision: Decision = isGenerated ? { kind: 'computed' } : settling.decisionFor(index, name);
      return [name, decision] as const;
    });
    return new Map(decisions);
  });
}

interface TriedTable {
  readonly index: number;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly rule: Written }[];
}

/** Which rule each column has so far, and which are known to fit: a rule that fits a type once fits it everywhere. */
class Settling {
  /** Into the candidates. */
  private readonly chosen = new Map<ColumnProposal, number>();
  private readonly byPlace: ReadonlyMap<string, ColumnProposal>;
  private readonly fitting = new Set<string>();
  private readonly touched: readonly number[];

  constructor(
    private readonly findings: readonly TableFindings[],
    proposals: readonly ColumnProposal[],
  ) {
    this.byPlace = new Map(
      proposals.flatMap((proposal) => proposal.places.map((place) => [keyOf(place), proposal] as const)),
    );
    this.touched = [...new Set(proposals.flatMap(({ places }) => places.map(({ table }) => table)))];
  }

  untried(): readonly TriedTable[] {
    // Of many tables with the same columns one is enough.
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
    misfits: readonly { readonly table: number; readonly column: string }[],
  ): void {
    const failed = new Set(misfits.map(keyOf));
    // What stands beside a misfit may not have been tried.
    if (failed.size === 0)
      for (const key of tables.flatMap((table) => this.fitKeys(table))) this.fitting.add(key);
    const proposals = new Set([...failed].flatMap((key) => this.byPlace.get(key) ?? []));
    for (const proposal of proposals) this.chosen.set(proposal, (this.chosen.get(proposal) ?? 0) + 1);
  }

  decisionFor(table: number, column: string): Decision {
    const proposal = this.byPlace.get(keyOf({ table, column }));
    if (proposal === undefined) return { kind: 'preserve' };
    const { what, reason, obstacle = 'the column takes none of the rules that there are for it' } = proposal;
    const rule = this.ruleOf(proposal);
    return rule === undefined
      ? { kind: 'withheld', what, reason, obstacle }
      : { kind: 'rule', rule, what, reason };
  }

  private ruleOf(proposal: ColumnProposal | undefined): Written | undefined {
    if (proposal === undefined) return undefined;
    const { candidates } = proposal;
    const chosen = this.chosen.get(proposal) ?? 0;
    return candidates[chosen === 0 && !this.hasAllItReads(proposal) ? 1 : chosen];
  }

  /** What is read reads nothing itself. */
  private hasAllItReads({ places, reads = [] }: ColumnProposal): boolean {
    const table = places[0]?.table ?? -1;
    return reads.every((column) => this.ruleOf(this.byPlace.get(keyOf({ table, column }))) !== undefined);
  }

  private rulesOf(index: number): TriedTable {
    const { table } = this.findings[index] as TableFindings;
    const columns = table.columns.flatMap(({ name }) => {
      const rule = this.ruleOf(this.byPlace.get(keyOf({ table: index, column: name })));
      return rule === undefined ? [] : [{ name, rule: evenly(rule) }];
    });
    return { index, name: sqlTableName(table.name), columns };
  }

  /** What decides whether the rule of each column fits: its type, and of a column that a CHECK reads the table with all its rules. */
  private fitKeys({ index, columns }: TriedTable): readonly string[] {
    const { table } = this.findings[index] as TableFindings;
    return columns.map(({ name, rule }) => {
      const column = table.columns.find((one) => one.name === name);
      const readsOthers = this.byPlace.get(keyOf({ table: index, column: name }))?.reads !== undefined;
      const checked = table.checkedColumns.has(name) || readsOthers ? [table.oid, name, columns] : [];
      return JSON.stringify([rule, column?.sqlType, column?.notNull, ...checked]);
    });
  }
}

/** A list without its weights: a trial is to meet each of its values, the rare ones too. */
function evenly(rule: Written): Written {
  const { type, values } = rule;
  if (type !== 'list' || !Array.isArray(values)) return rule;
  const bare = values.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : entry,
  );
  return { ...rule, values: bare };
}
