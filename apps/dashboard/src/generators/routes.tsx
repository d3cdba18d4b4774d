import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readFromSearch, readGeneratorSearch, readVersionSearch } from './generator-names.js';

export const generatorRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators',
    validateSearch: readGeneratorSearch,
    component: lazyRouteComponent(() => import('./generators-page.js'), 'GeneratorsPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators/new',
    validateSearch: readFromSearch,
    component: lazyRouteComponent(() => import('./register/register-page.js'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators/built-in/$name',
    component: lazyRouteComponent(() => import('./builtin-page.js'), 'BuiltinPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/generators/registered/$namespace/$name',
    validateSearch: readVersionSearch,
    component: lazyRouteComponent(() => import('./registered-page.js'), 'RegisteredPage'),
  }),
] as const;
