import { Checkbox, FieldGroup, NumberField, TextField } from '@understudy/ui';

import { type Rule, withKey } from '../form/rule-kinds.js';
import { TEXTS } from '../texts.js';

const { rule: texts } = TEXTS;
const SWITCHES = ['differs', 'unique', 'consistent'] as const;
const HINTS = { differs: undefined, unique: undefined, consistent: texts.consistentHint } as const;

/** The modifiers that all rules have which produce a value. */
export function RuleModifiers({
  rule,
  onChange,
  errorAt,
}: {
  readonly rule: Rule;
  readonly onChange: (rule: Rule) => void;
  /** Returns the problem at a path of the rule, such as `pattern`. */
  readonly errorAt: (path: string) => string | undefined;
}) {
  const { nullable, transform } = rule;
  return (
    <FieldGroup title={texts.modifiers}>
      <div className="flex flex-col gap-1">
        {SWITCHES.map((name) => (
          <Checkbox
            key={name}
            label={texts[name]}
            hint={HINTS[name]}
            checked={rule[name] === true}
            onChange={(isOn) => onChange(withKey(rule, name, isOn ? true : undefined))}
            error={errorAt(name)}
          />
        ))}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label={texts.nullable}
          hint={texts.nullableHint}
          value={nullable === true ? 0.1 : typeof nullable === 'number' ? nullable : null}
          onChange={(share) => onChange(withKey(rule, 'nullable', share ?? undefined))}
          min={0}
          max={1}
          step={0.05}
          error={errorAt('nullable')}
        />
        <TextField
          label={texts.transform}
          hint={texts.transformHint}
          mono
          value={typeof transform === 'string' ? transform : ''}
          onChange={(text) => onChange(withKey(rule, 'transform', text === '' ? undefined : text))}
          error={errorAt('transform')}
        />
      </div>
    </FieldGroup>
  );
}
