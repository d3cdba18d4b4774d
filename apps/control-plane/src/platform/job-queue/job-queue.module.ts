import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { JobQueue } from './job-queue.js';
import { OutboxEntity } from './outbox.entity.js';
import { OutboxService } from './outbox.service.js';

/** The only module that uses BullMQ. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEntity])],
  providers: [JobQueue, OutboxService],
  exports: [JobQueue, OutboxService],
})
export class JobQueueModule {}
