import { Link } from '@tanstack/react-router';
import { Button, CodeBlock, CopyField, Dialog, LinkButton, Notice, Spinner, Tabs } from '@understudy/ui';
import type { NewEnrolmentToken } from '@understudy/client';
import { useState } from 'react';

import { ProblemNotice } from '../api/query-state.js';
import { useCreateEnrolmentToken, useEnrolment } from './queries.js';
import { TEXTS } from './texts.js';

const { enrolment } = TEXTS;

/** Creates an enrolment token, shows the lines to paste, and waits until the agent has connected. */
export function EnrolDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: created, error, isPending, mutate } = useCreateEnrolmentToken();
  const create = (label: string) => (
    <Button kind="primary" pending={isPending} onClick={() => mutate()}>
      {label}
    </Button>
  );
  return (
    <Dialog open onOpenChange={onClose} title={enrolment.title} size="large" dismissible={false}>
      <ProblemNotice error={error} />
      {created === undefined ? (
        <>
          <p className="max-w-prose">{enrolment.createText}</p>
          <div>{create(enrolment.create)}</div>
        </>
      ) : (
        <Enrolment key={created.id} created={created} onClose={onClose} again={create(enrolment.again)} />
      )}
    </Dialog>
  );
}

function Enrolment({
  created,
  onClose,
  again,
}: {
  readonly created: NewEnrolmentToken;
  readonly onClose: () => void;
  readonly again: React.ReactNode;
}) {
  const { data } = useEnrolment(created.id);
  if (created.token === undefined) return <Notice tone="warning" text={enrolment.lost} action={again} />;
  const status = data?.status ?? created.status;
  const agentId = data?.agent_id ?? null;
  return (
    <>
      <p className="max-w-prose">{enrolment.intro}</p>
      <Step title={enrolment.tokenStep} text={enrolment.tokenText}>
        <CopyField label={enrolment.token} value={created.token} secret />
      </Step>
      <Ways install={created.install} />
      <div aria-live="polite">
        {status === 'unused' && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label="" /> {enrolment.waiting}
          </p>
        )}
        {status === 'expired' && <Notice tone="warning" text={enrolment.expired} action={again} />}
        {agentId !== null && (
          <Notice
            tone="success"
            text={enrolment.connected}
            action={
              <LinkButton
                kind="primary"
                render={<Link to="/agents/$agentId" params={{ agentId }} onClick={onClose} />}
              >
                {enrolment.show}
              </LinkButton>
            }
          />
        )}
      </div>
    </>
  );
}

function Step({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: React.ReactNode;
}) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      <p className="max-w-prose text-muted">{text}</p>
      {children}
    </section>
  );
}

type Way = keyof NewEnrolmentToken['install'];

/** The file that names the databases and the commands of the API, for one way to install the agent at a time. */
function Ways({ install }: { readonly install: NewEnrolmentToken['install'] }) {
  const [way, setWay] = useState<Way>('npm');
  const { label, file, fileText, startText } = enrolment.ways[way];
  return (
    <Tabs
      label={enrolment.waysLabel}
      tabs={WAYS.map((id) => ({ id, label: enrolment.ways[id].label }))}
      value={way}
      onChange={setWay}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <Step title={enrolment.databasesStep} text={fileText}>
          <CodeBlock language={file} code={way === 'helm' ? VALUES : POLICY} />
        </Step>
        <Step title={enrolment.startStep} text={startText}>
          <CodeBlock language={enrolment.shell(label)} code={install[way].join(' &&\n')} />
        </Step>
      </div>
    </Tabs>
  );
}

const WAYS: readonly Way[] = ['npm', 'container', 'helm'];

const POLICY = `databases:
  shop:
    url: 'postgresql://reader:secret@db.internal/shop?sslmode=verify-full'
    roles: [source]
  shop-staging:
    url: 'postgresql://masker:secret@staging.internal/shop?sslmode=verify-full'
    roles: [target]
`;

/** Values of deploy/helm/understudy-agent. */
const VALUES = `controlPlane:
  to: [{ ipBlock: { cidr: 203.0.113.10/32 } }]
nats: # not needed for an address with wss://
  to: [{ ipBlock: { cidr: 203.0.113.11/32 } }]
databases:
  - { env: SHOP_URL, existingSecret: shop, key: url, port: 5432, to: [{ ipBlock: { cidr: 10.20.0.5/32 } }] }
  - { env: STAGING_URL, existingSecret: staging, key: url, port: 5432, to: [{ ipBlock: { cidr: 10.20.0.6/32 } }] }
policy:
  databases:
    shop: { url_env: SHOP_URL, roles: [source] }
    shop-staging: { url_env: STAGING_URL, roles: [target] }
`;
