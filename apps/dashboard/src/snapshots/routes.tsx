import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readSnapshotFilters } from './snapshot-filters.js';

export const snapshotRoutes = [
  createRoute(
    framePage('/snapshots', () => import('./snapshots-page.js'), 'SnapshotsPage', readSnapshotFilters),
  ),
  createRoute(framePage('/snapshots/$snapshotId', () => import('./snapshot-page.js'), 'SnapshotPage')),
  createRoute(
    framePage(
      '/snapshots/$snapshotId/restores/$restoreId',
      () => import('./restores/restore-page.js'),
      'RestorePage',
    ),
  ),
] as const;
