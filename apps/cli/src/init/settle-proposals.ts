import type { Written } from '@understudy/personal-data';
import type { RuleTrial } from '@understudy/sync-engine';
import type { ColumnProposal } from './column-proposals.js';
import { keyOf } from './column-groups.js';
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
  const settled: Settled = {
    chosen: new Map(proposals.map((proposal) => [proposal, 0])),
    byPlace: byPlace(proposals),
  };
  const touched = [...new Set(proposals.flatMap(({ places }) => places.map(({ table }) => table)))];
  for (let at = 0; at < touched.length; at += BATCH) {
    await settleTables(touched.slice(at, at + BATCH), findings, settled, trial);
  }
  return findings.map(({ table }, index) => {
    const decisions = table.columns.map(({ name, isGenerated }) => {
      const proposal = settled.byPlace.get(keyOf({ table: index, column: name }));
      return [name, isGenerated ? COMPUTED : decisionOf(proposal, settled)] as const;
    });
    return new Map(decisions);
  });
}

interface Settled {
  /** Into the candidates. */
  readonly chosen: Map<ColumnProposal, number>;
  readonly byPlace: ReadonlyMap<string, ColumnProposal>;
}

const COMPUTED: Decision = { kind: 'computed' };

async function settleTables(
  tables: readonly number[],
  findings: readonly TableFindings[],
  { chosen, byPlace }: Settled,
  trial: Pick<RuleTrial, 'misfits'>,
): Promise<void> {
  for (;;) {
    const rules = tables.map((index) => ({
      name: sqlTableName(findings[index]?.table.name ?? { schema: '', table: '' }),
      columns: [...ruledColumns(index, findings, { chosen, byPlace })],
    }));
    const misfits = await trial.misfits(rules);
    const failed = new Set(
      misfits.flatMap(
        ({ table, column }) => byPlace.get(keyOf({ table: tables[table] ?? -1, column })) ?? [],
      ),
    );
    // Every round takes a candidate away: there are as many rounds as candidates at most.
    for (const proposal of failed) chosen.set(proposal, (chosen.get(proposal) ?? 0) + 1);
    if (failed.size === 0) return;
  }
}

function* ruledColumns(
  index: number,
  findings: readonly TableFindings[],
  { chosen, byPlace }: Settled,
): Generator<{ name: string; rule: Written }> {
  for (const { name } of findings[index]?.table.columns ?? []) {
    const proposal = byPlace.get(keyOf({ table: index, column: name }));
    const rule = proposal?.candidates[chosen.get(proposal) ?? 0];
    if (rule !== undefined) yield { name, rule };
  }
}

function decisionOf(proposal: ColumnProposal | undefined, { chosen }: Settled): Decision {
  if (proposal === undefined) return { kind: 'preserve' };
  const { candidates, what, reason, obstacle } = proposal;
  const rule = candidates[chosen.get(proposal) ?? 0];
  if (rule !== undefined) return { kind: 'rule', rule, what, reason };
  return {
    kind: 'withheld',
    what,
    reason,
    obstacle: obstacle ?? 'the column takes none of the rules that there are for it',
  };
}

function byPlace(proposals: readonly ColumnProposal[]): ReadonlyMap<string, ColumnProposal> {
  return new Map(
    proposals.flatMap((proposal) => proposal.places.map((place) => [keyOf(place), proposal] as const)),
  );
}
