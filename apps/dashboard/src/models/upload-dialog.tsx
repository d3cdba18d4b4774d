import { useNavigate } from '@tanstack/react-router';
import { TextField } from '@understudy/ui';
import { useId, useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog, useFields } from '../api/mutation-dialog.js';
import { modelParams } from './model-filters.js';
import { MODELS } from './queries.js';
import { TEXTS } from './texts.js';

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const { form } = TEXTS;

/** The dialog that uploads a model file. A file that is too large is refused before it is read. */
export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const { values, field } = useFields({ name: '', description: '' });
  const { name, description } = values;
  const fault = () => {
    if (file === undefined) return form.fileMissing;
    return file.size > MAX_FILE_BYTES ? form.tooLarge : undefined;
  };
  return (
    <MutationDialog
      title={form.title}
      text={form.text}
      confirmLabel={form.submit}
      size="medium"
      run={() => client.models.upload({ file: file as File, name, ...(description && { description }) })}
      queryKey={MODELS}
      done={({ id }) => form.done(id)}
      check={() => ({ file: fault() })}
      fields={{ file: 'file', name: 'name', description: 'description', id: 'name' }}
      onClose={onClose}
      onDone={({ id }) => {
        onClose();
        return navigate({ to: '/models/$group/$name', params: modelParams(id) });
      }}
    >
      {(problems) => (
        <>
          <FileField
            error={problems.file}
            onChange={(chosen) => {
              setFile(chosen);
              if (name === '' && chosen)
                field('name').onChange(chosen.name.replace(/\.ngram$/, '').slice(0, 100));
            }}
          />
          <TextField
            {...field('name', problems)}
            label={form.name}
            hint={form.nameHint}
            maxLength={100}
            autoComplete="off"
            required
          />
          <TextField
            {...field('description', problems)}
            label={form.description}
            maxLength={1_000}
            autoComplete="off"
          />
        </>
      )}
    </MutationDialog>
  );
}

function FileField({
  error,
  onChange,
}: {
  readonly error: string | undefined;
  readonly onChange: (file: File | undefined) => void;
}) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="w-fit text-sm font-medium text-ink">
        {form.file}
      </label>
      <input
        id={id}
        type="file"
        accept=".ngram"
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.files?.[0])}
        className="min-w-0 max-w-full rounded-md text-sm"
      />
      <p id={`${id}-hint`} className={`text-sm ${error === undefined ? 'text-muted' : 'text-danger'}`}>
        {error ?? form.fileHint}
      </p>
    </div>
  );
}
