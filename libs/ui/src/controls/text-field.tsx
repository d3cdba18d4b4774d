import { Field as BaseField } from '@base-ui/react/field';
import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { CONTROL, Field, type FieldProps, invalidProps } from './field.js';

type InputAttributes = Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'inputMode' | 'maxLength' | 'placeholder' | 'onBlur' | 'onKeyDown'
>;

export interface TextFieldProps extends FieldProps, InputAttributes {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly name?: string | undefined;
  readonly type?: 'text' | 'password' | 'search' | 'email' | 'url' | 'date' | undefined;
  /** True for identifiers, tokens and patterns: fixed width, and the browser neither corrects nor capitalises them. */
  readonly mono?: boolean | undefined;
  readonly icon?: ReactNode | undefined;
}

/** A field for one line of text. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, type = 'text', mono = false, icon, ...others } = props;
  const { field, attributes } = separate(others);
  return (
    <Field {...field}>
      <span className="relative block">
        {icon !== undefined && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-faint [&>svg]:size-4"
          >
            {icon}
          </span>
        )}
        <BaseField.Control
          {...attributes}
          {...(mono ? PLAIN : {})}
          type={type}
          value={value}
          onValueChange={onChange}
          className={`${CONTROL} h-8 ${mono ? 'font-mono text-sm' : ''} ${icon === undefined ? '' : 'pl-8'}`}
        />
      </span>
    </Field>
  );
}

export interface SearchFieldProps extends Pick<TextFieldProps, 'label' | 'value' | 'onChange'> {
  /** Default: the label, which is hidden from sight. */
  readonly placeholder?: string | undefined;
}

/** A field for the text that a list is searched for. */
export function SearchField({ label, placeholder = label, value, onChange }: SearchFieldProps) {
  return (
    <TextField
      label={label}
      labelHidden
      type="search"
      placeholder={placeholder}
      icon={<Search />}
      maxLength={200}
      value={value}
      onChange={onChange}
    />
  );
}

export interface TextAreaProps extends Omit<TextFieldProps, 'type' | 'icon'> {
  /** The visible lines. The user can make the field taller. */
  readonly rows?: number | undefined;
}

/** A field for several lines of text. */
export function TextArea(props: TextAreaProps) {
  const { value, onChange, rows = 4, mono = false, ...others } = props;
  const { field, attributes } = separate(others);
  return (
    <Field {...field}>
      <BaseField.Control
        {...attributes}
        {...(mono ? PLAIN : {})}
        value={value}
        onValueChange={onChange}
        render={<textarea rows={rows} />}
        className={`${CONTROL} resize-y py-1.5 ${mono ? 'font-mono text-sm' : ''}`}
      />
    </Field>
  );
}

const PLAIN = { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } as const;

/** Separates the props of a field from the attributes of its control. */
function separate(props: FieldProps & Pick<TextFieldProps, 'name'> & InputAttributes) {
  const { label, labelHidden, hint, error, name, required = false, disabled, ...attributes } = props;
  return {
    field: { label, labelHidden, hint, error, name, required, disabled },
    attributes: { autoComplete: 'off', ...attributes, ...invalidProps(error), required },
  };
}
