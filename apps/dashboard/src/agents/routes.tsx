import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const agentRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/agents',
    component: lazyPage(() => import('./agents-page.js'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/agents/$agentId',
    component: lazyPage(() => import('./agent-page.js'), 'AgentPage'),
  }),
] as const;
