import { Module } from '@nestjs/common';

import { ComputePool } from './compute-pool.js';

/** The worker threads of the process. */
@Module({ providers: [ComputePool], exports: [ComputePool] })
export class ComputeModule {}
