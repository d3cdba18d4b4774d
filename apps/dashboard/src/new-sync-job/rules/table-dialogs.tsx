import { UNLISTED_COLUMNS } from '@understudy/sync-job';
import {
  Button,
  Checkbox,
  ConfirmDialog,
  Dialog,
  NumberField,
  Select,
  TextArea,
  TextField,
} from '@understudy/ui';
import { useState } from 'react';

import { UNLISTED_TEXTS } from '../../work/unlisted-columns.js';
import { namesIn } from '../form/change-form.js';
import type { TableForm } from '../form/job-form.js';
import { TEXTS } from '../texts.js';

/** Asks for the names of tables or columns. */
export function NamesDialog({
  title,
  label,
  hint,
  confirm,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly confirm: string;
  readonly onConfirm: (names: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      size="medium"
      kind="primary"
      dismissible={false}
      confirmLabel={confirm}
      onConfirm={() => onConfirm(namesIn(text))}
    >
      <TextArea label={label} hint={hint} value={text} onChange={setText} rows={6} mono required />
    </ConfirmDialog>
  );
}

const { table: texts } = TEXTS;
const OF_JOB = 'job';

/** Edits the name of a table, the rows to copy, and what happens to its other columns. */
export function TableDialog({
  table,
  isOfDatabase,
  onChange,
  errors,
  onClose,
}: {
  readonly table: TableForm;
  /** True if the job replaces a whole database, which a table can be a part of without rows. */
  readonly isOfDatabase: boolean;
  readonly onChange: (change: Partial<TableForm>) => void;
  readonly errors: Readonly<Partial<Record<'name' | 'where' | 'limit' | 'columns', string>>>;
  readonly onClose: () => void;
}) {
  const { name, where, limit, unlistedColumns, needsWhere, isEmpty = false } = table;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.title(name)}
      dismissible={false}
      actions={
        <Button kind="primary" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        mono
        required
        value={name}
        onChange={(next) => onChange({ name: next })}
        error={errors.name}
      />
      {(isOfDatabase || isEmpty) && (
        <Checkbox
          label={texts.withoutRows}
          hint={texts.withoutRowsHint}
          checked={isEmpty}
          onChange={(isChecked) => onChange({ isEmpty: isChecked })}
        />
      )}
      <TextArea
        label={texts.where}
        hint={texts.whereHint}
        mono
        rows={3}
        maxLength={4_096}
        required={needsWhere}
        value={where}
        onChange={(next) => onChange({ where: next })}
        error={errors.where}
      />
      <NumberField
        label={texts.limit}
        hint={texts.limitHint}
        min={0}
        max={2 ** 31}
        value={limit}
        onChange={(next) => onChange({ limit: next })}
        error={errors.limit}
      />
      {!isOfDatabase && (
        <Select
          label={texts.unlisted}
          options={[
            { value: OF_JOB, label: texts.ofJob },
            ...UNLISTED_COLUMNS.map((value) => ({ value, label: UNLISTED_TEXTS[value].choice })),
          ]}
          value={unlistedColumns ?? OF_JOB}
          onChange={(next) => onChange({ unlistedColumns: UNLISTED_COLUMNS.find((known) => known === next) })}
        />
      )}
    </Dialog>
  );
}
