import { Field as BaseField } from '@base-ui/react/field';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';

import { TEXTS } from '../texts.js';
import { IconButton } from './button.js';
import { CONTROL, Field, type FieldProps, invalidProps } from './field.js';

export interface SecretFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number | undefined;
  readonly placeholder?: string | undefined;
}

/** A field for a text that contains a secret. It is hidden, also while it is typed, until the user reveals it. */
export function SecretField({ value, onChange, maxLength, placeholder, ...props }: SecretFieldProps) {
  const [isRevealed, setRevealed] = useState(false);
  const { label, error, required } = props;
  const Icon = isRevealed ? EyeOff : Eye;
  return (
    <Field {...props}>
      <span className="relative block">
        <BaseField.Control
          {...invalidProps(error)}
          type={isRevealed ? 'text' : 'password'}
          // With any other value, browsers fill in the API key that they stored at the sign-in.
          autoComplete="new-password"
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          maxLength={maxLength}
          placeholder={placeholder}
          value={value}
          onValueChange={onChange}
          required={required}
          className={`${CONTROL} h-8 pr-9 font-mono text-sm`}
        />
        <span className="absolute inset-y-0 right-0.5 flex items-center">
          <IconButton
            label={isRevealed ? TEXTS.hideOf(label) : TEXTS.revealOf(label)}
            size="small"
            icon={<Icon aria-hidden />}
            onClick={() => setRevealed(!isRevealed)}
          />
        </span>
      </span>
    </Field>
  );
}
