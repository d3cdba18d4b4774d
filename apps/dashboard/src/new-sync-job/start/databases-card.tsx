import { Card, TextField } from '@understudy/ui';

import { DatabaseField } from '../../work/database-field.js';
import type { JobForm } from '../form/job-form.js';
import { TEXTS } from '../texts.js';

const { databases: texts } = TEXTS;
const SIDES = ['source', 'target'] as const;
const HINTS = { source: texts.sourceHint, target: texts.targetHint } as const;

export interface DatabasesCardProps {
  readonly form: JobForm;
  readonly onChange: (change: Partial<JobForm>) => void;
  readonly errorOf: (field: string) => string | undefined;
}

/** The name of the job and its two databases. */
export function DatabasesCard({ form, onChange, errorOf }: DatabasesCardProps) {
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
            <div key={side} data-location={side} className="min-w-0">
              <DatabaseField
                label={texts[side]}
                hint={HINTS[side]}
                value={form[side]}
                onChange={(value) => onChange({ [side]: value })}
                error={errorOf(side)}
              />
            </div>
          ))}
        </div>
      </div>
    </Card>
  );
}
