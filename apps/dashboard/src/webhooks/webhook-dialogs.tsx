import type { Webhook } from '@understudy/client';
import {
  Button,
  CodeBlock,
  ConfirmDialog,
  Dialog,
  ErrorNotice,
  Notice,
  SecretOnce,
  Select,
  Tabs,
  toast,
} from '@understudy/ui';
import { useState } from 'react';

import { problemOf } from '../api/problem.js';
import { SPANS, type Span } from './delivery-filters.js';
import { useWebhookChanges } from './queries.js';
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
  const { rotate } = useWebhookChanges();
  const { title, consequence, confirm } = TEXTS.rotation;
  return (
    <ConfirmDialog
      open
      kind="primary"
      onOpenChange={onClose}
      title={title}
      consequence={consequence}
      confirmLabel={confirm}
      pending={rotate.isPending}
      error={rotate.error === null ? undefined : problemOf(rotate.error).text}
      onConfirm={() => rotate.mutate(webhook.id, { onSuccess: ({ secret }) => onRotated(secret) })}
    />
  );
}

export function DeleteWebhookDialog({
  webhook,
  onClose,
  onDeleted,
}: WebhookDialogProps & { readonly onDeleted: () => void }) {
  const { remove } = useWebhookChanges();
  const { title, consequence, confirm, done } = TEXTS.deletion;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      consequence={consequence}
      confirmLabel={confirm}
      pending={remove.isPending}
      error={remove.error === null ? undefined : problemOf(remove.error).text}
      onConfirm={() =>
        remove.mutate(webhook.id, {
          onSuccess: () => {
            toast.success(done);
            onDeleted();
          },
        })
      }
    />
  );
}

export function DisableWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const { change } = useWebhookChanges();
  const { title, consequence, confirm } = TEXTS.disabling;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      consequence={consequence}
      confirmLabel={confirm}
      pending={change.isPending}
      error={change.error === null ? undefined : problemOf(change.error).text}
      onConfirm={() =>
        change.mutate(
          { id: webhook.id, enabled: false },
          {
            onSuccess: () => {
              toast.success(TEXTS.actions.disabled);
              onClose();
            },
          },
        )
      }
    />
  );
}

const HOUR_MS = 3_600_000;
type RecoverSpan = Span | '30d';

/** Sends again all events that failed since a time. */
export function RecoverDialog({ webhook, onClose }: WebhookDialogProps) {
  const { recover } = useWebhookChanges();
  const [span, setSpan] = useState<RecoverSpan>('24h');
  const { title, text, since, confirm, cancel, done, more } = TEXTS.recover;
  const submit = () => {
    const hours = span === '30d' ? 30 * 24 : SPANS[span];
    recover.mutate(
      { id: webhook.id, since: new Date(Date.now() - hours * HOUR_MS).toISOString() },
      {
        onSuccess: ({ resent, has_more: hasMore }) => {
          toast.success(done(resent), hasMore ? more : undefined);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" pending={recover.isPending} onClick={submit}>
            {confirm}
          </Button>
        </>
      }
    >
      {recover.error && <ErrorNotice problem={{ ...problemOf(recover.error), details: [] }} />}
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
    </Dialog>
  );
}
