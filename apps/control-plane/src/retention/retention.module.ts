import { Module } from '@nestjs/common';

import { RetentionService } from './retention.service.js';

/**
 * Deletes rows that are no longer needed, such as expired tokens and old audit entries, after their retention
 * time. It also shortens the definitions of ended sync jobs.
 */
@Module({ providers: [RetentionService] })
export class RetentionModule {}
