import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readModelFilters } from './model-filters.js';

export const modelRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/models',
    validateSearch: readModelFilters,
    component: lazyPage(() => import('./models-page.js'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/models/$group/$name',
    component: lazyPage(() => import('./model-page.js'), 'ModelPage'),
  }),
] as const;
