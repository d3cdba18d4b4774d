import { Module } from '@nestjs/common';

import { ComputePool } from './compute-pool.js';

@Module({ providers: [ComputePool], exports: [ComputePool] })
export class ComputeModule {}
