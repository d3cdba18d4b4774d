import { MaskingError } from '@understudy/masking';
import { type RuleTrial } from '@understudy/sync-engine';
import { SyncJobError } from '@understudy/sync-job';
import type { StandardOutput } from '../io/standard-output.js';
import type { Colours } from '../terminal/colours.js';
import type { TableFindings } from './findings.js';
import { previewText } from './preview-text.js';
import type { Decision, Decisions } from './proposal.js';
import { sqlTableName } from './sql-table-name.js';

const ROWS = 5;
/** Tables that are shown; who has more runs it for some of them. */
const MOST_TABLES = 20;

export interface PreviewRequest {
  readonly findings: readonly TableFindings[];
  readonly decisions: Decisions;
  readonly trial: Pick<RuleTrial, 'preview'>;
  readonly output: Pick<StandardOutput, 'write'>;
  readonly colours: Colours;
}

/** Writes five rows before and after of each table with rules, nowhere but to the output. */
export async function showPreviews({
  findings,
  decisions,
  trial,
  output,
  colours,
}: PreviewRequest): Promise<void> {
  const ruled = findings.flatMap(({ table }, i) => {
    const columns = [...(decisions[i] ?? new Map<string, Decision>())].flatMap(([name, decision]) =>
      decision.kind === 'rule' ? [{ name, rule: decision.rule }] : [],
    );
    return columns.length === 0 ? [] : [{ name: sqlTableName(table.name), columns }];
  });
  for (const rules of ruled.slice(0, MOST_TABLES)) {
    try {
      await output.write(`${previewText(rules.name, await trial.preview([rules], ROWS), colours)}\n`);
    } catch (error) {
      if (!(error instanceof SyncJobError) && !(error instanceof MaskingError)) throw error;
      await output.write(`${rules.name}: gave no rows in time\n\n`);
    }
  }
  if (ruled.length > MOST_TABLES)
    await output.write(`… and ${ruled.length - MOST_TABLES} more tables with rules: --tables shows them\n\n`);
}
