import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/playground',
    component: lazyPage(() => import('./playground-page.js'), 'PlaygroundPage'),
  }),
] as const;
