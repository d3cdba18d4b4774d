import { createRoute, createRouter } from '@tanstack/react-router';

import { BASE_PATH } from './api/client.js';
import { lazyPage } from './api/lazy-page.js';
import { searchReader, textLike } from './api/search.js';
import { readAuditFilters } from './audit-log/audit-filters.js';
import { FailedPage } from './frame/fallback-pages.js';
import { framePage, frameRoute, rootRoute, unknownRoute } from './frame/routes.js';
import { readFromSearch, readGeneratorSearch, readVersionSearch } from './generators/generator-names.js';
import { readModelFilters } from './models/model-filters.js';
import { readSignInSearch } from './sign-in/sign-in-search.js';
import { readSnapshotFilters } from './snapshots/snapshot-filters.js';
import { readJobFilters, readJobSearch } from './sync-jobs/job-filters.js';
import { readUsageRange } from './usage/usage-range.js';
import { readDeliveryFilters } from './webhooks/delivery-filters.js';

/** `from` is the id of the job to copy. */
const readNewJobSearch = searchReader({ from: textLike(/^[\w-]{1,64}$/) });

/** The pages that a visitor may see without a session. */
const publicPages = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: readSignInSearch,
    component: lazyPage(() => import('./sign-in/sign-in-page.js'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/choose-organization',
    component: lazyPage(() => import('./sign-in/choose-organization-page.js'), 'ChooseOrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/accept-invitation',
    component: lazyPage(() => import('./sign-in/accept-invitation-page.js'), 'AcceptInvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts',
    component: lazyPage(() => import('./parts/parts-page.js'), 'PartsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts/large-table',
    component: lazyPage(() => import('./parts/large-table-page.js'), 'LargeTablePage'),
  }),
] as const;

/** The pages inside the frame, in the order of the navigation. */
const framePages = [
  framePage('/', () => import('./overview/overview-page.js'), 'OverviewPage'),
  framePage('/sync-jobs', () => import('./sync-jobs/jobs-page.js'), 'JobsPage', readJobFilters),
  framePage('/sync-jobs/$jobId', () => import('./sync-jobs/detail/job-page.js'), 'JobPage', readJobSearch),
  framePage(
    '/sync-jobs/new',
    () => import('./new-sync-job/new-sync-job-page.js'),
    'NewSyncJobPage',
    readNewJobSearch,
  ),
  framePage(
    '/snapshots',
    () => import('./snapshots/snapshots-page.js'),
    'SnapshotsPage',
    readSnapshotFilters,
  ),
  framePage('/snapshots/$snapshotId', () => import('./snapshots/snapshot-page.js'), 'SnapshotPage'),
  framePage(
    '/snapshots/$snapshotId/restores/$restoreId',
    () => import('./snapshots/restores/restore-page.js'),
    'RestorePage',
  ),
  framePage('/agents', () => import('./agents/agents-page.js'), 'AgentsPage'),
  framePage('/agents/$agentId', () => import('./agents/agent-page.js'), 'AgentPage'),
  framePage('/playground', () => import('./playground/playground-page.js'), 'PlaygroundPage'),
  framePage(
    '/generators',
    () => import('./generators/generators-page.js'),
    'GeneratorsPage',
    readGeneratorSearch,
  ),
  framePage(
    '/generators/new',
    () => import('./generators/register/register-page.js'),
    'RegisterPage',
    readFromSearch,
  ),
  framePage('/generators/built-in/$name', () => import('./generators/builtin-page.js'), 'BuiltinPage'),
  framePage(
    '/generators/registered/$namespace/$name',
    () => import('./generators/registered-page.js'),
    'RegisteredPage',
    readVersionSearch,
  ),
  framePage('/models', () => import('./models/models-page.js'), 'ModelsPage', readModelFilters),
  framePage('/models/$group/$name', () => import('./models/model-page.js'), 'ModelPage'),
  framePage('/mock-endpoints', () => import('./mock-endpoints/mock-endpoints-page.js'), 'MockEndpointsPage'),
  framePage(
    '/mock-endpoints/$endpointId',
    () => import('./mock-endpoints/mock-endpoint-page.js'),
    'MockEndpointPage',
  ),
  framePage('/api-keys', () => import('./api-keys/api-keys-page.js'), 'ApiKeysPage'),
  framePage('/members', () => import('./members/members-page.js'), 'MembersPage'),
  framePage('/webhooks', () => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
  framePage(
    '/webhooks/$webhookId',
    () => import('./webhooks/webhook-page.js'),
    'WebhookPage',
    readDeliveryFilters,
  ),
  framePage(
    '/webhooks/$webhookId/deliveries/$deliveryId',
    () => import('./webhooks/delivery-page.js'),
    'DeliveryPage',
  ),
  framePage('/audit-log', () => import('./audit-log/audit-log-page.js'), 'AuditLogPage', readAuditFilters),
  framePage('/usage', () => import('./usage/usage-page.js'), 'UsagePage', readUsageRange),
  unknownRoute,
] as const;

const routeTree = rootRoute.addChildren([...publicPages, frameRoute.addChildren(framePages)]);

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
