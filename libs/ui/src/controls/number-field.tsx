import { NumberField as BaseNumberField } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';

import { TEXTS } from '../texts.js';
import { CONTROL, Field, type FieldProps, invalidProps } from './field.js';

export interface NumberFieldProps extends FieldProps {
  /** The number, or null while the field is empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  /** The least value, inclusive. */
  readonly min?: number | undefined;
  /** The greatest value, inclusive. */
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  /** The unit, for example "rows" or "s". */
  readonly unit?: string | undefined;
}

/** A field for a number. Arrow keys and the two buttons change it by one step. */
export function NumberField({ value, onChange, min, max, step = 1, unit, ...field }: NumberFieldProps) {
  return (
    <Field {...field}>
      <BaseNumberField.Root
        value={value}
        onValueChange={onChange}
        min={min}
        max={max}
        step={step}
        required={field.required ?? false}
      >
        <BaseNumberField.Group className="flex w-fit max-w-full items-center gap-2">
          <span className="flex min-w-0 items-stretch">
            <BaseNumberField.Decrement
              aria-label={TEXTS.decrease}
              className={`${STEP} rounded-l-md border-r-0`}
            >
              <Minus aria-hidden className="size-3.5" />
            </BaseNumberField.Decrement>
            <BaseNumberField.Input
              {...invalidProps(field.error)}
              className={`${CONTROL} h-8 w-32 rounded-none! text-center tabular-nums focus-visible:z-1`}
            />
            <BaseNumberField.Increment
              aria-label={TEXTS.increase}
              className={`${STEP} rounded-r-md border-l-0`}
            >
              <Plus aria-hidden className="size-3.5" />
            </BaseNumberField.Increment>
          </span>
          {unit !== undefined && <span className="text-muted">{unit}</span>}
        </BaseNumberField.Group>
      </BaseNumberField.Root>
    </Field>
  );
}

const STEP =
  'flex w-8 shrink-0 items-center justify-center border border-control bg-surface text-muted shadow-raised ' +
  'hover:bg-subtle hover:text-ink disabled:cursor-not-allowed disabled:bg-subtle disabled:text-faint';
