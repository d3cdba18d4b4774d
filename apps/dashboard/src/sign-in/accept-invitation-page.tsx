import { ApiError, type JoinedMember } from '@understudy/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  Button,
  Card,
  CenteredFrame,
  Form,
  FormActions,
  KeyValues,
  LinkButton,
  PageHeader,
  SecretOnce,
  TextField,
} from '@understudy/ui';
import { useState } from 'react';

import { publicClient } from '../api/client.js';
import { ProblemNotice, QueryState } from '../api/query-state.js';
import { Brand } from '../frame/brand.js';
import { addressSecret, dropAddressSecret } from './address-secret.js';
import { roleName } from '../session/roles.js';
import { sessionCalls } from '../session/session-calls.js';
import { sessionStore } from '../session/session-store.js';
import type { Invitation } from '../session/session.js';
import { SESSION_TEXTS } from '../session/texts.js';

const { invitation: TEXTS } = SESSION_TEXTS;

/** Makes the visitor a member, shows the first API key once, and signs in with it. */
export function AcceptInvitationPage() {
  const [invitation] = useState(() => addressSecret('invitation'));
  const [joined, setJoined] = useState<JoinedMember>();
  return (
    <CenteredFrame brand={<Brand />}>
      {joined ? (
        <Welcome member={joined} />
      ) : invitation === undefined ? (
        <Dead {...TEXTS.missing} />
      ) : (
        <Acceptance secret={invitation} onJoined={setJoined} />
      )}
    </CenteredFrame>
  );
}

/** Shows what the invitation offers, before the visitor accepts it. */
function Acceptance({
  secret,
  onJoined,
}: {
  readonly secret: string;
  readonly onJoined: (member: JoinedMember) => void;
}) {
  const query = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => sessionCalls.invitation(secret),
  });
  const accept = useMutation({
    mutationFn: async (name: string) => {
      const request = { token: secret, ...(name !== '' && { name }) };
      onJoined(await publicClient.members.acceptInvitation(request));
      dropAddressSecret();
    },
  });
  if (isRefused(query.error) || isRefused(accept.error))
    return <Dead title={TEXTS.refused.title} text={TEXTS.refused.text} />;
  const { data } = query;
  return (
    <>
      <PageHeader
        title={TEXTS.title}
        meta={data && <span dir="auto">{TEXTS.text(data.organization.name)}</span>}
      />
      <QueryState query={query} />
      <ProblemNotice error={accept.error} />
      {data && (
        <Card>
          <div className="flex flex-col gap-5">
            <Offer invitation={data} />
            <AcceptForm pending={accept.isPending} onSubmit={accept.mutate} />
          </div>
        </Card>
      )}
    </>
  );
}

function Offer({ invitation: { organization, email, role } }: { readonly invitation: Invitation }) {
  return (
    <KeyValues
      items={[
        { label: TEXTS.organization, value: <span dir="auto">{organization.name}</span> },
        { label: TEXTS.email, value: <span dir="auto">{email}</span> },
        { label: TEXTS.role, value: `${roleName(role)}. ${SESSION_TEXTS.roles.effects[role]}` },
      ]}
    />
  );
}

function AcceptForm({
  pending,
  onSubmit,
}: {
  readonly pending: boolean;
  readonly onSubmit: (name: string) => void;
}) {
  const [name, setName] = useState('');
  return (
    <Form onSubmit={() => onSubmit(name.trim())}>
      <TextField
        label={TEXTS.name}
        hint={TEXTS.nameHint}
        name="name"
        autoComplete="name"
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <FormActions>
        <Button type="submit" kind="primary" pending={pending}>
          {TEXTS.submit}
        </Button>
      </FormActions>
    </Form>
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && [401, 404, 422].includes(error.status);
}

/** The page in place of an invitation that nobody can accept. */
function Dead({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <PageHeader title={title} meta={text} />
      <div>
        <LinkButton render={<Link to="/sign-in" />}>{SESSION_TEXTS.signIn.title}</LinkButton>
      </div>
    </>
  );
}

function Welcome({ member }: { readonly member: JoinedMember }) {
  const navigate = useNavigate();
  const enter = useMutation({
    mutationFn: async () => {
      await sessionStore.signIn({ token: member.api_token });
      await navigate({ to: '/', replace: true });
    },
  });
  return (
    <>
      <PageHeader title={TEXTS.joined} meta={TEXTS.joinedText} />
      <ProblemNotice error={enter.error} />
      <Card>
        <SecretOnce
          label={TEXTS.token}
          value={member.api_token}
          warning={TEXTS.tokenWarning}
          storedLabel={TEXTS.continue}
          onStored={() => enter.mutate()}
        />
      </Card>
    </>
  );
}
