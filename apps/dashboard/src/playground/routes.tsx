import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/playground',
    component: lazyRouteComponent(() => import('./playground-page.js'), 'PlaygroundPage'),
  }),
] as const;
