import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readModelFilters } from './model-filters.js';

export const modelRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/models',
    validateSearch: readModelFilters,
    component: lazyRouteComponent(() => import('./models-page.js'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/models/$group/$name',
    component: lazyRouteComponent(() => import('./model-page.js'), 'ModelPage'),
  }),
] as const;
