import { Injectable, Controller } from '@nestjs/common';
import { ulid } from 'ulid';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  type AgentFailure,
  encodeRestorePrecheck,
  type PrecheckResponse,
  type RestorePrecheck,
} from '@understudy/agent-protocol';

import { AgentLinkUnavailableError } from '../connection/nats-connections.js';
import { AgentLinkService } from '../connection/agent-link.service.js';
import { senderOf } from './message-context.js';

interface PendingPrecheck {
  readonly agentId: string;
  readonly resolve: (response: PrecheckResponse) => void;
}

/**
 * Asks agents whether something blocks a restore. Every process receives all responses and ignores the responses
 * to requests of other processes.
 */
@Injectable()
export class AgentPrechecks {
  private readonly pending = new Map<string, PendingPrecheck>();

  constructor(private readonly link: AgentLinkService) {}

  /**
   * Asks an agent whether something blocks a restore now.
   * @returns the blocker, or undefined if nothing blocks the restore
   * @throws AgentLinkUnavailableError if the agent does not respond within `withinMs`
   */
  async checkRestore(
    agentId: string,
    precheck: RestorePrecheck,
    withinMs: number,
  ): Promise<AgentFailure | undefined> {
    const id = `qst_${ulid()}`;
    const { blocker } = await this.request(id, agentId, encodeRestorePrecheck(id, precheck), withinMs);
    return blocker;
  }

  /**
   * Resolves the pending request that the response belongs to. Ignores the response if no request to that
   * agent is pending.
   */
  responded(agentId: string, response: PrecheckResponse): void {
    const pending = this.pending.get(response.precheckId);
    if (pending?.agentId === agentId) pending.resolve(response);
  }

  private request(
    id: string,
    agentId: string,
    bytes: Uint8Array,
    withinMs: number,
  ): Promise<PrecheckResponse> {
    return new Promise<PrecheckResponse>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(new AgentLinkUnavailableError());
      }, withinMs);
      const finish = (response: PrecheckResponse): void => {
        clearTimeout(timer);
        this.pending.delete(id);
        resolve(response);
      };
      this.pending.set(id, { agentId, resolve: finish });
      try {
        this.link.publishPrecheck(agentId, bytes);
      } catch (error) {
        clearTimeout(timer);
        this.pending.delete(id);
        reject(error instanceof Error ? error : new AgentLinkUnavailableError());
      }
    });
  }
}

@Controller()
export class PrecheckResponsesController {
  constructor(private readonly prechecks: AgentPrechecks) {}

  @EventPattern('precheck_response')
  onResponse(@Payload() response: PrecheckResponse, @Ctx() context: unknown): void {
    this.prechecks.responded(senderOf(context), response);
  }
}
