import { UNLISTED_COLUMNS, type UnlistedColumns } from '@understudy/sync-job';

/** The texts about a way to treat columns without a rule. */
interface ModeTexts {
  /** The choice in a form. */
  readonly choice: string;
  /** The effect on such columns, about one job. */
  readonly effect: string;
  /** The effect, in a table of columns. */
  readonly treatment: string;
}

/** In the order of a form: the strictest mode is the first one. */
export const UNLISTED_TEXTS: Readonly<Record<UnlistedColumns, ModeTexts>> = {
  reject: {
    choice: 'Fail the job before a row is read',
    effect: 'Not allowed',
    treatment: 'Not allowed',
  },
  null: { choice: 'Write NULL', effect: 'NULL', treatment: 'NULL' },
  preserve: { choice: 'Copy them unchanged', effect: 'Copied unchanged', treatment: 'Kept' },
};

export function isUnlistedColumns(value: unknown): value is UnlistedColumns {
  return UNLISTED_COLUMNS.some((known) => known === value);
}
