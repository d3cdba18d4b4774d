import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readDeliveryFilters } from './delivery-filters.js';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhooks-page.js'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/webhooks/$webhookId',
    validateSearch: readDeliveryFilters,
    component: lazyRouteComponent(() => import('./webhook-page.js'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/webhooks/$webhookId/deliveries/$deliveryId',
    component: lazyRouteComponent(() => import('./delivery-page.js'), 'DeliveryPage'),
  }),
] as const;
