import { getRouteApi, Link } from '@tanstack/react-router';
import type { Webhook } from '@understudy/client';
import { Badge, Button, Code, FactsCard, Menu, Notice, PageHeader, Time, toast } from '@understudy/ui';
import { Pencil, Power, RefreshCw, RotateCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { DeliveriesSection } from './deliveries-section.js';
import { useFirstAttempt, useWebhook, useWebhookChanges } from './queries.js';
import { TEXTS } from './texts.js';
import {
  DeleteWebhookDialog,
  DisableWebhookDialog,
  RecoverDialog,
  RotateSecretDialog,
  SecretDialog,
} from './webhook-dialogs.js';
import { WebhookDialog } from './webhook-form.js';
import { WebhookStatus } from './webhook-status.js';

const route = getRouteApi('/frame/webhooks/$webhookId');

/** One webhook with its deliveries. */
export function WebhookPage() {
  const { webhookId } = route.useParams();
  const query = useWebhook(webhookId);
  const { data: webhook } = query;
  const back = { label: TEXTS.back, render: <Link to="/webhooks" /> };
  if (webhook === undefined)
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title={TEXTS.title} back={back} />
        <QueryState query={query} />
      </div>
    );
  return <LoadedWebhook key={webhookId} webhook={webhook} back={back} />;
}

type Open = 'edit' | 'rotate' | 'disable' | 'delete' | 'recover' | { readonly secret: string | undefined };

function LoadedWebhook({
  webhook,
  back,
}: {
  readonly webhook: Webhook;
  readonly back: { readonly label: string; readonly render: React.ReactElement };
}) {
  const mayWrite = useAllows({ role: 'admin', scope: 'webhooks:write' });
  const { test, enable, reload } = useWebhookChanges();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  useFirstAttempt(test.data, reload);

  const { actions } = TEXTS;
  const isEnabled = webhook.status !== 'disabled';
  const toggle = isEnabled
    ? { label: actions.disable, icon: <Power />, onSelect: () => setOpen('disable') }
    : {
        label: actions.enable,
        icon: <Power />,
        onSelect: () => enable.mutate(webhook.id, { onSuccess: () => toast.success(actions.enabled) }),
      };
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={<span className="font-mono text-lg">{webhook.url}</span>}
        back={back}
        status={<WebhookStatus webhook={webhook} />}
        actions={
          mayWrite && (
            <>
              <Button
                icon={<Send aria-hidden />}
                pending={test.isPending}
                disabled={!isEnabled}
                onClick={() => test.mutate(webhook.id, { onSuccess: () => toast.success(actions.tested) })}
              >
                {actions.test}
              </Button>
              <Menu
                label={actions.menu}
                kind="secondary"
                items={[
                  { label: actions.edit, icon: <Pencil />, onSelect: () => setOpen('edit') },
                  { label: actions.rotate, icon: <RefreshCw />, onSelect: () => setOpen('rotate') },
                  toggle,
                  'separator',
                  {
                    label: actions.delete,
                    icon: <Trash2 />,
                    danger: true,
                    onSelect: () => setOpen('delete'),
                  },
                ]}
              />
            </>
          )
        }
      />
      {webhook.disabled_reason !== null && (
        <Notice tone="warning" announce={false} text={TEXTS.disabledReasons[webhook.disabled_reason]} />
      )}
      <SettingsCard webhook={webhook} />
      <DeliveriesSection
        webhookId={webhook.id}
        actions={
          mayWrite && (
            <Button icon={<RotateCw aria-hidden />} disabled={!isEnabled} onClick={() => setOpen('recover')}>
              {TEXTS.recover.open}
            </Button>
          )
        }
      />
      {open === 'edit' && <WebhookDialog webhook={webhook} onClose={close} onSaved={close} />}
      {open === 'rotate' && (
        <RotateSecretDialog webhook={webhook} onClose={close} onRotated={(secret) => setOpen({ secret })} />
      )}
      {open === 'disable' && <DisableWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'recover' && <RecoverDialog webhook={webhook} onClose={close} />}
      {open === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
      {typeof open === 'object' && <SecretDialog secret={open.secret} onClose={close} />}
    </div>
  );
}

const formats: Readonly<Record<string, string>> = TEXTS.formats;

function SettingsCard({ webhook }: { readonly webhook: Webhook }) {
  const { failing_since: failing, disabled_at: disabled, previous_secret_expires_at: previous } = webhook;
  return (
    <FactsCard
      texts={TEXTS.facts}
      columns={2}
      facts={{
        events: (
          <span className="flex flex-wrap gap-1">
            {webhook.events.map((event) => (
              <Badge key={event}>{event}</Badge>
            ))}
          </span>
        ),
        format: formats[webhook.format],
        added: <Time iso={webhook.created_at} />,
        id: <Code>{webhook.id}</Code>,
        failingSince: failing === null ? undefined : <Time iso={failing} />,
        disabledAt: disabled === null ? undefined : <Time iso={disabled} />,
        previousSecret: previous === null ? undefined : <Time iso={previous} />,
      }}
    />
  );
}
