import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readJobSearch } from './detail/job-search.js';
import { readJobFilters } from './job-filters.js';

export const syncJobRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/sync-jobs',
    validateSearch: readJobFilters,
    component: lazyPage(() => import('./jobs-page.js'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/sync-jobs/$jobId',
    validateSearch: readJobSearch,
    component: lazyPage(() => import('./detail/job-page.js'), 'JobPage'),
  }),
] as const;
