import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readDeliveryFilters } from './delivery-filters.js';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/webhooks',
    component: lazyPage(() => import('./webhooks-page.js'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/webhooks/$webhookId',
    validateSearch: readDeliveryFilters,
    component: lazyPage(() => import('./webhook-page.js'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/webhooks/$webhookId/deliveries/$deliveryId',
    component: lazyPage(() => import('./delivery-page.js'), 'DeliveryPage'),
  }),
] as const;
