import { Outlet, createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { ToastRegion } from '@understudy/ui';

import { sessionStore } from '../session/session-store.js';
import { FailedFrame, NotFoundPage } from './fallback-pages.js';
import { Frame } from './frame.js';
import { RequestLinks } from './request-links.js';

/** The parent of pages that a visitor may see without a session. */
export const rootRoute = createRootRoute({
  component: () => (
    <RequestLinks>
      <Outlet />
      <ToastRegion />
    </RequestLinks>
  ),
});

/** The parent of pages inside the frame with the navigation. A visitor without a session is sent to the sign-in. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
  errorComponent: FailedFrame,
  beforeLoad: async ({ location }) => {
    const known = sessionStore.get();
    const state = known.kind === 'unknown' ? await sessionStore.load() : known;
    if (state.kind === 'active' || state.kind === 'ended') return;
    const return_to = location.href === '/' ? undefined : location.href;
    throw redirect({ to: '/sign-in', search: { return_to }, replace: true });
  },
});

/** Any other address. Its page is inside the frame, so that navigation still works. */
export const unknownRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '$',
  component: NotFoundPage,
});
