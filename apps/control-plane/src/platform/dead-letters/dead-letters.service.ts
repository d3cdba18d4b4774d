import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { RepeatingService } from '../job-queue/repeating-task.js';
import { changedRows } from '../persistence/statements.js';
import { FORGET_BEYOND, FORGET_OLD, LIST_DEAD_LETTERS, RECORD_DEAD_LETTER } from './dead-letters.sql.js';

/**
 * Describes a message of an agent that could not be applied. Contains ids and codes, but no content of the
 * message.
 */
export interface DeadLetter {
  readonly agentId: string;
  /** `not_an_event`, `malformed`, `unknown_event`, `not_addressed` or `refused_by_database`. */
  readonly code: string;
  readonly sqlstate: string | null;
  /** Pattern of the handler for the message; null if the message could not be decoded. */
  readonly pattern: string | null;
  /** Id of the job, snapshot or other work in the message. */
  readonly workId: string | null;
  /** 0 if the message has no journal number. */
  readonly journalSeq: bigint;
  readonly streamSequence: number;
}

export interface RecordedLetter extends Omit<DeadLetter, 'journalSeq' | 'streamSequence'> {
  /** Null if the agent is unknown. */
  readonly organizationId: string | null;
  readonly journalSeq: string;
  readonly times: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Stores messages of agents that could not be applied, so that the operator can inspect them. */
@Injectable()
export class DeadLettersService extends RepeatingService {
  constructor(private readonly dataSource: DataSource) {
    super(HOUR_MS);
  }

  protected runTask(): Promise<void> {
    return this.forgetOld();
  }

  /** Records a message. @returns false if the same message was recorded before */
  async record(letter: DeadLetter): Promise<boolean> {
    const { agentId, code, journalSeq, streamSequence, pattern, workId, sqlstate } = letter;
    const [recorded] = await this.dataSource.query<{ isNew: boolean }[]>(RECORD_DEAD_LETTER, [
      ...[agentId, code, journalSeq.toString(), streamSequence],
      ...[pattern, workId, sqlstate],
    ]);
    const isNew = recorded?.isNew ?? false;
    if (isNew) await this.dataSource.query(FORGET_BEYOND, [agentId, KEPT_PER_AGENT]);
    return isNew;
  }

  forgetOld(): Promise<void> {
    return this.inBatches(BATCH, () => changedRows(this.dataSource, FORGET_OLD, [KEPT_DAYS, BATCH]));
  }

  /** Returns at most `limit` messages, the newest first. */
  list(limit: number): Promise<RecordedLetter[]> {
    return this.dataSource.query<RecordedLetter[]>(LIST_DEAD_LETTERS, [limit]);
  }
}

export const KEPT_PER_AGENT = 100;
const KEPT_DAYS = 30;
const BATCH = 1_000;
const HOUR_MS = 3_600_000;
