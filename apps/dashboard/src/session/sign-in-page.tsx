import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Button, Card, CenteredFrame, CodeBlock, Notice, PageHeader, Section } from '@understudy/ui';
import { useEffect, useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import { Brand } from '../app/brand.js';
import { addressSecret, dropAddressSecret } from './address-secret.js';
import { sessionStore } from './session-store.js';
import { isRefused, SignInFailure, SignInForm, useSignIn } from './sign-in-form.js';
import { providerError, SESSION_TEXTS } from './texts.js';
import { useSessionState } from './use-session.js';

const { signIn: TEXTS } = SESSION_TEXTS;
const route = getRouteApi('/sign-in');

/** The page for visitors. With a session, it leads on to the page that the visitor wanted. */
export function SignInPage() {
  const { error } = route.useSearch();
  const [link] = useState(() => addressSecret('link'));
  useContinue();
  return (
    <CenteredFrame brand={<Brand />}>
      {error !== undefined && <Notice tone="danger" {...providerError(error)} />}
      {link === undefined ? (
        <>
          <PageHeader title={TEXTS.title} />
          <Card>
            <SignInForm />
          </Card>
        </>
      ) : (
        <LinkSignIn link={link} />
      )}
      <Section title={TEXTS.help.title} text={TEXTS.help.text}>
        <CodeBlock code={TEXTS.help.command} language={TEXTS.help.language} />
      </Section>
    </CenteredFrame>
  );
}

/**
 * Asks before it uses the link, because a link works only once. An earlier session of this browser ends only then, so
 * nobody can sign a reader into another account unnoticed.
 */
function LinkSignIn({ link }: { readonly link: string }) {
  const { signIn, pending, failure } = useSignIn();
  return (
    <>
      <PageHeader title={TEXTS.linkTitle} meta={TEXTS.linkText} />
      {failure !== undefined && <SignInFailure failure={failure} refused={TEXTS.linkFailed} />}
      {isRefused(failure) ? (
        <Card>
          <SignInForm />
        </Card>
      ) : (
        <div>
          <Button kind="primary" pending={pending} onClick={() => void signIn({ link })}>
            {TEXTS.linkSubmit}
          </Button>
        </div>
      )}
    </>
  );
}

/** Leaves the page when there is a session, also if another tab has opened it. */
function useContinue(): void {
  const router = useRouter();
  const { return_to = '/' } = route.useSearch();
  const state = useSessionState();
  const hasLink = addressSecret('link') !== undefined;
  const [before] = useState(state);
  useEffect(() => {
    if (state.kind === 'unknown') void sessionStore.load().catch(() => undefined); // the form reports a failure
  }, [state.kind]);
  // A session from before does not lead on while the page holds a link.
  const isSignedIn = state.kind === 'active' && !(hasLink && state === before);
  useEffect(() => {
    if (!isSignedIn) return;
    dropAddressSecret();
    router.history.replace(`${BASE_PATH}/dashboard${return_to}`);
  }, [isSignedIn, return_to, router]);
}
