import { Button, Dialog, ErrorNotice, Form, RadioGroup, toast } from '@understudy/ui';
import { useState } from 'react';

import { problemOf } from '../api/problem.js';
import { useChangePlan } from './queries.js';
import { TEXTS } from './texts.js';

const { change: texts } = TEXTS;

export function ChangePlanDialog({ plan, onClose }: { readonly plan: string; readonly onClose: () => void }) {
  const change = useChangePlan();
  const [chosen, setChosen] = useState(plan);
  const submit = () =>
    change.mutate(
      { plan: chosen },
      {
        onSuccess: ({ plan: changed }) => {
          toast.success(texts.done(TEXTS.plans[changed] ?? changed));
          onClose();
        },
      },
    );
  return (
    <Dialog open onOpenChange={onClose} size="small" title={texts.title} description={texts.text}>
      {change.error && <ErrorNotice problem={{ ...problemOf(change.error), details: [] }} />}
      <Form onSubmit={submit}>
        <RadioGroup
          label={texts.label}
          options={Object.entries(TEXTS.plans).map(([value, label]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" kind="primary" pending={change.isPending} disabled={chosen === plan}>
            {texts.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
