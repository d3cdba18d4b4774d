import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';

export const playgroundRoutes = [
  createRoute(framePage('/playground', () => import('./playground-page.js'), 'PlaygroundPage')),
] as const;
