import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../api/lazy-page.js';
import { frameRoute } from '../frame/routes.js';
import { readAuditFilters } from './audit-filters.js';

export const auditLogRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: '/audit-log',
    validateSearch: readAuditFilters,
    component: lazyPage(() => import('./audit-log-page.js'), 'AuditLogPage'),
  }),
] as const;
