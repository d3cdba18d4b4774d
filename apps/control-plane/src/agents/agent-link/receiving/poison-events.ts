import { Injectable, Logger } from '@nestjs/common';
import type { Unreadable } from '@understudy/agent-protocol';
import { agentOfSubject, type PoisonMessage } from '@understudy/agent-protocol/transport';

import { DeadLettersService, type DeadLetter } from '../../../platform/dead-letters/dead-letters.service.js';
import { AgentLinkService } from '../connection/agent-link.service.js';
import { EventContext } from './message-context.js';
import { TokenBuckets } from './token-buckets.js';

/** An event could not be decoded. */
export class UnreadableEventError extends Error {
  /** @param journalSeq 0n if the event has no valid journal number; such an event cannot be acknowledged */
  constructor(
    readonly reason: Unreadable | 'not_addressed',
    readonly journalSeq: bigint,
  ) {
    super(`an event is unreadable: ${reason}`);
    this.name = 'UnreadableEventError';
  }
}

/** Handles events that cannot be applied. Records them as dead letters and acknowledges them. */
@Injectable()
export class PoisonEvents {
  private readonly logger = new Logger(PoisonEvents.name);
  /** Limits the log lines of each agent, because a faulty agent could otherwise fill the log. */
  private readonly logLines = new TokenBuckets({ perSecond: 0.1, burst: 10, maxKeys: 1_000 });

  constructor(
    private readonly deadLetters: DeadLettersService,
    private readonly link: AgentLinkService,
  ) {}

  /**
   * Records the event and acknowledges it, so that the agent stops sending it. Does not acknowledge an
   * unknown event of a newer agent. The agent then keeps this event and later events of the same work in its
   * journal. It repeats them until a newer control plane accepts them.
   */
  async record(poison: PoisonMessage): Promise<void> {
    const letter = deadLetterOf(poison);
    await this.deadLetters.record(letter);
    const { agentId, code, journalSeq, sqlstate, workId: work_id } = letter;
    if (this.logLines.take(agentId))
      this.logger.error({ agent_id: agentId, code, sqlstate, work_id, msg: 'an event was not applied' });
    if (code === 'unknown_event' || journalSeq === 0n) return;
    this.link.acknowledgeEvent(agentId, journalSeq);
  }
}

/**
 * Checks for an SQLSTATE of class 22 (data exception) or 23 (integrity constraint violation). PostgreSQL would
 * refuse the same data again, so a retry is pointless.
 */
export function isRefusedByDatabase(error: unknown): boolean {
  return /^2[23]/.test(sqlstateOf(error) ?? '');
}

function deadLetterOf({ subject, streamSequence, decoded, error }: PoisonMessage): DeadLetter {
  const context = decoded?.context instanceof EventContext ? decoded.context : undefined;
  const unreadable = error instanceof UnreadableEventError ? error : undefined;
  const isOwn = unreadable?.reason !== 'not_addressed';
  return {
    agentId: (isOwn ? agentOfSubject(subject) : undefined) ?? 'unknown',
    code: unreadable?.reason ?? (decoded === undefined ? 'not_an_event' : 'refused_by_database'),
    sqlstate: decoded === undefined ? null : (sqlstateOf(error) ?? null),
    pattern: decoded?.pattern ?? null,
    workId: workIdOf(decoded?.data),
    journalSeq: context?.journalSeq ?? unreadable?.journalSeq ?? 0n,
    streamSequence,
  };
}

function workIdOf(data: unknown): string | null {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null) return null;
  const ids = ['jobId', 'snapshotId', 'restoreId'].map((name) => Reflect.get(data, name) as unknown);
  return ids.find((id) => typeof id === 'string') ?? null;
}

function sqlstateOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
