import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Button, Card, CenteredFrame, CodeBlock, Notice, PageHeader, Section } from '@understudy/ui';
import { useEffect, useState } from 'react';

import { BASE_PATH } from '../api/client.js';
import { Brand } from '../frame/brand.js';
import { addressSecret, dropAddressSecret } from './address-secret.js';
import { sessionStore } from '../session/session-store.js';
import { isRefused, SignInFailure, SignInForm, useSignIn } from '../session/sign-in-form.js';
import { providerError, SESSION_TEXTS } from '../session/texts.js';
import { useSessionState } from '../session/use-session.js';

const { signIn: TEXTS } = SESSION_TEXTS;
const route = getRouteApi('/sign-in');

/** The page for visitors. With a session, it leads on to the page that the visitor wanted. */
export function SignInPage() {
  const { error } = route.useSearch();
  const [link] = useState(() => addressSecret('link'));
  const isReady = useContinue(link !== undefined);
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
        <LinkSignIn link={link} isReady={isReady} />
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
function LinkSignIn({ link, isReady }: { readonly link: string; readonly isReady: boolean }) {
  const { mutate, isPending, error } = useSignIn();
  return (
    <>
      <PageHeader title={TEXTS.linkTitle} meta={TEXTS.linkText} />
      {error && <SignInFailure failure={error} refused={TEXTS.linkFailed} />}
      {isRefused(error) ? (
        <Card>
          <SignInForm />
        </Card>
      ) : (
        <div>
          <Button kind="primary" pending={isPending || !isReady} onClick={() => mutate({ link })}>
            {TEXTS.linkSubmit}
          </Button>
        </div>
      )}
    </>
  );
}

/**
 * Leaves the page when there is a session, also if another tab has opened it. While the page holds a link, an earlier
 * session does not lead on.
 * @returns true when it is known whether there was an earlier session
 */
function useContinue(hasLink: boolean): boolean {
  const router = useRouter();
  const { return_to = '/' } = route.useSearch();
  const state = useSessionState();
  /** The id of the session from before, null if there was none, undefined until the server has responded. */
  const [earlier, setEarlier] = useState<string | null>();
  useEffect(() => {
    sessionStore.load().then(
      (found) => setEarlier(found.kind === 'active' ? found.session.id : null),
      () => setEarlier(null), // the form reports a failure
    );
  }, []);
  const isNew = state.kind === 'active' && earlier !== undefined && state.session.id !== earlier;
  const leaves = state.kind === 'active' && (!hasLink || isNew);
  useEffect(() => {
    if (!leaves) return;
    dropAddressSecret();
    router.history.replace(`${BASE_PATH}/dashboard${return_to}`);
  }, [leaves, return_to, router]);
  return earlier !== undefined;
}
