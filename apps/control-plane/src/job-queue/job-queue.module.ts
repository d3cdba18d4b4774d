import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { JobQueue } from './job-queue.js';
import { OutboxEntity } from './outbox.entity.js';
import { OutboxService } from './outbox.service.js';

/** The only place that knows BullMQ and Redis. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEntity])],
  providers: [JobQueue, OutboxService],
  exports: [JobQueue, OutboxService],
})
export class JobQueueModule {}
