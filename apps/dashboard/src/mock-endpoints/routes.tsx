import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';

export const mockEndpointRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/mock-endpoints',
    component: lazyRouteComponent(() => import('./mock-endpoints-page.js'), 'MockEndpointsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/mock-endpoints/$endpointId',
    component: lazyRouteComponent(() => import('./mock-endpoint-page.js'), 'MockEndpointPage'),
  }),
] as const;
