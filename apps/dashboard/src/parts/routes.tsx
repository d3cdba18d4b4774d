import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { rootRoute } from '../frame/routes.js';

export const partsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts',
    component: lazyPage(() => import('./parts-page.js'), 'PartsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts/large-table',
    component: lazyPage(() => import('./large-table-page.js'), 'LargeTablePage'),
  }),
] as const;
