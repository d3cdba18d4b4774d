import { createRouter } from '@tanstack/react-router';

import { BASE_PATH } from '../api/client.js';
import { apiKeyRoutes } from '../api-keys/routes.js';
import { agentRoutes } from '../agents/routes.js';
import { overviewRoutes } from '../overview/routes.js';
import { partsRoutes } from '../parts/routes.js';
import { playgroundRoutes } from '../playground/routes.js';
import { webhookRoutes } from '../webhooks/routes.js';
import { frameRoute, rootRoute } from './routes.js';

const routeTree = rootRoute.addChildren([
  ...partsRoutes,
  frameRoute.addChildren([
    ...overviewRoutes,
    ...agentRoutes,
    ...apiKeyRoutes,
    ...playgroundRoutes,
    ...webhookRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: `${BASE_PATH}/dashboard`,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
