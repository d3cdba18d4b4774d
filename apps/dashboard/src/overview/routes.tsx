import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./overview-page.js'), 'OverviewPage'),
  }),
] as const;
