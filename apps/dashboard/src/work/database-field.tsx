import { SecretField, Select } from '@understudy/ui';
import { useState } from 'react';

import { useListedAgents, useReadiness } from './agents.js';
import { offeredDatabases } from './readiness.js';
import { WORK_TEXTS } from './texts.js';

const { database: texts } = WORK_TEXTS;
const OTHER = 'other';

/** A choice among the databases that agents offer, or a connection URL. */
export function DatabaseField({
  label,
  hint,
  value,
  onChange,
  error,
}: {
  readonly label: string;
  /** A sentence about what happens to the database. */
  readonly hint: string;
  /** `agent:<name>`, a connection URL, or an empty text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}) {
  const readiness = useReadiness();
  const known = useListedAgents();
  const offered = offeredDatabases(known ?? []);
  const [isUrl, setUrl] = useState(false);
  const isOffered = offered.some((each) => each.value === value);
  const isOnlyUrl = known !== undefined && offered.length === 0 && !value.startsWith('agent:');
  const showsUrl = isUrl || isOnlyUrl || (value !== '' && !value.startsWith('agent:'));
  const missing = readiness === undefined || readiness === 'ready' ? '' : `${texts.missing[readiness]} `;
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
    <div className="flex min-w-0 flex-col gap-3">
      {!isOnlyUrl && (
        <Select
          label={label}
          hint={showsUrl ? undefined : hint}
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
        <SecretField
          label={isOnlyUrl ? label : `${label}: ${texts.url}`}
          hint={`${missing}${texts.urlHint} ${hint}`}
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
