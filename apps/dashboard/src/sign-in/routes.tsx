import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { rootRoute } from '../frame/routes.js';

/** The part of an address that only this page of the dashboard uses. */
export interface SignInSearch {
  /** The page to which the sign-in leads, as a path after `/dashboard`. */
  readonly return_to?: string | undefined;
  /** Why a sign-in by a provider failed. */
  readonly error?: string | undefined;
}

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: ({ return_to, error }: Record<string, unknown>): SignInSearch => ({
      return_to: typeof return_to === 'string' && isOwnPath(return_to) ? return_to : undefined,
      error: typeof error === 'string' ? error : undefined,
    }),
    component: lazyPage(() => import('./sign-in-page.js'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/choose-organization',
    component: lazyPage(() => import('./choose-organization-page.js'), 'ChooseOrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/accept-invitation',
    component: lazyPage(() => import('./accept-invitation-page.js'), 'AcceptInvitationPage'),
  }),
] as const;

/** Refuses addresses of other servers, such as `//example.com`, because anybody can write the address. */
function isOwnPath(path: string): boolean {
  return path.length <= 2_000 && /^\/(?!\/)[^\s\\]*$/.test(path);
}
