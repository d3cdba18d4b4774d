import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Field as BaseField } from '@base-ui/react/field';
import { Fieldset } from '@base-ui/react/fieldset';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup as BaseRadioGroup } from '@base-ui/react/radio-group';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';

import { FieldMessages, type FieldProps, invalidProps } from './field.js';
import type { Option } from './select.js';

export interface CheckboxProps extends FieldProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** True if only some of the things that the box stands for are checked. */
  readonly indeterminate?: boolean | undefined;
}

/** A box for a value that a form sends. */
export function Checkbox({ checked, onChange, indeterminate = false, ...field }: CheckboxProps) {
  return (
    <Choice {...field}>
      <BaseCheckbox.Root
        {...invalidProps(field.error)}
        checked={checked}
        indeterminate={indeterminate}
        onCheckedChange={onChange}
        className={`${BOX} rounded-sm data-checked:border-accent-solid data-checked:bg-accent-solid data-indeterminate:border-accent-solid data-indeterminate:bg-accent-solid`}
      >
        <BaseCheckbox.Indicator className="text-on-accent forced-colors:text-[CanvasText]">
          {indeterminate ? (
            <Minus aria-hidden className="size-3.5" strokeWidth={3} />
          ) : (
            <Check aria-hidden className="size-3.5" strokeWidth={3} />
          )}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
    </Choice>
  );
}

function Choice({
  label,
  hint,
  error,
  disabled = false,
  labelHidden = false,
  children,
}: FieldProps & { readonly children: ReactNode }) {
  return (
    <BaseField.Root disabled={disabled} className="flex flex-col gap-1">
      <BaseField.Label className="flex w-fit items-start gap-2 py-0.5 text-base text-ink data-disabled:text-muted">
        {children}
        <span className={labelHidden ? 'sr-only' : ''}>{label}</span>
      </BaseField.Label>
      <FieldMessages hint={hint} error={error} />
    </BaseField.Root>
  );
}

export interface RadioGroupProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
}

/** A choice of one value, all of which are visible with their hints. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, labelHidden = false, hint, error, required = false, disabled = false } = props;
  const { options, value, onChange } = props;
  return (
    <BaseField.Root disabled={disabled} className="flex flex-col gap-1">
      <Fieldset.Root
        render={
          <BaseRadioGroup
            value={value}
            required={required}
            onValueChange={(chosen) => onChange(chosen as Value)}
            className="flex flex-col gap-1"
          />
        }
      >
        <Fieldset.Legend className={labelHidden ? 'sr-only' : 'text-sm font-medium text-ink'}>
          {label}
        </Fieldset.Legend>
        {options.map((option) => (
          <BaseField.Item key={option.value} disabled={option.disabled ?? false}>
            <BaseField.Label className="flex w-fit items-start gap-2 py-0.5 text-base text-ink data-disabled:text-muted">
              <Radio.Root
                value={option.value}
                className={`${BOX} rounded-full data-checked:border-accent-solid`}
              >
                <Radio.Indicator className="size-2 rounded-full bg-accent-solid forced-colors:bg-[CanvasText]" />
              </Radio.Root>
              {option.label}
            </BaseField.Label>
            {option.hint !== undefined && (
              <BaseField.Description className="pl-6 text-sm text-muted">{option.hint}</BaseField.Description>
            )}
          </BaseField.Item>
        ))}
      </Fieldset.Root>
      <FieldMessages hint={hint} error={error} />
    </BaseField.Root>
  );
}

const BOX =
  'mt-0.75 flex size-4 shrink-0 items-center justify-center border border-control bg-surface shadow-raised ' +
  'aria-invalid:border-danger data-disabled:opacity-55';
