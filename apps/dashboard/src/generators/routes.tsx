import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readFromSearch, readGeneratorSearch, readVersionSearch } from './generator-names.js';

export const generatorRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators',
    validateSearch: readGeneratorSearch,
    component: lazyPage(() => import('./generators-page.js'), 'GeneratorsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators/new',
    validateSearch: readFromSearch,
    component: lazyPage(() => import('./register/register-page.js'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators/built-in/$name',
    component: lazyPage(() => import('./builtin-page.js'), 'BuiltinPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators/registered/$namespace/$name',
    validateSearch: readVersionSearch,
    component: lazyPage(() => import('./registered-page.js'), 'RegisteredPage'),
  }),
] as const;
