import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readSnapshotFilters } from './snapshot-filters.js';

export const snapshotRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/snapshots',
    validateSearch: readSnapshotFilters,
    component: lazyPage(() => import('./snapshots-page.js'), 'SnapshotsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/snapshots/$snapshotId',
    component: lazyPage(() => import('./snapshot-page.js'), 'SnapshotPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/snapshots/$snapshotId/restores/$restoreId',
    component: lazyPage(() => import('./restores/restore-page.js'), 'RestorePage'),
  }),
] as const;
