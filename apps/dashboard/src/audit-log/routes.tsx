import { createRoute } from '@tanstack/react-router';

import { framePage } from '../frame/routes.js';
import { readAuditFilters } from './audit-filters.js';

export const auditLogRoutes = [
  createRoute(framePage('/audit-log', () => import('./audit-log-page.js'), 'AuditLogPage', readAuditFilters)),
] as const;
