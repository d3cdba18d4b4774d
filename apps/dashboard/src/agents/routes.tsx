import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const agentRoutes = [
  createRoute(framePage('/agents', () => import('./agents-page.js'), 'AgentsPage')),
  createRoute(framePage('/agents/$agentId', () => import('./agent-page.js'), 'AgentPage')),
] as const;
