import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readJobSearch } from './detail/job-search.js';
import { readJobFilters } from './job-filters.js';

export const syncJobRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/sync-jobs',
    validateSearch: readJobFilters,
    component: lazyRouteComponent(() => import('./jobs-page.js'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/sync-jobs/$jobId',
    validateSearch: readJobSearch,
    component: lazyRouteComponent(() => import('./detail/job-page.js'), 'JobPage'),
  }),
] as const;
