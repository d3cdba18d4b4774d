import { Outlet, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';

import { BASE_PATH } from '../api/client.js';

const rootRoute = createRootRoute({ component: Outlet });
const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: () => <h1>Overview</h1>,
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([overviewRoute]),
  basepath: `${BASE_PATH}/dashboard`,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
