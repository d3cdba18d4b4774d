import { useNavigate } from '@tanstack/react-router';
import type { ListedSnapshot } from '@understudy/client';
import { Checkbox, TextField } from '@understudy/ui';
import { useState } from 'react';

import { client } from '../../api/client.js';
import { MutationDialog, useFields } from '../../api/mutation-dialog.js';
import { DatabaseField } from '../../work/database-field.js';
import { SNAPSHOTS } from '../queries.js';
import { TEXTS } from '../texts.js';
import { targetName } from './target-name.js';

const { restoring: texts } = TEXTS;
/** Maps the paths of the API to the fields. Only this page checks the typed word. */
const FIELDS: Readonly<Record<string, 'target' | 'typed'>> = { target_database: 'target' };

/** Restores a snapshot into a database, after the user has typed its name. Opens the page of the restore. */
export function RestoreDialog({
  snapshot: { id, name },
  onClose,
}: {
  readonly snapshot: Pick<ListedSnapshot, 'id' | 'name'>;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const [overwrite, setOverwrite] = useState(false);
  const { values, field } = useFields({ target: '', typed: '' });
  const { target, typed } = values;
  const word = targetName(target);
  const check = () => {
    if (word === undefined) return { target: texts.targetInvalid };
    return { typed: typed === word ? undefined : texts.mismatch(word) };
  };
  return (
    <MutationDialog
      title={texts.title(name)}
      text={texts.consequence}
      confirmLabel={texts.submit}
      kind="danger"
      size="medium"
      check={check}
      run={() => client.snapshots.restore(id, { target_database: target.trim(), overwrite })}
      queryKey={SNAPSHOTS}
      done={texts.done}
      fields={FIELDS}
      titles={{ 409: texts.refused, 503: texts.unavailable }}
      onClose={onClose}
      onDone={({ restore_id: restoreId }) =>
        navigate({
          to: '/snapshots/$snapshotId/restores/$restoreId',
          params: { snapshotId: id, restoreId },
        })
      }
    >
      {(problems) => (
        <>
          <DatabaseField {...field('target', problems)} label={texts.target} hint={texts.targetHint} />
          <Checkbox
            label={texts.overwrite}
            hint={texts.overwriteHint}
            checked={overwrite}
            onChange={setOverwrite}
          />
          {word !== undefined && (
            <TextField
              {...field('typed', problems)}
              label={texts.confirm(word)}
              maxLength={200}
              autoComplete="off"
              required
              mono
            />
          )}
          <p className="text-sm text-muted">{texts.checking}</p>
        </>
      )}
    </MutationDialog>
  );
}
