import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readDeliveryFilters } from './delivery-filters.js';

export const webhookRoutes = [
  createRoute(framePage('/webhooks', () => import('./webhooks-page.js'), 'WebhooksPage')),
  createRoute(
    framePage('/webhooks/$webhookId', () => import('./webhook-page.js'), 'WebhookPage', readDeliveryFilters),
  ),
  createRoute(
    framePage(
      '/webhooks/$webhookId/deliveries/$deliveryId',
      () => import('./delivery-page.js'),
      'DeliveryPage',
    ),
  ),
] as const;
