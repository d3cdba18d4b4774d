import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/api-keys',
    component: lazyRouteComponent(() => import('./api-keys-page.js'), 'ApiKeysPage'),
  }),
] as const;
