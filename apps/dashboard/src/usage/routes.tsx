import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readUsageRange } from './usage-range.js';

export const usageRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/usage',
    validateSearch: readUsageRange,
    component: lazyPage(() => import('./usage-page.js'), 'UsagePage'),
  }),
] as const;
