import { Outlet, createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { ToastRegion } from '@understudy/ui';

import { lazyPage } from '../api/lazy-page.js';
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

/**
 * Returns a route inside the frame.
 * @param load imports the code of the page when it is first opened
 * @param validateSearch reads the part of the address after `?`
 */
export function framePage<
  const Path extends string,
  Module extends Record<string, unknown>,
  Name extends keyof Module,
  Validator extends ((search: Record<string, unknown>) => object) | undefined = undefined,
>(path: Path, load: () => Promise<Module>, name: Name, validateSearch?: Validator) {
  const component = lazyPage(load, name);
  return createRoute({
    getParentRoute: () => frameRoute,
    path,
    component,
    validateSearch: validateSearch as Validator,
  });
}

/** Any other address. Its page is inside the frame, so that navigation still works. */
export const unknownRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '$',
  component: NotFoundPage,
});
