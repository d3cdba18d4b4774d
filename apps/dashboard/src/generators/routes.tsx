import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readFromSearch, readGeneratorSearch, readVersionSearch } from './generator-names.js';

export const generatorRoutes = [
  createRoute(
    framePage('/generators', () => import('./generators-page.js'), 'GeneratorsPage', readGeneratorSearch),
  ),
  createRoute(
    framePage('/generators/new', () => import('./register/register-page.js'), 'RegisterPage', readFromSearch),
  ),
  createRoute(framePage('/generators/built-in/$name', () => import('./builtin-page.js'), 'BuiltinPage')),
  createRoute(
    framePage(
      '/generators/registered/$namespace/$name',
      () => import('./registered-page.js'),
      'RegisteredPage',
      readVersionSearch,
    ),
  ),
] as const;
