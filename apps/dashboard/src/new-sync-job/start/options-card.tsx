import { Card, RadioGroup, TextArea, TextField } from '@understudy/ui';

import { UNLISTED_TABLES, type UnlistedColumns } from '@understudy/sync-job';

import { UNLISTED_TEXTS } from '../../work/unlisted-columns.js';
import { optionsOfMode } from '../form/job-form.js';
import { TEXTS } from '../texts.js';
import type { DatabasesCardProps } from './databases-card.js';
import { OptionControl } from './option-control.js';

const { options: texts } = TEXTS;
const UNLISTED = Object.entries(UNLISTED_TEXTS).map(([value, { choice: label }]) => ({
  value: value as UnlistedColumns,
  label,
}));

/** The settings of the whole job. */
export function OptionsCard({ form, onChange, errorOf }: DatabasesCardProps) {
  return (
    <Card title={texts.title}>
      <div className="grid gap-6 lg:grid-cols-2">
        {form.replace !== 'database' && <UnlistedOptions form={form} onChange={onChange} errorOf={errorOf} />}
        {optionsOfMode(form.replace).map((name) => (
          <div key={name} data-location={name}>
            <OptionControl
              name={name}
              value={form[name]}
              onChange={(value) => onChange({ [name]: value })}
              error={errorOf(name)}
            />
          </div>
        ))}
        <div className="flex flex-col gap-4">
          <div data-location="seed">
            <TextField
              label={texts.seed}
              hint={texts.seedHint}
              inputMode="numeric"
              value={form.seed}
              onChange={(seed) => onChange({ seed })}
              maxLength={17}
              error={errorOf('seed')}
            />
          </div>
          <div data-location="now">
            <TextField
              label={texts.now}
              hint={texts.nowHint}
              value={form.now}
              onChange={(now) => onChange({ now })}
              maxLength={40}
              error={errorOf('now')}
            />
          </div>
        </div>
      </div>
    </Card>
  );
}

/** Choices for everything that the form does not name. A job that replaces a database rejects it. */
function UnlistedOptions({ form, onChange, errorOf }: DatabasesCardProps) {
  return (
    <>
      <RadioGroup
        label={texts.unlisted}
        hint={texts.unlistedHint}
        options={UNLISTED}
        value={form.unlistedColumns}
        onChange={(unlistedColumns) => onChange({ unlistedColumns })}
      />
      <div className="flex flex-col gap-4" data-location="ignoredTables">
        <RadioGroup
          label={texts.unlistedTables}
          hint={texts.unlistedTablesHint}
          options={UNLISTED_TABLES.map((value) => ({ value, label: texts.unlistedTablesValues[value] }))}
          value={form.unlistedTables}
          onChange={(unlistedTables) => onChange({ unlistedTables })}
        />
        {form.unlistedTables !== 'ignore' && (
          <TextArea
            label={texts.ignoredTables}
            hint={texts.ignoredTablesHint}
            mono
            rows={4}
            value={form.ignoredTables}
            onChange={(ignoredTables) => onChange({ ignoredTables })}
            error={errorOf('ignoredTables')}
          />
        )}
      </div>
    </>
  );
}
