import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLogController, AuditLogService } from './audit-log.service.js';

/**
 * Serves the audit log, which records who changed what. Features add entries with `auditRequest`, in the transaction of
 * the change.
 */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  controllers: [AuditLogController],
  providers: [AuditLogService],
})
export class AuditLogModule {}
