import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readUsageRange } from './usage-range.js';

export const usageRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/usage',
    validateSearch: readUsageRange,
    component: lazyRouteComponent(() => import('./usage-page.js'), 'UsagePage'),
  }),
] as const;
