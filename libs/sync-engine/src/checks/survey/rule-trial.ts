import { builtinLibrary } from '@understudy/builtin-models/node';
import type { JobKeyMaterial } from '@understudy/masking';
import { type SyncFailureCode, SyncJobError, type TableRules } from '@understudy/sync-job';
import type { DatabaseSurvey } from './database-survey.js';
import { findTypeMismatches, type TypeMismatch } from './find-type-mismatches.js';
import { planRulesOf } from './plan-survey.js';
import { previewRows, type RowPreview } from './preview-rows.js';

const TRIAL_MS = 30_000;
const PREVIEW_MS = 5_000;

/** Tries rules on a database without writing anything. */
export class RuleTrial {
  private readonly builtin = builtinLibrary();

  constructor(
    private readonly survey: DatabaseSurvey,
    private readonly job: JobKeyMaterial,
  ) {}

  /**
   * Finds columns whose rules cannot be compiled, and columns that do not accept the values of their rules.
   * @throws SyncJobError
   */
  mismatches(tables: readonly TableRules[]): Promise<readonly TypeMismatch[]> {
    const { client } = this.survey;
    return this.survey
      .reading(TRIAL_MS, async () =>
        findTypeMismatches(client, await planRulesOf(client, tables, this.job, this.builtin), this.job),
      )
      .catch((error: unknown) => mismatchOf(error, tables));
  }

  /**
   * Previews a few rows of the first table.
   * @param tables the table to preview, then the tables that share keys with it
   * @throws SyncJobError
   */
  preview(tables: readonly TableRules[], rows: number): Promise<RowPreview> {
    const { client } = this.survey;
    return this.survey.reading(PREVIEW_MS, async () => {
      const { plans, masks } = await planRulesOf(client, tables, this.job, this.builtin);
      const [plan] = plans;
      if (plan === undefined) return { columns: [], before: [], after: [], skipsLarge: false };
      return previewRows(client, plan, masks.get(0) ?? new Map(), this.job, rows);
    });
  }
}

/** Converts the error of a rule that cannot be compiled into a mismatch. Later rules are not checked. */
function mismatchOf(error: unknown, tables: readonly TableRules[]): readonly TypeMismatch[] {
  const failure = error instanceof SyncJobError ? error.failure : undefined;
  const { tableIndex: table, columnIndex } = failure ?? {};
  const column = tables[table ?? -1]?.columns[columnIndex ?? -1]?.name;
  if (failure === undefined || !UNUSABLE.has(failure.code) || table === undefined || column === undefined)
    throw error;
  return [{ table, column }];
}

/** The codes of rules that cannot be used for a column. */
const UNUSABLE: ReadonlySet<SyncFailureCode> = new Set([
  'rule_invalid',
  'rules_in_cycle',
  'rule_depends_on_row',
  'json_paths_refused',
  'model_exhausted',
  'nullable_refused',
]);
