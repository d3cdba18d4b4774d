import { createRouter } from '@tanstack/react-router';

import { BASE_PATH } from './api/client.js';
import { apiKeyRoutes } from './api-keys/routes.js';
import { agentRoutes } from './agents/routes.js';
import { generatorRoutes } from './generators/routes.js';
import { mockEndpointRoutes } from './mock-endpoints/routes.js';
import { auditLogRoutes } from './audit-log/routes.js';
import { memberRoutes } from './members/routes.js';
import { newSyncJobRoutes } from './new-sync-job/routes.js';
import { modelRoutes } from './models/routes.js';
import { overviewRoutes } from './overview/routes.js';
import { partsRoutes } from './parts/routes.js';
import { playgroundRoutes } from './playground/routes.js';
import { snapshotRoutes } from './snapshots/routes.js';
import { usageRoutes } from './usage/routes.js';
import { webhookRoutes } from './webhooks/routes.js';
import { sessionRoutes } from './sign-in/routes.js';
import { syncJobRoutes } from './sync-jobs/routes.js';
import { FailedPage } from './frame/fallback-pages.js';
import { frameRoute, rootRoute, unknownRoute } from './frame/routes.js';

/** The pages inside the frame, in the order of the navigation. */
// prettier-ignore
const framePages = [
  ...overviewRoutes,
  ...syncJobRoutes,
  ...newSyncJobRoutes,
  ...snapshotRoutes,
  ...agentRoutes,
  ...playgroundRoutes,
  ...generatorRoutes,
  ...modelRoutes,
  ...mockEndpointRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...webhookRoutes,
  ...auditLogRoutes,
  ...usageRoutes,
  unknownRoute,
] as const;

const routeTree = rootRoute.addChildren([
  ...partsRoutes,
  ...sessionRoutes,
  frameRoute.addChildren(framePages),
]);

export const router = createRouter({
  routeTree,
  basepath: `${BASE_PATH}/dashboard`,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
