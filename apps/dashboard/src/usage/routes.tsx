import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readUsageRange } from './usage-range.js';

export const usageRoutes = [
  createRoute(framePage('/usage', () => import('./usage-page.js'), 'UsagePage', readUsageRange)),
] as const;
