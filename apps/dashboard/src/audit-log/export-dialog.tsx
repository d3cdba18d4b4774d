import type { ListAuditEntriesQuery } from '@understudy/client';
import { RadioGroup } from '@understudy/ui';
import { useEffect, useRef, useState } from 'react';

import { MutationDialog } from '../api/mutation-dialog.js';
import { saveFile } from '../api/save-file.js';
import { EXPORT_FORMATS, toFile, type ExportFormat } from './entries-file.js';
import { loadEntries, MAX_EXPORTED } from './queries.js';
import { TEXTS } from './texts.js';

const { export: texts } = TEXTS;

/** Saves the entries that match the filters as a file. Closing the dialog ends the calls. */
export function ExportDialog({
  query,
  total,
  onClose,
}: {
  readonly query: ListAuditEntriesQuery;
  /** The number of entries that match the filters. */
  readonly total: number;
  readonly onClose: () => void;
}) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const calls = useRef<AbortController>(undefined);
  useEffect(() => () => calls.current?.abort(), []);
  const run = async () => {
    calls.current = new AbortController();
    const entries = await loadEntries(query, new Date(), calls.current.signal);
    saveFile(toFile(entries, format), `audit-log.${format}`);
    return entries.length;
  };
  return (
    <MutationDialog
      title={texts.title}
      text={texts.text(Math.min(total, MAX_EXPORTED), total > MAX_EXPORTED)}
      confirmLabel={texts.confirm}
      run={run}
      done={texts.done}
      onClose={onClose}
    >
      {() => (
        <RadioGroup
          label={texts.format}
          options={EXPORT_FORMATS.map((value) => ({ value, ...texts.formats[value] }))}
          value={format}
          onChange={setFormat}
        />
      )}
    </MutationDialog>
  );
}
