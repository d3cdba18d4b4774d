import { Checkbox, NumberField, RadioGroup, TextArea } from '@understudy/ui';

import { declarationOf, type PlainOption } from '../form/job-form.js';
import { TEXTS } from '../texts.js';

/** The control of an option that the form has by its declaration. It shows the default while the value is undefined. */
export function OptionControl({
  name,
  value,
  onChange,
  error,
}: {
  readonly name: PlainOption;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly error: string | undefined;
}) {
  const { type, enum: modes = [], minimum, maximum, default: fallback } = declarationOf(name);
  const { label, hint, modes: labels = {} } = TEXTS.options.plain[name];
  const field = { label, hint, error };
  if (type === 'integer')
    return (
      <NumberField
        {...field}
        min={minimum}
        max={maximum}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  if (type === 'array')
    return (
      <TextArea
        {...field}
        mono
        rows={3}
        value={Array.isArray(value) ? value.join('\n') : ''}
        onChange={(text) => onChange(text === '' ? undefined : text.split('\n'))}
      />
    );
  if (modes.length > 1)
    return (
      <RadioGroup
        {...field}
        options={modes.map((mode) => ({ value: mode, label: labels[mode] ?? mode }))}
        value={String(value ?? fallback)}
        onChange={onChange}
      />
    );
  const [checkedValue = true] = modes;
  return (
    <Checkbox
      {...field}
      checked={value !== undefined}
      onChange={(isChecked) => onChange(isChecked ? checkedValue : undefined)}
    />
  );
}
