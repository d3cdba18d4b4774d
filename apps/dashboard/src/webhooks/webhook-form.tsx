import type { Webhook, WebhookWithSecret } from '@understudy/client';
import { Checkbox, FieldGroup, Select, TextField } from '@understudy/ui';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { EVENTS, FORMATS } from './delivery-filters.js';
import { WEBHOOKS } from './queries.js';
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
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(
    webhook?.events ?? ['sync.completed', 'sync.failed'],
  );
  const [format, setFormat] = useState(webhook?.format ?? 'standard');
  return (
    <MutationDialog
      title={webhook ? form.edit : form.create}
      confirmLabel={webhook ? form.save : form.add}
      size="medium"
      run={() =>
        webhook
          ? client.webhooks.change(webhook.id, { url, events, format })
          : client.webhooks.create({ url, events, format })
      }
      queryKey={WEBHOOKS}
      done={webhook && form.saved}
      check={() => ({ events: events.length === 0 ? form.eventsRequired : undefined })}
      fields={{ url: 'url', events: 'events' }}
      onClose={onClose}
      onDone={onSaved}
    >
      {(problems) => (
        <>
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
          <Select
            label={form.format}
            options={FORMATS.map((value) => ({ value, label: TEXTS.formats[value] }))}
            value={format}
            onChange={setFormat}
          />
          <FieldGroup title={form.events}>
            {EVENTS.map((event, index) => (
              <Checkbox
                key={event}
                label={event}
                hint={TEXTS.events[event]}
                error={index === 0 ? problems.events : undefined}
                checked={events.includes(event)}
                onChange={(checked) =>
                  setEvents(EVENTS.filter((each) => (each === event ? checked : events.includes(each))))
                }
              />
            ))}
          </FieldGroup>
        </>
      )}
    </MutationDialog>
  );
}
