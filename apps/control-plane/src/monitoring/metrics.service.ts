import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DataSource } from 'typeorm';

import { ComputePool } from '../data/compute/compute-pool.js';
import type { ServedRequest } from '../platform/http/pipeline/guard-requests.js';
import { JobQueue } from '../platform/job-queue/job-queue.js';
import { OutboxService } from '../platform/job-queue/outbox.service.js';
import { COUNT_LIVE_AGENTS } from './count-live-agents.sql.js';

/** Collects the metrics for Prometheus. */
@Injectable()
export class MetricsService {
  private readonly registry = new Registry();
  private readonly requests = new Counter({
    name: 'understudy_http_requests_total',
    help: 'Requests that were served',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'understudy_http_request_seconds',
    help: 'Time to serve a request',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.registry],
  });

  constructor(dataSource: DataSource, queue: JobQueue, outbox: OutboxService, compute: ComputePool) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge('understudy_queue_depth', 'Jobs that wait or run in Redis', () => queue.depth());
    this.gauge(
      'understudy_outbox_waiting',
      'Outbox rows not yet in the queue',
      async () => (await outbox.lag()).waiting,
    );
    this.gauge(
      'understudy_outbox_lag_seconds',
      'Age of the oldest outbox row not yet in the queue',
      async () => (await outbox.lag()).oldestSeconds,
    );
    this.gauge('understudy_agents_live', 'Agents that sent a heartbeat in the last 15 s', async () => {
      const [row] = await dataSource.query<{ live: number }[]>(COUNT_LIVE_AGENTS);
      return row?.live ?? 0;
    });
    this.gauge(
      'understudy_generation_running',
      'Requests that hold a generation thread',
      async () => compute.activity().running,
    );
    this.gauge(
      'understudy_generation_waiting',
      'Requests that wait for a generation thread',
      async () => compute.activity().waiting,
    );
    const records: Counter = new Counter({
      name: 'understudy_generation_records_total',
      help: 'Records generated',
      registers: [this.registry],
      collect: () => {
        records.reset();
        records.inc(compute.activity().records);
      },
    });
  }

  /** Records a request with the route's pattern as label. The path would create a series for each id. */
  recordRequest({ method, route, status, seconds }: ServedRequest): void {
    if (status === null) return;
    this.requests.inc({ method, route, status });
    this.durations.observe({ method, route }, seconds);
  }

  async text(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.registry.contentType, body: await this.registry.metrics() };
  }

  /** Adds a gauge. If the service that `read` queries is unreachable, only this gauge has no value. */
  private gauge(name: string, help: string, read: () => Promise<number>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        try {
          gauge.set(await read());
        } catch {
          gauge.reset();
          gauge.set(Number.NaN);
        }
      },
    });
  }
}
