import { Module } from '@nestjs/common';

import { RetentionService } from './retention.service.js';

/** Deletes ended rows and old audit entries after their retention time. */
@Module({ providers: [RetentionService] })
export class RetentionModule {}
