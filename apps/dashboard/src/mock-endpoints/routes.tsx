import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const mockEndpointRoutes = [
  createRoute(framePage('/mock-endpoints', () => import('./mock-endpoints-page.js'), 'MockEndpointsPage')),
  createRoute(
    framePage('/mock-endpoints/$endpointId', () => import('./mock-endpoint-page.js'), 'MockEndpointPage'),
  ),
] as const;
