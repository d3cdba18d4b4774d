import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';

import { TEXTS } from '../texts.js';

/** The props of all fields of a form. */
export interface FieldProps {
  readonly label: string;
  /** True to hide the label from sight, for a field whose place explains it, such as a search field. */
  readonly labelHidden?: boolean | undefined;
  /** A sentence below the field about what it takes. */
  readonly hint?: ReactNode | undefined;
  /** The fault of the value and how to correct it. It does not block the next submission of the form. */
  readonly error?: string | undefined;
  /** True if the form cannot be sent while the field is empty. The form reports it. */
  readonly required?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

/** The label, hint and error round a control, connected with it for screen readers. */
export function Field({
  label,
  labelHidden = false,
  hint,
  error,
  name,
  required = false,
  disabled = false,
  children,
}: FieldProps & { readonly name?: string | undefined; readonly children: ReactNode }) {
  return (
    <BaseField.Root
      {...(name === undefined ? {} : { name })}
      disabled={disabled}
      className="flex min-w-0 flex-col items-stretch gap-1"
    >
      <BaseField.Label className={labelHidden ? 'sr-only' : 'w-fit text-sm font-medium text-ink'}>
        {label}
        {required && !labelHidden && (
          <span aria-hidden className="text-danger">
            {' *'}
          </span>
        )}
      </BaseField.Label>
      {children}
      <FieldMessages hint={hint} error={error} />
    </BaseField.Root>
  );
}

/** The hint and the error of a field, for controls that lay out their label differently. */
export function FieldMessages({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {hint !== undefined && (
        <BaseField.Description className="text-sm text-muted">{hint}</BaseField.Description>
      )}
      {error === undefined ? (
        <BaseField.Error match="valueMissing" className={ERROR}>
          {TEXTS.required}
        </BaseField.Error>
      ) : (
        <BaseField.Error match className={ERROR}>
          {error}
        </BaseField.Error>
      )}
    </>
  );
}

/** Marks a control as invalid. Without an error, Base UI decides by the browser's validation. */
export function invalidProps(error: string | undefined): { readonly 'aria-invalid'?: true } {
  return error === undefined ? {} : { 'aria-invalid': true };
}

/** The classes of a box that takes input. */
export const CONTROL =
  'w-full min-w-0 rounded-md border border-control bg-surface px-2.5 text-base text-ink shadow-raised pointer-coarse:text-lg ' +
  'hover:border-muted disabled:cursor-not-allowed disabled:bg-subtle disabled:text-muted data-disabled:bg-subtle ' +
  'aria-invalid:border-danger focus-visible:outline-offset-0 ';

const ERROR = 'text-sm text-danger';
