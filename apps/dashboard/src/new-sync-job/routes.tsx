import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const newSyncJobRoutes = [
  createRoute(
    framePage('/sync-jobs/new', () => import('./new-sync-job-page.js'), 'NewSyncJobPage', readNewJobSearch),
  ),
] as const;

/** `from` is the id of the job to copy. */
function readNewJobSearch({ from }: Record<string, unknown>): { readonly from?: string } {
  return typeof from === 'string' && /^[\w-]{1,64}$/.test(from) ? { from } : {};
}
