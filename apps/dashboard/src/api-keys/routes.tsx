import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const apiKeyRoutes = [
  createRoute(framePage('/api-keys', () => import('./api-keys-page.js'), 'ApiKeysPage')),
] as const;
