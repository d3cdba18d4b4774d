import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';

export const memberRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('./members-page.js'), 'MembersPage'),
  }),
] as const;
