import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

import { senderOf } from './agent-message-context.js';
import { AgentQuestions } from './agent-prechecks.js';
import type { DecodedAnswer } from '../wire/restore-precheck.js';

@Controller()
export class AnswersController {
  constructor(private readonly questions: AgentQuestions) {}

  @EventPattern('answer')
  onAnswer(@Payload() answer: DecodedAnswer, @Ctx() context: unknown): void {
    this.questions.answered(senderOf(context), answer);
  }
}
