import { Link } from '@tanstack/react-router';
import { Card, TextLink, VisuallyHidden } from '@understudy/ui';
import { Circle, CircleCheck } from 'lucide-react';

import { useSteps, type Step } from './queries.js';
import { TEXTS } from './texts.js';

const { steps: texts } = TEXTS;

/** The addresses of the screens on which the steps are done. */
const SCREENS = {
  key: '/api-keys',
  agent: '/agents',
  job: '/sync-jobs',
  webhook: '/webhooks',
} as const satisfies Readonly<Record<Step, string>>;

/** A list that checks itself off. It disappears when everything on it is done. */
export function FirstSteps() {
  const { data: steps } = useSteps();
  if (steps === undefined || steps.every(({ done }) => done)) return null;
  return (
    <Card title={texts.title} text={texts.text}>
      <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {steps.map(({ id, done }) => {
          const Icon = done ? CircleCheck : Circle;
          return (
            <li key={id} className="flex min-w-0 gap-2.5">
              <Icon
                aria-hidden
                className={`mt-0.5 size-4 shrink-0 ${done ? 'text-success' : 'text-faint'}`}
              />
              <div className="min-w-0">
                <VisuallyHidden>{done ? texts.done : texts.open}</VisuallyHidden>
                <StepTitle id={id} />
                <p className="text-sm text-muted">{texts[id].text}</p>
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function StepTitle({ id }: { readonly id: Step }) {
  return <TextLink render={<Link to={SCREENS[id]} />}>{texts[id].title}</TextLink>;
}
