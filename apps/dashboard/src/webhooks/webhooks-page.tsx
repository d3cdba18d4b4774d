import { Link } from '@tanstack/react-router';
import type { Webhook } from '@understudy/client';
import { Badge, Button, columnsOf, EmptyState, PageHeader, Table, Time, Truncated } from '@understudy/ui';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';

import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { useWebhooks } from './queries.js';
import { TEXTS } from './texts.js';
import { WebhookDialog } from './webhook-form.js';
import { SecretDialog } from './webhook-dialogs.js';
import { WebhookStatus } from './webhook-status.js';

/** The webhooks of the organisation. */
export function WebhooksPage() {
  const query = useWebhooks();
  const mayWrite = useAllows({ role: 'admin', scope: 'webhooks:write' });
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ readonly text: string | undefined }>();
  const add = mayWrite && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
      {TEXTS.create}
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={add} />
      <QueryState query={query} />
      {query.data && (
        <Table
          caption={TEXTS.caption}
          columns={COLUMNS}
          rows={query.data.webhooks}
          rowKey={({ id }) => id}
          rowLink={({ id }) => <Link to="/webhooks/$webhookId" params={{ webhookId: id }} />}
          empty={<EmptyState {...TEXTS.empty} icon={<WebhookIcon />} action={add || undefined} />}
        />
      )}
      {adding && (
        <WebhookDialog
          onClose={() => setAdding(false)}
          onSaved={({ secret: text }) => {
            setAdding(false);
            setSecret({ text });
          }}
        />
      )}
      {secret && <SecretDialog secret={secret.text} onClose={() => setSecret(undefined)} />}
    </div>
  );
}

const COLUMNS = columnsOf<Webhook>()(TEXTS.columns, {
  url: { cell: ({ url }) => <Truncated text={url} mono /> },
  status: { width: '8rem', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  events: {
    width: '22rem',
    hideBelow: 'md',
    cell: ({ events }) => (
      <span className="flex flex-wrap gap-1">
        {events.map((event) => (
          <Badge key={event}>{event}</Badge>
        ))}
      </span>
    ),
  },
  created: { width: '9rem', cell: ({ created_at: created }) => <Time iso={created} format="relative" /> },
});
