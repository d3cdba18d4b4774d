import { Module } from '@nestjs/common';

import { DeadLettersService } from './dead-letters.service.js';

@Module({ providers: [DeadLettersService], exports: [DeadLettersService] })
export class DeadLettersModule {}
