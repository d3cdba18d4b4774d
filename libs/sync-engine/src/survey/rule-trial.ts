import { BuiltinLibrary } from '@understudy/builtin-models';
import type { JobKeyMaterial } from '@understudy/masking';
import type { TableRules } from '../sync/sync-job-command.js';
import type { DatabaseSurvey } from './database-survey.js';
import { findMisfits, type Misfit } from './find-misfits.js';
import { planRulesOf } from './plan-rules.js';
import { previewRows, type RowPreview } from './preview-rows.js';

const TRIAL_MS = 30_000;
const PREVIEW_MS = 5_000;

/** Tries rules on a database without writing anything: whether columns take what they make, and what becomes of a few rows. */
export class RuleTrial {
  private readonly builtin = new BuiltinLibrary();

  constructor(
    private readonly survey: DatabaseSurvey,
    private readonly job: JobKeyMaterial,
  ) {}

  /** @throws SyncJobError for rules that no job takes */
  misfits(tables: readonly TableRules[]): Promise<readonly Misfit[]> {
    const { client } = this.survey;
    return this.survey.reading(TRIAL_MS, async () =>
      findMisfits(client, await planRulesOf(client, tables, this.job, this.builtin)),
    );
  }

  /** A few rows of the first of the tables; the others are those it has keys in common with. @throws SyncJobError */
  preview(tables: readonly TableRules[], rows: number): Promise<RowPreview> {
    const { client } = this.survey;
    return this.survey.reading(PREVIEW_MS, async () => {
      const { plans, masks } = await planRulesOf(client, tables, this.job, this.builtin);
      const [plan] = plans;
      if (plan === undefined) return { columns: [], before: [], after: [] };
      return previewRows(client, plan, masks[0] ?? new Map(), this.job, rows);
    });
  }
}
