import { Link } from '@tanstack/react-router';
import { RequestLinkContext, TextLink } from '@understudy/ui';
import { useCallback, type ReactNode } from 'react';

import { allows } from '../session/session.js';
import { useSessionState } from '../session/use-session.js';
import { APP_TEXTS } from './texts.js';

/** Links the request ids of errors to the audit log, for a session that may read it. */
export function RequestLinks({ children }: { readonly children: ReactNode }) {
  const state = useSessionState();
  const isShown = state.kind === 'active' && allows(state.session, { role: 'admin', scope: 'audit:read' });
  const link = useCallback(
    (request: string) => (
      <TextLink render={<Link to="/audit-log" search={{ request }} />}>{APP_TEXTS.requestLink}</TextLink>
    ),
    [],
  );
  return <RequestLinkContext value={isShown ? link : undefined}>{children}</RequestLinkContext>;
}
