import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@understudy/client';
import { CodeBlock, Dialog, Notice, SecretOnce, Select, Tabs } from '@understudy/ui';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { SPANS, type Span } from './delivery-filters.js';
import { WEBHOOKS } from './queries.js';
import { TEXTS } from './texts.js';
import { VERIFY_SNIPPETS, type SnippetLanguage } from './verify-snippets.js';

/** Shows the signing secret once, with the lines that check a signature. */
export function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: string | undefined;
  readonly onClose: () => void;
}) {
  const { title, label, warning, verify, lost } = TEXTS.secret;
  const [language, setLanguage] = useState<SnippetLanguage>('typescript');
  return (
    <Dialog open onOpenChange={onClose} title={title} dismissible={false}>
      {secret === undefined ? (
        <Notice tone="warning" text={lost} />
      ) : (
        <SecretOnce label={label} value={secret} warning={warning} onStored={onClose} />
      )}
      <h3 className="font-medium">{verify}</h3>
      <Tabs
        label={verify}
        tabs={Object.entries(VERIFY_SNIPPETS).map(([id, { name }]) => ({
          id: id as SnippetLanguage,
          label: name,
        }))}
        value={language}
        onChange={setLanguage}
      >
        <CodeBlock language={VERIFY_SNIPPETS[language].name} code={VERIFY_SNIPPETS[language].code} />
      </Tabs>
    </Dialog>
  );
}

interface WebhookDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function RotateSecretDialog({
  webhook,
  onClose,
  onRotated,
}: WebhookDialogProps & { readonly onRotated: (secret: string | undefined) => void }) {
  return (
    <MutationDialog
      kind="primary"
      {...TEXTS.rotation}
      run={() => client.webhooks.rotateSecret(webhook.id)}
      queryKey={WEBHOOKS}
      onClose={onClose}
      onDone={({ secret }) => onRotated(secret)}
    />
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const navigate = useNavigate();
  return (
    <MutationDialog
      {...TEXTS.deletion}
      run={() => client.webhooks.delete(webhook.id)}
      queryKey={WEBHOOKS}
      onClose={onClose}
      onDone={() => navigate({ to: '/webhooks' })}
    />
  );
}

export function DisableWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  return (
    <MutationDialog
      {...TEXTS.disabling}
      run={() => client.webhooks.change(webhook.id, { enabled: false })}
      queryKey={WEBHOOKS}
      onClose={onClose}
    />
  );
}

const HOUR_MS = 3_600_000;
type RecoverSpan = Span | '30d';

/** Sends again all events that failed since a time. */
export function RecoverDialog({ webhook, onClose }: WebhookDialogProps) {
  const [span, setSpan] = useState<RecoverSpan>('24h');
  const { title, text, since, confirm, done, more } = TEXTS.recover;
  const hours = span === '30d' ? 30 * 24 : SPANS[span];
  return (
    <MutationDialog
      title={title}
      text={text}
      confirmLabel={confirm}
      run={() =>
        client.webhooks.recoverDeliveries(webhook.id, {
          since: new Date(Date.now() - hours * HOUR_MS).toISOString(),
        })
      }
      queryKey={WEBHOOKS}
      done={({ resent, has_more: hasMore }) => (hasMore ? `${done(resent)} ${more}` : done(resent))}
      onClose={onClose}
    >
      {() => (
        <Select
          label={since}
          options={[
            ...(Object.keys(SPANS) as Span[]).map((value) => ({
              value: value as RecoverSpan,
              label: TEXTS.spans[value],
            })),
            { value: '30d' as const, label: TEXTS.deliveries.anyTime },
          ]}
          value={span}
          onChange={setSpan}
        />
      )}
    </MutationDialog>
  );
}
