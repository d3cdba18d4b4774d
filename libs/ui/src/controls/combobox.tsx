import { Combobox as BaseCombobox } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';

import { TEXTS } from '../texts.js';
import { CONTROL, Field, type FieldProps, invalidProps } from './field.js';
import { BACKDROP, ITEM, type Option, POPUP } from './select.js';

export interface ComboboxProps<Value extends string> extends FieldProps {
  readonly options: readonly Option<Value>[];
  /** The chosen value, or null while nothing is chosen. */
  readonly value: Value | null;
  readonly onChange: (value: Value | null) => void;
  readonly placeholder?: string | undefined;
}

/**
 * A choice of one value from a long list, which typing filters. At most 100 matches are in the list at a time. It is
 * modal: without that, Base UI hides the page from screen readers but lets the focus leave the list.
 */
export function Combobox<Value extends string>(props: ComboboxProps<Value>) {
  const { options, value, onChange, placeholder, ...field } = props;
  return (
    <Field {...field}>
      <BaseCombobox.Root
        modal
        items={options}
        limit={100}
        value={options.find((option) => option.value === value) ?? null}
        onValueChange={(option: Option<Value> | null) => onChange(option?.value ?? null)}
        isItemEqualToValue={(a, b) => a?.value === b?.value}
        required={field.required ?? false}
        autoHighlight
      >
        <BaseCombobox.InputGroup className="relative block has-data-popup-open:z-51">
          <BaseCombobox.Input
            {...invalidProps(field.error)}
            placeholder={placeholder ?? TEXTS.select}
            className={`${CONTROL} h-8 pr-8`}
          />
          <BaseCombobox.Trigger
            aria-label={TEXTS.showOptions}
            className="absolute inset-y-0 right-0 flex w-8 items-center justify-center rounded-md text-faint hover:text-ink"
          >
            <ChevronsUpDown aria-hidden className="size-4" />
          </BaseCombobox.Trigger>
        </BaseCombobox.InputGroup>
        <BaseCombobox.Portal>
          <BaseCombobox.Backdrop className={BACKDROP} />
          <BaseCombobox.Positioner className="z-50" sideOffset={4}>
            <BaseCombobox.Popup className={POPUP}>
              <BaseCombobox.Empty className="px-3 py-2 text-muted empty:hidden">
                {TEXTS.noMatches}
              </BaseCombobox.Empty>
              <BaseCombobox.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto p-1 data-empty:p-0">
                {(option: Option<Value>) => (
                  <BaseCombobox.Item
                    key={option.value}
                    value={option}
                    disabled={option.disabled ?? false}
                    className={ITEM}
                  >
                    {option.icon}
                    <span className="min-w-0 grow">
                      <span className="block truncate">{option.label}</span>
                      {option.hint !== undefined && (
                        <span className="block text-sm text-muted">{option.hint}</span>
                      )}
                    </span>
                    <BaseCombobox.ItemIndicator className="text-accent">
                      <Check aria-hidden className="size-4" />
                    </BaseCombobox.ItemIndicator>
                  </BaseCombobox.Item>
                )}
              </BaseCombobox.List>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </Field>
  );
}
