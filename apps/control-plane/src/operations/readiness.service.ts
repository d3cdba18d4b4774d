import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../agent-link/agent-link.service.js';
import { JobQueue } from '../job-queue/job-queue.js';

export type Presence = 'ok' | 'away';

export interface Readiness {
  readonly postgres: Presence;
  readonly redis: Presence;
  readonly nats: Presence;
}

const ANSWER_WITHIN_MS = 2_000;

/** Whether the services this one stands on answer now. */
@Injectable()
export class ReadinessService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly link: AgentLinkService,
  ) {}

  async read(): Promise<Readiness> {
    const [postgres, redis] = await Promise.all([
      presence(this.dataSource.query('SELECT 1')),
      presence(this.queue.ping()),
    ]);
    return { postgres, redis, nats: this.link.isConnected() ? 'ok' : 'away' };
  }
}

async function presence(answer: Promise<unknown>): Promise<Presence> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Presence>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, 'away');
  });
  const given = answer.then(
    () => 'ok' as const,
    () => 'away' as const,
  );
  const presence = await Promise.race([given, late]);
  clearTimeout(timer);
  return presence;
}
