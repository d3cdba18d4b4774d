import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { RepeatingService } from '../job-queue/repeating-task.js';
import { FORGET_BEYOND, FORGET_OLD, LIST_DEAD_LETTERS, RECORD_DEAD_LETTER } from './dead-letters.sql.js';

/** A message of an agent that was not applied: ids and codes, never its content. */
export interface DeadLetter {
  readonly agentId: string;
  /** `not_an_event`, `malformed`, `unknown_event`, `not_addressed` or `refused_by_database`. */
  readonly code: string;
  readonly sqlstate: string | null;
  /** Which handler it was for. */
  readonly pattern: string | null;
  /** The job, snapshot or other work that it names. */
  readonly workId: string | null;
  /** 0 when the message names none. */
  readonly journalSeq: bigint;
  readonly streamSequence: number;
}

export interface RecordedLetter extends Omit<DeadLetter, 'journalSeq' | 'streamSequence'> {
  /** Null for an agent that nobody knows. */
  readonly organizationId: string | null;
  readonly journalSeq: string;
  readonly times: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Keeps what agents sent and nobody could apply, for those who run the service. */
@Injectable()
export class DeadLettersService extends RepeatingService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super(HOUR_MS);
  }

  protected runTask(): Promise<void> {
    return this.forgetOld();
  }

  /** @returns whether this message was not recorded before */
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

  async forgetOld(): Promise<void> {
    await this.dataSource.query(FORGET_OLD, [KEPT_DAYS]);
  }

  /** The newest first. */
  list(limit: number): Promise<RecordedLetter[]> {
    return this.dataSource.query<RecordedLetter[]>(LIST_DEAD_LETTERS, [limit]);
  }
}

export const KEPT_PER_AGENT = 100;
const KEPT_DAYS = 30;
const HOUR_MS = 3_600_000;
