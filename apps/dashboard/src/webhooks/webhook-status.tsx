import type { Webhook, WebhookDelivery, WebhookDeliveryTry } from '@understudy/client';
import { StatusBadge } from '@understudy/ui';

import { NamedStatus } from '../work/named-status.js';
import { TEXTS } from './texts.js';

/** Whether the webhook receives requests, and whether they fail. */
export function WebhookStatus({ webhook }: { readonly webhook: Webhook }) {
  const { statuses } = TEXTS;
  if (webhook.status === 'disabled') return <StatusBadge status="inactive" label={statuses.disabled} />;
  if (webhook.failing_since !== null) return <StatusBadge status="failed" label={statuses.failing} />;
  return <StatusBadge status="succeeded" label={statuses.enabled} />;
}

export function DeliveryStatusBadge({ status }: Pick<WebhookDelivery, 'status'>) {
  return <NamedStatus status={status} labels={TEXTS.deliveryStatuses} />;
}

/** Returns the response to one attempt, for example "200" or "500, refused by the receiver". */
export function responseOf({ status_code: code, error }: WebhookDeliveryTry): string {
  const reason = error === null ? undefined : (TEXTS.responseErrors[error] ?? error);
  return [code === null ? undefined : String(code), reason].filter((part) => part !== undefined).join(', ');
}
