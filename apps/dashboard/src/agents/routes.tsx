import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';

export const agentRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/agents',
    component: lazyRouteComponent(() => import('./agents-page.js'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/agents/$agentId',
    component: lazyRouteComponent(() => import('./agent-page.js'), 'AgentPage'),
  }),
] as const;
