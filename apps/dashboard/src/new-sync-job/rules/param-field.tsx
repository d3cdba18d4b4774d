import { readKeptJson, writeExactJson } from '@understudy/expression';
import { Checkbox, NumberField, Select, TextField } from '@understudy/ui';
import { useState } from 'react';

import type { CatalogGenerator } from '../../engine/worker/messages.js';
import { TEXTS } from '../texts.js';

const { rule: texts } = TEXTS;

export interface ParamFieldProps {
  readonly name: string;
  readonly declaration: CatalogGenerator['params'][string];
  readonly value: unknown;
  /** Called with undefined if the param is removed. */
  readonly onChange: (value: unknown) => void;
  readonly error: string | undefined;
}

/** A field for one param of a generator. Values that fit no simple field, such as arrays, are written as JSON. */
export function ParamField(props: ParamFieldProps) {
  const { name, declaration, value, onChange, error } = props;
  const { type, values, minimum, maximum, required = false } = declaration;
  const common = { label: name, hint: hintOf(declaration), error, required };
  if (type === 'string' && values !== undefined && isTextOrNone(value)) {
    const options = values.map((each) => ({ value: each, label: each }));
    return <Select {...common} options={options} value={value ?? null} onChange={onChange} />;
  }
  if (type === 'string' && isTextOrNone(value)) {
    const change = (text: string): void => onChange(text === '' ? undefined : text);
    return <TextField {...common} mono value={value ?? ''} onChange={change} />;
  }
  if ((type === 'integer' || type === 'number') && (typeof value === 'number' || value === undefined)) {
    const change = (number: number | null): void => onChange(number ?? undefined);
    return <NumberField {...common} value={value ?? null} onChange={change} min={minimum} max={maximum} />;
  }
  if (type === 'boolean' && (typeof value === 'boolean' || value === undefined))
    return <Checkbox {...common} checked={value ?? declaration.default === true} onChange={onChange} />;
  return <JsonField {...common} value={value} onChange={onChange} />;
}

/** A field for any JSON. Text that is not JSON stays in the field and changes nothing. */
export function JsonField({
  label,
  hint,
  error,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && typed.trim() !== '' && readKeptJson(typed) === undefined;
  return (
    <TextField
      label={label}
      hint={hint}
      error={isWrong ? texts.notJson : error}
      mono
      value={typed ?? (value === undefined ? '' : writeExactJson(value))}
      onChange={(text) => {
        setTyped(text);
        const parsed = readKeptJson(text);
        if (parsed !== undefined || text.trim() === '') onChange(parsed);
      }}
      onBlur={() => {
        if (!isWrong) setTyped(undefined);
      }}
    />
  );
}

function isTextOrNone(value: unknown): value is string | undefined {
  return typeof value === 'string' || value === undefined;
}

function hintOf({ type, description = '', default: initial }: ParamFieldProps['declaration']): string {
  return [
    description.replaceAll('`', ''),
    ...(initial === undefined || initial === null ? [] : [texts.defaultIs(String(initial))]),
    ...(['array', 'object', 'any'].includes(type) ? [texts.jsonParam] : []),
  ].join(' ');
}
