import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const memberRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/members',
    component: lazyPage(() => import('./members-page.js'), 'MembersPage'),
  }),
] as const;
