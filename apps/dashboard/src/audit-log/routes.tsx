import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../app/routes.js';
import { readAuditFilters } from './audit-filters.js';

export const auditLogRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/audit-log',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./audit-log-page.js'), 'AuditLogPage'),
  }),
] as const;
