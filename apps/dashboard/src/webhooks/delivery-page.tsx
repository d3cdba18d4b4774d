import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { WebhookDeliveryTry, WebhookDeliveryWithRequest } from '@understudy/client';
import {
  Button,
  Card,
  Code,
  CodeBlock,
  columnsOf,
  Duration,
  FactsCard,
  PageHeader,
  Table,
  Time,
  toast,
} from '@understudy/ui';
import { RotateCw } from 'lucide-react';

import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { useDelivery, useWebhookChanges } from './queries.js';
import { TEXTS } from './texts.js';
import { DeliveryStatusBadge, responseOf } from './webhook-status.js';

const route = getRouteApi('/frame/webhooks/$webhookId/deliveries/$deliveryId');
const { delivery: texts } = TEXTS;

/** One delivery: its attempts, and the exact request with its signatures. */
export function DeliveryPage() {
  const { webhookId, deliveryId } = route.useParams();
  const navigate = useNavigate();
  const query = useDelivery(deliveryId);
  const { data: delivery } = query;
  const mayResend = useAllows({ role: 'admin', scope: 'webhooks:write' });
  const { resend } = useWebhookChanges();
  const sendAgain = () =>
    resend.mutate(deliveryId, {
      onSuccess: ({ id }) => {
        toast.success(texts.resent);
        void navigate({
          to: '/webhooks/$webhookId/deliveries/$deliveryId',
          params: { webhookId, deliveryId: id },
        });
      },
    });
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={texts.title}
        back={{
          label: texts.back,
          render: <Link to="/webhooks/$webhookId" params={{ webhookId }} />,
        }}
        status={delivery && <DeliveryStatusBadge {...delivery} />}
        actions={
          mayResend &&
          delivery && (
            <Button icon={<RotateCw aria-hidden />} pending={resend.isPending} onClick={sendAgain}>
              {texts.resend}
            </Button>
          )
        }
      />
      <QueryState query={query} />
      {delivery && (
        <>
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <DeliveryFacts delivery={delivery} />
            <Card title={texts.tries.title} flush>
              <Table
                caption={texts.tries.caption}
                columns={TRY_COLUMNS}
                rows={delivery.tries}
                rowKey={({ at }) => at}
                empty={<p className="px-4 pb-4 text-muted">{texts.tries.none}</p>}
              />
            </Card>
          </div>
          <RequestCard delivery={delivery} />
        </>
      )}
    </div>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: WebhookDeliveryWithRequest }) {
  const { resend_of: original, next_attempt_at: next } = delivery;
  return (
    <FactsCard
      texts={texts.facts}
      facts={{
        event: delivery.event,
        eventId: <Code>{delivery.event_id}</Code>,
        id: <Code>{delivery.id}</Code>,
        created: <Time iso={delivery.created_at} />,
        delivered: <Time iso={delivery.delivered_at} />,
        next: next === null ? undefined : <Time iso={next} />,
        repeats: original === null ? undefined : <Code>{original}</Code>,
      }}
    />
  );
}

function RequestCard({ delivery }: { readonly delivery: WebhookDeliveryWithRequest }) {
  const { request } = texts;
  const { last_request: sent, payload } = delivery;
  return (
    <Card title={request.title} text={request.text}>
      <div className="flex flex-col gap-4">
        {sent === null ? (
          <p className="text-muted">{request.none}</p>
        ) : (
          <CodeBlock
            language={request.headers}
            code={[
              `POST ${sent.url}`,
              ...Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`),
            ].join('\n')}
          />
        )}
        <CodeBlock language={request.body} code={payload} wrap />
      </div>
    </Card>
  );
}

const TRY_COLUMNS = columnsOf<WebhookDeliveryTry>()(texts.tries.columns, {
  at: { cell: ({ at }) => <Time iso={at} /> },
  response: { cell: responseOf },
  duration: { width: '6rem', align: 'end', cell: ({ duration_ms: ms }) => <Duration ms={ms} /> },
});
