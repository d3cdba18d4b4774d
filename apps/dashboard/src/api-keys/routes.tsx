import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const apiKeyRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/api-keys',
    component: lazyPage(() => import('./api-keys-page.js'), 'ApiKeysPage'),
  }),
] as const;
