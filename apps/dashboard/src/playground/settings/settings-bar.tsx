import { Button, Select, TextField } from '@understudy/ui';
import { Dices } from 'lucide-react';

import type { Draft } from '../state/draft.js';
import type { DraftErrors } from '../state/read-draft.js';
import { SETTINGS, TEXTS } from '../texts.js';

export interface SettingsBarProps {
  readonly draft: Draft;
  readonly errors: DraftErrors;
  readonly onChange: (change: Partial<Draft>) => void;
  /** The locale of the models that the schema names; undefined if it names none. */
  readonly locale: string | undefined;
  readonly locales: readonly string[];
  readonly onLocale: (locale: string) => void;
}

/** The settings that the records depend on in addition to the schema. */
export function SettingsBar({ draft, errors, onChange, locale, locales, onLocale }: SettingsBarProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="flex items-start gap-2">
        <div className="w-36">
          <TextField
            label={SETTINGS.seed}
            value={draft.seed}
            error={errors.seed}
            inputMode="numeric"
            mono
            onChange={(seed) => onChange({ seed })}
          />
        </div>
        <div className="pt-6">
          <Button icon={<Dices aria-hidden />} onClick={() => onChange({ seed: newSeed() })}>
            {SETTINGS.newSeed}
          </Button>
        </div>
      </div>
      <div className="w-36">
        <TextField
          label={SETTINGS.count}
          value={draft.count}
          error={errors.count}
          inputMode="numeric"
          mono
          onChange={(count) => onChange({ count })}
        />
      </div>
      <div className="w-60">
        <TextField
          label={SETTINGS.now}
          value={draft.now}
          error={errors.now}
          // oxlint-disable-next-line react/purity -- an example of an instant may change at midnight
          placeholder={`${new Date().toISOString().slice(0, 10)}T00:00:00Z`}
          mono
          onChange={(now) => onChange({ now: now.trim() })}
        />
      </div>
      {locale !== undefined && (
        <div className="w-32">
          <Select
            label={TEXTS.locale}
            value={locale}
            options={locales.map((value) => ({ value, label: value }))}
            onChange={onLocale}
          />
        </div>
      )}
    </div>
  );
}

/** A seed that is short enough to read out. */
function newSeed(): string {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(value % 1_000_000);
}
