import { Select, type Option } from '@understudy/ui';

const ANY = 'any';

/** A filter of a list: one value, or any. */
export function FilterSelect<Value extends string>({
  label,
  any,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  /** The choice that sets no filter. */
  readonly any: string;
  readonly options: readonly Option<Value>[];
  /** Undefined for any value. */
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}) {
  return (
    <Select<Value | typeof ANY>
      label={label}
      labelHidden
      options={[{ value: ANY, label: any }, ...options]}
      value={value ?? ANY}
      onChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
    />
  );
}
