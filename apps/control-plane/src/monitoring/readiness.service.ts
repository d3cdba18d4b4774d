import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../agents/agent-link/connection/agent-link.service.js';
import { Configuration } from '../platform/config/configuration.js';
import { explainDatabase, explainRedis } from './explain-outage.js';
import { JobQueue } from '../platform/job-queue/job-queue.js';
import { OutboxService } from '../platform/job-queue/outbox.service.js';
import { COUNT_LIVE_AGENTS } from './count-live-agents.sql.js';

export type Availability = 'ok' | 'away';
const SERVICES = ['postgres', 'redis', 'nats'] as const;
type Service = (typeof SERVICES)[number];

/** The public part of the readiness. */
export interface Readiness {
  readonly status: Availability;
  readonly services: Readonly<Record<Service, Availability>>;
}

/** The readiness for operators. A number is null if the service that stores it is unreachable. */
export interface ReadinessReport {
  readonly status: Availability;
  readonly services: Readonly<Record<Service, Check>>;
  readonly queue_depth: number | null;
  readonly outbox: { readonly waiting: number; readonly oldest_seconds: number } | null;
  readonly agents_live: number | null;
  readonly uptime_seconds: number;
}

interface Check {
  readonly state: Availability;
  /** Duration of the check. */
  readonly milliseconds: number;
  /** Host, port, cause and remedy, if the service cannot be reached. */
  readonly reason?: string;
}
type Checks = Readonly<Record<Service, Check & { readonly error?: unknown }>>;

const CHECK_TIMEOUT_MS = 2_000;

/**
 * Checks whether the services that this server depends on respond. Calls within `ops.readinessMs` share one
 * check.
 */
@Injectable()
export class ReadinessService {
  private checks: Promise<Checks> | undefined;
  private checkedAt = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly outbox: OutboxService,
    private readonly link: AgentLinkService,
    private readonly configuration: Configuration,
  ) {}

  async read(): Promise<Readiness> {
    const checks = await this.recentChecks();
    const services = Object.fromEntries(SERVICES.map((name) => [name, checks[name].state]));
    return { status: statusOf(checks), services: services as Record<Service, Availability> };
  }

  async report(): Promise<ReadinessReport> {
    const [services, queueDepth, lag, live] = await Promise.all([
      this.recentChecks().then((checks) => this.explained(checks)),
      orNull(this.queue.depth()),
      orNull(this.outbox.lag()),
      orNull(this.dataSource.query<{ live: number }[]>(COUNT_LIVE_AGENTS)),
    ]);
    return {
      status: statusOf(services),
      services,
      queue_depth: queueDepth,
      outbox: lag && { waiting: lag.waiting, oldest_seconds: lag.oldestSeconds },
      agents_live: live?.[0]?.live ?? null,
      uptime_seconds: Math.floor(process.uptime()),
    };
  }

  /** Adds the reasons of services that are away. Finding them can take some seconds. */
  private async explained(checks: Checks): Promise<Readonly<Record<Service, Check>>> {
    const { database, redis } = this.configuration;
    const withReason = async (
      { error, ...check }: Checks[Service],
      explain: (error: unknown) => Promise<string>,
    ) => (check.state === 'ok' ? check : { ...check, reason: await explain(error) });
    const [postgresCheck, redisCheck] = await Promise.all([
      withReason(checks.postgres, (error) => explainDatabase(database, error)),
      withReason(checks.redis, () => explainRedis(redis)),
    ]);
    return { postgres: postgresCheck, redis: redisCheck, nats: checks.nats };
  }

  private recentChecks(): Promise<Checks> {
    const now = performance.now();
    if (this.checks && now - this.checkedAt < this.configuration.ops.readinessMs) return this.checks;
    this.checkedAt = now;
    this.checks = this.check();
    return this.checks;
  }

  private async check(): Promise<Checks> {
    const [postgres, redis] = await Promise.all([
      timed(this.dataSource.query('SELECT 1')),
      timed(this.queue.ping()),
    ]);
    const { fault } = this.link;
    const nats = { state: this.link.isReady() ? ('ok' as const) : ('away' as const), milliseconds: 0 };
    return { postgres, redis, nats: { ...nats, ...(fault === undefined ? {} : { reason: fault }) } };
  }
}

function statusOf(checks: Readonly<Record<Service, Check>>): Availability {
  return SERVICES.every((name) => checks[name].state === 'ok') ? 'ok' : 'away';
}

async function timed(response: Promise<unknown>): Promise<Checks[Service]> {
  const from = performance.now();
  const failed = response.then(
    () => ({ state: 'ok' as const }),
    (error: unknown) => ({ state: 'away' as const, error }),
  );
  const result = (await orNull(failed)) ?? { state: 'away' as const };
  return { ...result, milliseconds: Math.round(performance.now() - from) };
}

/** @returns null if the promise rejects or takes longer than two seconds */
async function orNull<T>(response: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, null);
  });
  const first = await Promise.race([response.catch(() => null), late]);
  clearTimeout(timer);
  return first;
}
