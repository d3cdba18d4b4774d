import { Card, ConfirmDialog, FileDrop, Notice } from '@understudy/ui';
import { useState } from 'react';

import type { PlaygroundEngine } from '../../engine/playground-engine.js';
import type { JobForm } from '../form/job-form.js';
import { type FileProblem, MAX_FILE_BYTES, type ReadJobFile } from '../../engine/checks/read-job-file.js';
import { TEXTS } from '../texts.js';

const { start: texts } = TEXTS;

type Imported = Extract<ReadJobFile, { kind: 'form' }>;
/** The outcome of the last file. */
type Outcome =
  | { readonly kind: 'imported'; readonly file: Imported }
  | { readonly kind: 'refused'; readonly problems: readonly FileProblem[] }
  | { readonly kind: 'unreadable'; readonly text: string };

/** Fills the form from a job file, which is read in the worker and never sent. */
export function StartCard({
  engine,
  isDirty,
  onImport,
}: {
  readonly engine: PlaygroundEngine;
  /** True if the import would replace something that the user entered. */
  readonly isDirty: boolean;
  readonly onImport: (form: JobForm) => void;
}) {
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [waiting, setWaiting] = useState<Imported>();
  const accept = (file: Imported): void => {
    setOutcome({ kind: 'imported', file });
    setWaiting(undefined);
    onImport(file.form);
  };
  const read = async (file: File): Promise<void> => {
    setPending(true);
    setOutcome(undefined);
    const response = await readFile(file, engine);
    setPending(false);
    if (response.kind !== 'form') setOutcome(response);
    else if (isDirty) setWaiting(response);
    else accept(response);
  };
  return (
    <Card title={texts.title} text={texts.text}>
      <div className="flex flex-col gap-3">
        <FileDrop
          label={texts.choose}
          hint={texts.hint}
          accept=".json,.jsonc"
          pending={pending}
          onFile={(file) => void read(file)}
        />
        {outcome && <OutcomeNotice outcome={outcome} />}
      </div>
      <ConfirmDialog
        {...texts.replace}
        confirmLabel={texts.replace.confirm}
        open={waiting !== undefined}
        onOpenChange={() => setWaiting(undefined)}
        onConfirm={() => waiting && accept(waiting)}
      />
    </Card>
  );
}

async function readFile(file: File, engine: PlaygroundEngine): Promise<Imported | Outcome> {
  if (file.size > MAX_FILE_BYTES) {
    const mebibytes = (file.size / 1024 / 1024).toFixed(1);
    return { kind: 'unreadable', text: texts.tooLarge(mebibytes) };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return { kind: 'unreadable', text: texts.notText };
  }
  const response = await engine.ask({ kind: 'job-file', text });
  return response.kind === 'job-file' ? response.file : { kind: 'unreadable', text: texts.failed };
}

function OutcomeNotice({ outcome }: { readonly outcome: Outcome }) {
  if (outcome.kind === 'unreadable') return <Notice tone="danger" text={outcome.text} />;
  if (outcome.kind === 'refused')
    return (
      <Notice tone="danger" title={texts.refused}>
        <ul className="flex flex-col gap-1">
          {outcome.problems.map(({ line, column, field, message }, index) => (
            <li key={index} className="wrap-anywhere">
              {texts.at(line, column)} {field !== '' && <code className="font-mono text-sm">{field}</code>}{' '}
              {message}
            </li>
          ))}
        </ul>
      </Notice>
    );
  const { form, hasUrl, hasLocalFiles, policyFields } = outcome.file;
  const columns = form.tables.reduce((sum, table) => sum + table.columns.length, 0);
  const sentences = [
    texts.imported(form.tables.length, columns),
    ...(hasUrl ? [texts.hasUrl] : []),
    ...(hasLocalFiles ? [texts.hasLocalFiles] : []),
    ...(policyFields.length > 0 ? [texts.policyFields(policyFields.join(', '))] : []),
  ];
  const isWarning = hasLocalFiles || policyFields.length > 0;
  return <Notice tone={isWarning ? 'warning' : 'success'} text={sentences.join(' ')} />;
}
