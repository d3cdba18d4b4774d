import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLogController, AuditLogService } from './audit-log.service.js';

/** Who did what. Features write with `auditRequest`, in the transaction of what they record. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  controllers: [AuditLogController],
  providers: [AuditLogService],
})
export class AuditLogModule {}
