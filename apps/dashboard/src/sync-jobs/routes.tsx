import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readJobSearch } from './detail/job-search.js';
import { readJobFilters } from './job-filters.js';

export const syncJobRoutes = [
  createRoute(framePage('/sync-jobs', () => import('./jobs-page.js'), 'JobsPage', readJobFilters)),
  createRoute(framePage('/sync-jobs/$jobId', () => import('./detail/job-page.js'), 'JobPage', readJobSearch)),
] as const;
