import { ConfirmDialog, type ConfirmDialogProps } from '@understudy/ui';

import type { JobForm } from '../form/job-form.js';
import { TEXTS } from '../texts.js';

const { confirm: texts } = TEXTS;

/** Asks before the job replaces the tables of its target. */
export function StartDialog({
  form: { name, tables, target },
  ...props
}: { readonly form: JobForm } & Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'pending' | 'onConfirm'>) {
  return (
    <ConfirmDialog
      {...props}
      title={texts.title(name)}
      consequence={texts.consequence(texts.tables(tables.length), shownDatabase(target))}
      confirmLabel={texts.confirm}
    />
  );
}

/** A URL is not shown, because it may contain a password. */
function shownDatabase(database: string): string {
  return database.startsWith('agent:') ? database : texts.urlTarget;
}
