import { Link } from '@tanstack/react-router';
import { Button, CodeBlock, Dialog, LinkButton, Notice, Spinner } from '@understudy/ui';
import type { NewEnrolmentToken } from '@understudy/client';

import { BASE_PATH } from '../api/client.js';
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
      <Step title={enrolment.policyStep} text={enrolment.policyText}>
        <CodeBlock language={enrolment.languages.policy} code={POLICY} />
      </Step>
      <Step title={enrolment.startStep} text={enrolment.startText}>
        <CodeBlock language={enrolment.languages.shell} code={startLines(created.token)} />
      </Step>
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

const POLICY = `databases:
  shop: { url_env: SHOP_URL, roles: [source] }
  shop-staging: { url_env: STAGING_URL, roles: [target] }
`;

/** The lines of docs/guides/run-an-agent.md, with the address of this control plane and the token. */
function startLines(token: string): string {
  return `export SHOP_URL='postgresql://reader:secret@db.internal/shop?sslmode=verify-full'
export STAGING_URL='postgresql://masker:secret@staging.internal/shop?sslmode=verify-full'
export UNDERSTUDY_CONTROL_URL='${window.location.origin}${BASE_PATH}/v1'
export UNDERSTUDY_AGENT_POLICY_FILE="$PWD/policy.yaml"
export UNDERSTUDY_AGENT_STATE_DIR="$PWD/agent-state"
export UNDERSTUDY_AGENT_ENROLMENT_TOKEN='${token}'
node apps/agent/dist/main.js
`;
}
