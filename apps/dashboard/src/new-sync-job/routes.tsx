import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';

export const newSyncJobRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/sync-jobs/new',
    /** `from` is the id of the job to copy. */
    validateSearch: ({ from }: Record<string, unknown>): { readonly from?: string } =>
      typeof from === 'string' && /^[\w-]{1,64}$/.test(from) ? { from } : {},
    component: lazyPage(() => import('./new-sync-job-page.js'), 'NewSyncJobPage'),
  }),
] as const;
