import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/',
    component: lazyPage(() => import('./overview-page.js'), 'OverviewPage'),
  }),
] as const;
