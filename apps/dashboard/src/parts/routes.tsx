import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { rootRoute } from '../app/routes.js';

export const partsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts',
    component: lazyRouteComponent(() => import('./parts-page.js'), 'PartsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts/large-table',
    component: lazyRouteComponent(() => import('./large-table-page.js'), 'LargeTablePage'),
  }),
] as const;
