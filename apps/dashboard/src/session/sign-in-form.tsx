import { ApiError } from '@understudy/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Form, FormActions, LinkButton, Notice, TextField } from '@understudy/ui';
import { useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import { ProblemNotice } from '../api/query-state.js';
import { sessionCalls } from './session-calls.js';
import { sessionStore } from './session-store.js';
import { credentialOf, type Credential } from './session.js';
import { SESSION_TEXTS } from './texts.js';

const { signIn: TEXTS } = SESSION_TEXTS;

/** Signs in and keeps the failure of the last attempt. */
export function useSignIn() {
  return useMutation({
    mutationFn: (credential: Credential) => sessionStore.signIn(credential),
    gcTime: 0, // the cache must not keep an API key
  });
}

/** All ways to sign in: the providers that the operator has configured, an API key, and a one-time link. */
export function SignInForm({ newTab = false }: { readonly newTab?: boolean }) {
  const [secret, setSecret] = useState('');
  const { mutate, isPending, error, variables: sent } = useSignIn();
  const providers = useQuery({ queryKey: ['sign-in'], queryFn: sessionCalls.providers, staleTime: Infinity });
  const list = providers.data ?? [];
  const refused = sent && 'link' in sent ? TEXTS.linkFailed : TEXTS.refused;
  return (
    <div className="flex flex-col gap-4">
      {list.map(({ id, name }) => (
        <LinkButton
          key={id}
          href={`${BASE_PATH}/dashboard/oidc/${encodeURIComponent(id)}`}
          {...(newTab && { target: '_blank' })}
        >
          {TEXTS.provider(name)}
        </LinkButton>
      ))}
      {list.length > 0 && <p>{newTab ? SESSION_TEXTS.ended.providerText : TEXTS.or}</p>}
      <Form onSubmit={() => mutate(credentialOf(secret))}>
        {error && <SignInFailure failure={error} refused={refused} />}
        <TextField
          label={TEXTS.token}
          hint={TEXTS.tokenHint}
          type="password"
          name="token"
          autoComplete="current-password"
          maxLength={512}
          required
          mono
          value={secret}
          onChange={setSecret}
        />
        <FormActions>
          <Button type="submit" kind="primary" pending={isPending}>
            {TEXTS.submit}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}

/** Returns whether the server refused the key or the link itself, so that another attempt with it cannot succeed. */
export function isRefused(failure: unknown): boolean {
  return failure instanceof ApiError && [401, 422].includes(failure.status);
}

/** Reports why a sign-in failed. The server gives no reason for a refusal, so `refused` lists the possible ones. */
export function SignInFailure({
  failure,
  refused,
}: {
  readonly failure: unknown;
  readonly refused: { readonly title: string; readonly text: string };
}) {
  return isRefused(failure) ? <Notice tone="danger" {...refused} /> : <ProblemNotice error={failure} />;
}
