import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Dialog } from '@understudy/ui';
import { useEffect, useRef, useState } from 'react';

import { ProblemNotice } from '../api/query-state.js';
import { nextCheckMs, sessionEnd, WARNING_MS, type SessionEnd } from './session-end.js';
import { sessionStore, type SessionState } from './session-store.js';
import { SignInForm } from './sign-in-form.js';
import { SESSION_TEXTS } from './texts.js';
import { useSessionState } from './use-session.js';

/** Warns before the session ends, and lets the reader sign in again over the page, which keeps everything typed. */
export function SessionWatch() {
  const state = useSessionState();
  useReloadAfterEnd(state);
  if (state.kind === 'ended') return <EndedDialog />;
  return state.kind === 'active' ? <Warning state={state} /> : null;
}

function EndedDialog() {
  const { title, text } = SESSION_TEXTS.ended;
  useEffect(() => {
    // A sign-in with a provider ends in another tab, which does not report it.
    const ask = (): void => {
      if (document.visibilityState === 'visible') void sessionStore.load().catch(() => undefined); // asks again later
    };
    window.addEventListener('focus', ask);
    document.addEventListener('visibilitychange', ask);
    return () => {
      window.removeEventListener('focus', ask);
      document.removeEventListener('visibilitychange', ask);
    };
  }, []);
  return (
    <Dialog open title={title} description={text} size="small">
      <SignInForm newTab />
    </Dialog>
  );
}

/** Repeats the calls that failed while there was no session. */
function useReloadAfterEnd(state: SessionState): void {
  const queryClient = useQueryClient();
  const before = useRef(state.kind);
  useEffect(() => {
    if (before.current === 'ended' && state.kind === 'active') void queryClient.invalidateQueries();
    before.current = state.kind;
  }, [queryClient, state.kind]);
}

function Warning({ state }: { readonly state: SessionState & { readonly kind: 'active' } }) {
  const end = useSessionEnd(state);
  const [dismissedFor, setDismissedFor] = useState<string>();
  const { mutate: extend, isPending, error } = useMutation({ mutationFn: () => sessionStore.extend() });
  const { warning: TEXTS } = SESSION_TEXTS;
  const { session } = state;
  const open = end.remainingMs <= WARNING_MS && dismissedFor !== session.ends_at;
  const close = (): void => {
    if (end.isExtendable) extend();
    else setDismissedFor(session.ends_at);
  };
  const seconds = Math.ceil(end.remainingMs / 1_000);
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      dismissible={false}
      title={TEXTS.title}
      description={end.isExtendable ? TEXTS.extendable : TEXTS.final}
      size="small"
      actions={
        <Button kind="primary" pending={isPending} onClick={close}>
          {end.isExtendable ? TEXTS.extend : TEXTS.dismiss}
        </Button>
      }
    >
      <p role="timer">{TEXTS.remaining(Math.floor(seconds / 60), seconds % 60)}</p>
      <ProblemNotice error={error} />
    </Dialog>
  );
}

/**
 * Returns when the session ends. Before the warning, it asks the server, because calls of this page and of other tabs
 * have moved the end. It asks again when the tab becomes visible.
 */
function useSessionEnd({ session, receivedAt }: SessionState & { readonly kind: 'active' }): SessionEnd {
  const [now, setNow] = useState(receivedAt);
  const end = sessionEnd(session, receivedAt, Math.max(now, receivedAt));
  const isWarning = end.remainingMs <= WARNING_MS;
  useEffect(() => {
    const ask = (): void => void sessionStore.load().catch(() => setNow(Date.now()));
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') ask();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
  useEffect(() => {
    const present = sessionEnd(session, receivedAt, Date.now());
    const timer = setTimeout(
      () => {
        const { remainingMs } = sessionEnd(session, receivedAt, Date.now());
        if (remainingMs === 0 || (remainingMs <= WARNING_MS && !isWarning)) {
          void sessionStore.load().catch(() => undefined); // the next call reports a failure
        }
        setNow(Date.now());
      },
      isWarning ? 1_000 : nextCheckMs(present),
    );
    return () => clearTimeout(timer);
  }, [session, receivedAt, isWarning, now]);
  return end;
}
