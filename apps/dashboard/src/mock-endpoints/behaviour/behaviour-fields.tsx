import { Disclosure, NumberField, TextArea } from '@understudy/ui';

import { type Behaviour, type BehaviourErrors, changedSettings, MAX_LATENCY_MS } from './read-behaviour.js';
import { BEHAVIOUR } from './texts.js';

export interface BehaviourFieldsProps {
  readonly behaviour: Behaviour;
  readonly errors: BehaviourErrors;
  readonly onChange: (change: Partial<Behaviour>) => void;
}

const FIELDS = ['wrapper', 'headers', 'status', 'failures', 'minLatency', 'maxLatency'] as const;

/** The folded part of the form of an endpoint: body, status, headers, delay and failures. */
export function BehaviourFields({ behaviour, errors, onChange }: BehaviourFieldsProps) {
  const changed = changedSettings(behaviour);
  return (
    <Disclosure
      title={BEHAVIOUR.title}
      text={changed.length === 0 ? BEHAVIOUR.unchanged : BEHAVIOUR.changed(changed)}
      reveal={FIELDS.some((field) => errors[field] !== undefined)}
    >
      <TextArea
        label={BEHAVIOUR.wrapper}
        hint={BEHAVIOUR.wrapperHint}
        value={behaviour.wrapper}
        error={errors.wrapper}
        onChange={(wrapper) => onChange({ wrapper })}
        rows={3}
        mono
      />
      <TextArea
        label={BEHAVIOUR.headers}
        hint={BEHAVIOUR.headersHint}
        value={behaviour.headers}
        error={errors.headers}
        onChange={(headers) => onChange({ headers })}
        rows={2}
        mono
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label={BEHAVIOUR.status}
          value={behaviour.status}
          error={errors.status}
          min={200}
          max={599}
          onChange={(status) => onChange({ status })}
        />
        <NumberField
          label={BEHAVIOUR.failures}
          hint={BEHAVIOUR.failuresHint}
          value={behaviour.failures}
          error={errors.failures}
          min={0}
          max={100}
          unit={BEHAVIOUR.percent}
          onChange={(failures) => onChange({ failures })}
        />
        <NumberField
          label={BEHAVIOUR.minLatency}
          hint={BEHAVIOUR.latencyHint}
          value={behaviour.minLatency}
          error={errors.minLatency}
          min={0}
          max={MAX_LATENCY_MS}
          step={100}
          unit={BEHAVIOUR.milliseconds}
          onChange={(minLatency) =>
            onChange({ minLatency, maxLatency: Math.max(minLatency ?? 0, behaviour.maxLatency ?? 0) })
          }
        />
        <NumberField
          label={BEHAVIOUR.maxLatency}
          value={behaviour.maxLatency}
          error={errors.maxLatency}
          min={0}
          max={MAX_LATENCY_MS}
          step={100}
          unit={BEHAVIOUR.milliseconds}
          onChange={(maxLatency) => onChange({ maxLatency })}
        />
      </div>
    </Disclosure>
  );
}
