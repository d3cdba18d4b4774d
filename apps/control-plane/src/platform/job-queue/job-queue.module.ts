import { Global, Module } from '@nestjs/common';

import { JobQueue } from './job-queue.js';
import { OutboxService } from './outbox.service.js';

/** The only module that uses BullMQ. */
@Global()
@Module({
  providers: [JobQueue, OutboxService],
  exports: [JobQueue, OutboxService],
})
export class JobQueueModule {}
