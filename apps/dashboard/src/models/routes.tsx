import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readModelFilters } from './model-filters.js';

export const modelRoutes = [
  createRoute(framePage('/models', () => import('./models-page.js'), 'ModelsPage', readModelFilters)),
  createRoute(framePage('/models/$group/$name', () => import('./model-page.js'), 'ModelPage')),
] as const;
