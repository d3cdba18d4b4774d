import { ConfirmDialog, type ConfirmDialogProps } from '@understudy/ui';

import type { JobForm } from '../form/job-form.js';
import { TEXTS } from '../texts.js';

const { confirm: texts } = TEXTS;

/** Asks before the job replaces its target. If it replaces the whole database, the user types its name. */
export function StartDialog({
  form: { name, tables, target, replace },
  ...props
}: { readonly form: JobForm } & Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'pending' | 'onConfirm'>) {
  const title = texts.title(name);
  if (replace === 'database')
    return (
      <ConfirmDialog
        {...props}
        title={title}
        consequence={texts.ofDatabase(shownDatabase(target))}
        confirmLabel={texts.confirm}
        typeToConfirm={target.trim().replace(/^agent:/, '')}
      />
    );
  return (
    <ConfirmDialog
      {...props}
      title={title}
      consequence={texts.consequence(texts.tables(tables.length), shownDatabase(target))}
      confirmLabel={texts.confirm}
    />
  );
}

/** A URL is not shown, because it may contain a password. */
function shownDatabase(database: string): string {
  return database.startsWith('agent:') ? database : texts.urlTarget;
}
