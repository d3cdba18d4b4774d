import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const memberRoutes = [
  createRoute(framePage('/members', () => import('./members-page.js'), 'MembersPage')),
] as const;
