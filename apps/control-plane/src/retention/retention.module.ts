import { Module } from '@nestjs/common';

import { RetentionService } from './retention.service.js';

/** How long what has ended is kept. */
@Module({ providers: [RetentionService] })
export class RetentionModule {}
