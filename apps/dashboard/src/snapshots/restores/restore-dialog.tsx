import { useNavigate } from '@tanstack/react-router';
import type { ListedSnapshot } from '@understudy/client';
import { Button, Checkbox, Dialog, ErrorNotice, Form, Notice, TextField, toast } from '@understudy/ui';
import { useState } from 'react';

import { fieldProblems, problemOf } from '../../api/problem.js';
import { DatabaseField } from '../../work/database-field.js';
import { useSnapshotChanges } from '../queries.js';
import { targetName } from './target-name.js';
import { TEXTS } from '../texts.js';

const { restoring: texts } = TEXTS;

/** Restores a snapshot into a database, after the user has typed its name. Opens the page of the restore. */
export function RestoreDialog({
  snapshot: { id, name },
  onClose,
}: {
  readonly snapshot: Pick<ListedSnapshot, 'id' | 'name'>;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const { restore } = useSnapshotChanges();
  const [target, setTarget] = useState('');
  const [overwrite, setOverwrite] = useState(false);
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const word = targetName(target);
  const problems = fieldProblems(restore.error, { target_database: 'target' });
  const submit = () => {
    const isConfirmed = word !== undefined && typed === word;
    setRefused(!isConfirmed);
    if (!isConfirmed) return;
    restore.mutate(
      { id, target_database: target.trim(), overwrite },
      {
        onSuccess: ({ restore_id: restoreId }) => {
          toast.success(texts.done);
          void navigate({
            to: '/snapshots/$snapshotId/restores/$restoreId',
            params: { snapshotId: id, restoreId },
          });
        },
      },
    );
  };
  const change = (set: () => void) => {
    setRefused(false);
    set();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.title(name)}
      description={texts.consequence}
      dismissible={false}
    >
      <Form onSubmit={submit}>
        {problems.target === undefined && restore.error && <Refusal error={restore.error} />}
        <DatabaseField
          label={texts.target}
          hint={texts.targetHint}
          value={target}
          onChange={(value) => change(() => setTarget(value))}
          error={isRefused && word === undefined ? texts.targetInvalid : problems.target}
        />
        <Checkbox
          label={texts.overwrite}
          hint={texts.overwriteHint}
          checked={overwrite}
          onChange={setOverwrite}
        />
        {word !== undefined && (
          <TextField
            label={texts.confirm(word)}
            value={typed}
            onChange={(value) => change(() => setTyped(value))}
            maxLength={200}
            autoComplete="off"
            error={isRefused ? texts.mismatch(word) : undefined}
            required
            mono
          />
        )}
        {restore.isPending && <Notice text={texts.checking} />}
        <div className="flex flex-wrap items-center justify-end gap-2 pt-1">
          <span className="grow text-sm text-muted">{texts.noCancel}</span>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" kind="danger" pending={restore.isPending}>
            {texts.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A refused restore. The message of the server about the target contains the remedy. */
function Refusal({ error }: { readonly error: Error }) {
  const problem = problemOf(error);
  if (problem.status === 409)
    return (
      <ErrorNotice problem={{ title: texts.refused, text: problem.text, requestId: problem.requestId }} />
    );
  if (problem.status === 503) return <ErrorNotice problem={{ ...problem, title: texts.unavailable }} />;
  return <ErrorNotice problem={problem} />;
}
