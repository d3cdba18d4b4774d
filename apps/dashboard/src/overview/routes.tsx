import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const overviewRoutes = [
  createRoute(framePage('/', () => import('./overview-page.js'), 'OverviewPage')),
] as const;
