import { Field as BaseField } from '@base-ui/react/field';
import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';

import { TEXTS } from '../texts.js';
import { CONTROL, FieldMessages, type FieldProps, invalidProps } from './field.js';

/** A value to choose. */
export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** A second line, for example what the choice means. */
  readonly hint?: string | undefined;
  readonly icon?: ReactNode | undefined;
  readonly disabled?: boolean | undefined;
}

export interface SelectProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  /** The chosen value, or null while nothing is chosen. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** The text while nothing is chosen. */
  readonly placeholder?: string | undefined;
}

/** A choice of one value from a short list. For more than about 15 values, use `Combobox`. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, labelHidden = false, hint, error, required = false, disabled = false } = props;
  const { options, value, onChange, placeholder = TEXTS.select } = props;
  return (
    <BaseField.Root disabled={disabled} className="flex min-w-0 flex-col gap-1">
      <BaseSelect.Root
        items={options}
        value={value}
        required={required}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      >
        <BaseSelect.Label className={labelHidden ? 'sr-only' : 'w-fit text-sm font-medium text-ink'}>
          {label}
        </BaseSelect.Label>
        <BaseSelect.Trigger
          {...invalidProps(error)}
          className={`${CONTROL} flex h-8 items-center justify-between gap-2 text-left`}
        >
          <BaseSelect.Value className="truncate data-placeholder:text-faint" placeholder={placeholder} />
          <BaseSelect.Icon className="text-faint">
            <ChevronsUpDown aria-hidden className="size-4" />
          </BaseSelect.Icon>
        </BaseSelect.Trigger>
        <BaseSelect.Portal>
          <BaseSelect.Backdrop className={BACKDROP} />
          <BaseSelect.Positioner className="z-50" sideOffset={4} alignItemWithTrigger={false}>
            <BaseSelect.Popup className={POPUP}>
              <BaseSelect.List className="max-h-(--available-height) overflow-y-auto p-1">
                {options.map((option) => (
                  <BaseSelect.Item
                    key={option.value}
                    value={option.value}
                    disabled={option.disabled ?? false}
                    className={ITEM}
                  >
                    {option.icon}
                    <span className="min-w-0 grow">
                      <BaseSelect.ItemText className="block truncate">{option.label}</BaseSelect.ItemText>
                      {option.hint !== undefined && (
                        <span className="block text-sm text-muted">{option.hint}</span>
                      )}
                    </span>
                    <BaseSelect.ItemIndicator className="text-accent">
                      <Check aria-hidden className="size-4" />
                    </BaseSelect.ItemIndicator>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.List>
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
      <FieldMessages hint={hint} error={error} />
    </BaseField.Root>
  );
}

/**
 * The classes of the layer between a modal list and the page. Base UI's own layer has a hole over the control, which axe
 * takes for a page without a modal list.
 */
export const BACKDROP = 'fixed inset-0 z-50';

/** The classes of a list that opens below a control. */
export const POPUP =
  'min-w-(--anchor-width) max-w-[min(26rem,calc(100vw-1rem))] rounded-lg bg-raised text-base text-ink shadow-popup ' +
  'outline-none transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0 ' +
  'forced-colors:border';

/** The classes of an entry in such a list. */
export const ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 outline-none select-none ' +
  'data-highlighted:bg-subtle data-disabled:text-faint forced-colors:data-highlighted:bg-[Highlight] ' +
  'forced-colors:data-highlighted:text-[HighlightText] [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint';
