import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const mockEndpointRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/mock-endpoints',
    component: lazyPage(() => import('./mock-endpoints-page.js'), 'MockEndpointsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/mock-endpoints/$endpointId',
    component: lazyPage(() => import('./mock-endpoint-page.js'), 'MockEndpointPage'),
  }),
] as const;
