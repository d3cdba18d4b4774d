import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readSnapshotFilters } from './snapshot-filters.js';

export const snapshotRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/snapshots',
    validateSearch: readSnapshotFilters,
    component: lazyRouteComponent(() => import('./snapshots-page.js'), 'SnapshotsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/snapshots/$snapshotId',
    component: lazyRouteComponent(() => import('./snapshot-page.js'), 'SnapshotPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/snapshots/$snapshotId/restores/$restoreId',
    component: lazyRouteComponent(() => import('./restores/restore-page.js'), 'RestorePage'),
  }),
] as const;
