import { Card, Select, TextField } from '@understudy/ui';
import { useState } from 'react';

import type { JobForm } from '../form/job-form.js';
import { type OfferedDatabase, useOfferedDatabases } from '../queries.js';
import { TEXTS } from '../texts.js';

const { databases: texts } = TEXTS;
const OTHER = 'other';
const SIDES = ['source', 'target'] as const;
const HINTS = { source: texts.sourceHint, target: texts.targetHint } as const;

export interface DatabasesCardProps {
  readonly form: JobForm;
  readonly onChange: (change: Partial<JobForm>) => void;
  readonly errorOf: (field: string) => string | undefined;
}

/** The name of the job and its two databases. */
export function DatabasesCard({ form, onChange, errorOf }: DatabasesCardProps) {
  const offered = useOfferedDatabases();
  return (
    <Card title={texts.title}>
      <div className="flex flex-col gap-4">
        <div data-location="name">
          <TextField
            label={texts.name}
            hint={texts.nameHint}
            value={form.name}
            onChange={(name) => onChange({ name })}
            maxLength={200}
            required
            error={errorOf('name')}
          />
        </div>
        <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
          {SIDES.map((side) => (
            <DatabaseField
              key={side}
              side={side}
              offered={offered}
              value={form[side]}
              onChange={(value) => onChange({ [side]: value })}
              error={errorOf(side)}
            />
          ))}
        </div>
      </div>
    </Card>
  );
}

function DatabaseField({
  side,
  offered = [],
  value,
  onChange,
  error,
}: {
  readonly side: 'source' | 'target';
  readonly offered: readonly OfferedDatabase[] | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}) {
  const [isUrl, setUrl] = useState(false);
  const isOffered = offered.some((each) => each.value === value);
  const showsUrl = isUrl || offered.length === 0 || (value !== '' && !value.startsWith('agent:'));
  const options = [
    ...offered.map((each) => ({
      value: each.value,
      label: each.value,
      hint: texts.offeredBy(each.agents.join(', ')),
    })),
    ...(value.startsWith('agent:') && !isOffered ? [{ value, label: value, hint: texts.notOffered }] : []),
    { value: OTHER, label: texts.other },
  ];
  return (
    <div data-location={side} className="flex min-w-0 flex-col gap-3">
      {options.length > 1 && (
        <Select
          label={texts[side]}
          hint={showsUrl ? undefined : HINTS[side]}
          placeholder={texts.placeholder}
          required
          options={options}
          value={showsUrl ? OTHER : value === '' ? null : value}
          onChange={(next) => {
            setUrl(next === OTHER);
            onChange(next === OTHER ? '' : next);
          }}
          error={showsUrl ? undefined : error}
        />
      )}
      {showsUrl && (
        <TextField
          label={options.length > 1 ? `${texts[side]}: ${texts.url}` : texts[side]}
          hint={`${options.length > 1 ? '' : `${texts.noAgents} `}${texts.urlHint} ${HINTS[side]}`}
          mono
          maxLength={2_048}
          placeholder="postgresql://user:password@host:5432/database"
          value={value}
          onChange={onChange}
          required
          error={error}
        />
      )}
    </div>
  );
}
