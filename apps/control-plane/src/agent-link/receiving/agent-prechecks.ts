import { Injectable, Controller } from '@nestjs/common';
import { ulid } from 'ulid';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';

import { AgentLinkUnavailableError } from '../connection/nats-connections.js';
import { AgentLinkService } from '../connection/agent-link.service.js';
import type { DecodedAnswer } from '../wire/restore-precheck.js';
import { encodeRestoreQuestion } from '../wire/encode-snapshot-command.js';
import type { RestoreQuestion } from '../messages/snapshot-command.js';
import type { AgentFailure } from '../messages/sync-job-event.js';
import { senderOf } from './message-context.js';

interface Asked {
  readonly agentId: string;
  readonly settle: (answer: DecodedAnswer) => void;
}

/** Asks agents what they have to answer at once. Every instance hears all answers; each knows its own questions. */
@Injectable()
export class AgentQuestions {
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly link: AgentLinkService) {}

  /**
   * What a restore would meet now.
   * @returns undefined when nothing stands in its way
   * @throws AgentLinkUnavailableError when the agent has not answered within `withinMs`
   */
  async restoreTarget(
    agentId: string,
    question: RestoreQuestion,
    withinMs: number,
  ): Promise<AgentFailure | undefined> {
    const id = `qst_${ulid()}`;
    const { obstacle } = await this.ask(id, agentId, encodeRestoreQuestion(id, question), withinMs);
    return obstacle;
  }

  /** An answer of nobody's question, or of another agent's, is passed over. */
  answered(agentId: string, answer: DecodedAnswer): void {
    const asked = this.asked.get(answer.questionId);
    if (asked?.agentId === agentId) asked.settle(answer);
  }

  private ask(id: string, agentId: string, bytes: Uint8Array, withinMs: number): Promise<DecodedAnswer> {
    return new Promise<DecodedAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.asked.delete(id);
        reject(new AgentLinkUnavailableError());
      }, withinMs);
      const settle = (answer: DecodedAnswer): void => {
        clearTimeout(timer);
        this.asked.delete(id);
        resolve(answer);
      };
      this.asked.set(id, { agentId, settle });
      try {
        this.link.publishQuestion(agentId, bytes);
      } catch (error) {
        clearTimeout(timer);
        this.asked.delete(id);
        reject(error instanceof Error ? error : new AgentLinkUnavailableError());
      }
    });
  }
}

@Controller()
export class AnswersController {
  constructor(private readonly questions: AgentQuestions) {}

  @EventPattern('answer')
  onAnswer(@Payload() answer: DecodedAnswer, @Ctx() context: unknown): void {
    this.questions.answered(senderOf(context), answer);
  }
}
