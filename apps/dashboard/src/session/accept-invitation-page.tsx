import { ApiError, type JoinedMember } from '@understudy/client';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  Button,
  Card,
  CenteredFrame,
  Form,
  FormActions,
  LinkButton,
  Notice,
  PageHeader,
  SecretOnce,
  TextField,
} from '@understudy/ui';
import { useState } from 'react';

import { publicClient } from '../api/client.js';
import { ProblemNotice } from '../api/query-state.js';
import { Brand } from '../app/brand.js';
import { addressSecret, dropAddressSecret } from './address-secret.js';
import { sessionStore } from './session-store.js';
import { SESSION_TEXTS } from './texts.js';

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
        <>
          <PageHeader title={TEXTS.missing.title} meta={TEXTS.missing.text} />
          <div>
            <LinkButton render={<Link to="/sign-in" />}>{SESSION_TEXTS.signIn.title}</LinkButton>
          </div>
        </>
      ) : (
        <Acceptance invitation={invitation} onJoined={setJoined} />
      )}
    </CenteredFrame>
  );
}

function Acceptance({
  invitation,
  onJoined,
}: {
  readonly invitation: string;
  readonly onJoined: (member: JoinedMember) => void;
}) {
  const [name, setName] = useState('');
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const accept = async (): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    const text = name.trim();
    try {
      onJoined(
        await publicClient.members.acceptInvitation({
          token: invitation,
          ...(text !== '' && { name: text }),
        }),
      );
      dropAddressSecret();
    } catch (error) {
      setFailure(error);
      setPending(false);
    }
  };
  const isRefused = failure instanceof ApiError && [401, 404, 422].includes(failure.status);
  return (
    <>
      <PageHeader title={TEXTS.title} meta={TEXTS.text} />
      {isRefused && <Notice tone="danger" {...TEXTS.refused} />}
      {!isRefused && <ProblemNotice error={failure} />}
      <Card>
        <Form onSubmit={() => void accept()}>
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
      </Card>
    </>
  );
}

function Welcome({ member }: { readonly member: JoinedMember }) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  const enter = async (): Promise<void> => {
    try {
      await sessionStore.signIn({ token: member.api_token });
      await navigate({ to: '/', replace: true });
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <>
      <PageHeader title={TEXTS.joined} meta={TEXTS.joinedText} />
      <ProblemNotice error={failure} />
      <Card>
        <SecretOnce
          label={TEXTS.token}
          value={member.api_token}
          warning={TEXTS.tokenWarning}
          storedLabel={TEXTS.continue}
          onStored={() => void enter()}
        />
      </Card>
    </>
  );
}
