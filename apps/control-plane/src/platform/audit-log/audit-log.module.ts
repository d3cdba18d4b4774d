import { Module } from '@nestjs/common';

import { AuditLogController, AuditLogService } from './audit-log.service.js';

/**
 * Serves the audit log, which records who changed what. Features add entries with `auditRequest`, in the transaction of
 * the change.
 */
@Module({
  controllers: [AuditLogController],
  providers: [AuditLogService],
})
export class AuditLogModule {}
