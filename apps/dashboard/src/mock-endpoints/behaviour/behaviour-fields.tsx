import { Disclosure, NumberField, TextArea } from '@understudy/ui';

import { type Behaviour, type BehaviourErrors, changedSettings, MAX_LATENCY_MS } from './read-behaviour.js';
import { BEHAVIOUR } from './texts.js';

export interface BehaviourFieldsProps {
  readonly behaviour: Behaviour;
  readonly errors: BehaviourErrors;
  readonly onChange: (change: Partial<Behaviour>) => void;
}

const FIELDS = ['wrapper', 'headers', 'status', 'failures', 'minLatency', 'maxLatency'] as const;
const DELAY = { min: 0, max: MAX_LATENCY_MS, step: 100, unit: BEHAVIOUR.milliseconds };

/** The folded part of the form of an endpoint: body, status, headers, delay and failures. */
export function BehaviourFields({ behaviour, errors, onChange }: BehaviourFieldsProps) {
  const changed = changedSettings(behaviour);
  const field = <Name extends keyof Behaviour>(name: Name) => ({
    label: BEHAVIOUR[name],
    value: behaviour[name],
    error: errors[name],
    onChange: (value: Behaviour[Name]) => onChange({ [name]: value }),
  });
  return (
    <Disclosure
      title={BEHAVIOUR.title}
      text={changed.length === 0 ? BEHAVIOUR.unchanged : BEHAVIOUR.changed(changed)}
      reveal={FIELDS.some((field) => errors[field] !== undefined)}
    >
      <TextArea {...field('wrapper')} hint={BEHAVIOUR.wrapperHint} rows={3} mono />
      <TextArea {...field('headers')} hint={BEHAVIOUR.headersHint} rows={2} mono />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField {...field('status')} min={200} max={599} />
        <NumberField
          {...field('failures')}
          hint={BEHAVIOUR.failuresHint}
          min={0}
          max={100}
          unit={BEHAVIOUR.percent}
        />
        <NumberField
          {...field('minLatency')}
          {...DELAY}
          hint={BEHAVIOUR.latencyHint}
          onChange={(minLatency) =>
            onChange({ minLatency, maxLatency: Math.max(minLatency ?? 0, behaviour.maxLatency ?? 0) })
          }
        />
        <NumberField {...field('maxLatency')} {...DELAY} />
      </div>
    </Disclosure>
  );
}
