import type { Webhook, WebhookWithSecret } from '@understudy/client';
import { Button, Checkbox, Dialog, ErrorNotice, FieldGroup, Form, TextField } from '@understudy/ui';
import { useState } from 'react';

import { fieldProblems, problemOf } from '../api/problem.js';
import { EVENTS } from './delivery-filters.js';
import { useWebhookChanges } from './queries.js';
import { TEXTS } from './texts.js';

const { form } = TEXTS;

/** The dialog that adds a webhook, or changes `webhook`. `onSaved` gets the secret of a new one. */
export function WebhookDialog({
  webhook,
  onClose,
  onSaved,
}: {
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onSaved: (saved: Pick<WebhookWithSecret, 'id' | 'secret'>) => void;
}) {
  const { create, change } = useWebhookChanges();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(
    webhook?.events ?? ['sync.completed', 'sync.failed'],
  );
  const [isIncomplete, setIncomplete] = useState(false);
  const error = webhook ? change.error : create.error;
  const problems = fieldProblems(error, { url: 'url', events: 'events' });
  const problem = error === null ? undefined : problemOf(error);
  const eventsError = isIncomplete ? form.eventsRequired : problems.events;

  const submit = () => {
    setIncomplete(events.length === 0);
    if (events.length === 0) return;
    if (webhook) change.mutate({ id: webhook.id, url, events }, { onSuccess: onSaved });
    else create.mutate({ url, events }, { onSuccess: onSaved });
  };
  return (
    <Dialog open onOpenChange={onClose} title={webhook ? form.edit : form.create} dismissible={false}>
      {problem && problem.status !== 422 && <ErrorNotice problem={{ ...problem, details: [] }} />}
      <Form onSubmit={submit}>
        <TextField
          label={form.url}
          hint={form.urlHint}
          value={url}
          onChange={setUrl}
          error={problems.url}
          type="url"
          maxLength={2_048}
          autoComplete="off"
          mono
          required
        />
        <FieldGroup title={form.events}>
          {EVENTS.map((event, index) => (
            <Checkbox
              key={event}
              label={event}
              hint={TEXTS.events[event]}
              error={index === 0 ? eventsError : undefined}
              checked={events.includes(event)}
              onChange={(checked) => {
                setIncomplete(false);
                setEvents(EVENTS.filter((each) => (each === event ? checked : events.includes(each))));
              }}
            />
          ))}
        </FieldGroup>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>{form.cancel}</Button>
          <Button type="submit" kind="primary" pending={create.isPending || change.isPending}>
            {webhook ? form.save : form.add}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
