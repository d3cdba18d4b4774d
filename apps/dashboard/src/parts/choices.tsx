import { Checkbox, Combobox, NumberField, RadioGroup, Select } from '@understudy/ui';

import { Try } from './example.js';

const AGENTS = [
  { value: 'berlin', label: 'agent-berlin', hint: 'Online, 3 databases' },
  { value: 'oslo', label: 'agent-oslo', hint: 'Offline since yesterday', disabled: true },
  { value: 'any', label: 'Any agent', hint: 'The first agent with a free slot' },
];

const DATABASES = Array.from({ length: 400 }, (_, number) => ({
  value: `db${number}`,
  label: `customers_${number}`,
}));

/** Fields with values to choose. */
export function Choices() {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Try<string | null> initial={null}>
        {(field) => <Select label="Agent" required options={AGENTS} {...field} />}
      </Try>
      <Try<string | null> initial="berlin">
        {(field) => (
          <Select
            label="Target agent"
            error="This agent cannot reach the target database."
            options={AGENTS}
            {...field}
          />
        )}
      </Try>
      <Try<string | null> initial={null}>
        {(field) => <Combobox label="Database" options={DATABASES} placeholder="Choose or type" {...field} />}
      </Try>
      <Try<number | null> initial={4}>
        {(field) => (
          <NumberField
            label="Parallel tables"
            hint="From 1 to 16."
            unit="workers"
            min={1}
            max={16}
            {...field}
          />
        )}
      </Try>
      <Try initial={true}>
        {({ value, onChange }) => (
          <Checkbox
            label="Verify the copy"
            hint="Compares counts and checksums before the switch."
            checked={value}
            onChange={onChange}
          />
        )}
      </Try>
      <Checkbox label="All tables" indeterminate checked={false} onChange={() => undefined} />
      <Checkbox label="Report names" disabled checked onChange={() => undefined} />
      <Try initial="full">
        {(field) => (
          <RadioGroup
            label="What to copy"
            {...field}
            options={[
              { value: 'full', label: 'All rows' },
              {
                value: 'subset',
                label: 'A subset',
                hint: 'Rows that match a condition, and the rows they refer to',
              },
              { value: 'schema', label: 'Schema only', disabled: true },
            ]}
          />
        )}
      </Try>
    </div>
  );
}
