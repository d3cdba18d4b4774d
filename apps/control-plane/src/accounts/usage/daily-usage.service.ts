import { Controller, Injectable, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Handles } from '../../platform/http/operations/handles.js';
import { USAGE } from './usage.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import type { DailyUsageResponse } from './daily-usage-response.js';
import { daysOf, GetUsageQuery } from './get-usage.query.js';
import { READ_DAYS } from './usage.sql.js';

type Metric = Exclude<keyof DailyUsageResponse['days'][number], 'day'>;

/** Reads the counts of each day that the services write in addition to those of the month. */
@Injectable()
export class DailyUsageService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws ApiError `validation_error` if the range is not valid */
  async get(organizationId: string, query: GetUsageQuery, now = new Date()): Promise<DailyUsageResponse> {
    const days = daysOf(query, now);
    const [first = '', last = ''] = [days.at(0), days.at(-1)];
    const rows = await this.dataSource.query<{ day: string; metric: Metric; used: number }[]>(READ_DAYS, [
      organizationId,
      first,
      last,
    ]);
    const used = new Map(rows.map((row) => [`${row.day} ${row.metric}`, row.used]));
    const usedOn = (day: string, metric: Metric): number => used.get(`${day} ${metric}`) ?? 0;
    return {
      first_day: first,
      last_day: last,
      days: days.map((day) => ({
        day,
        api_calls: usedOn(day, 'api_calls'),
        sync_jobs: usedOn(day, 'sync_jobs'),
        mock_calls: usedOn(day, 'mock_calls'),
      })),
    };
  }
}

@Controller()
export class DailyUsageController {
  constructor(private readonly usage: DailyUsageService) {}

  @Handles(USAGE.getUsage)
  get(@CurrentRequest() { caller }: CallerRequest, @Query() query: GetUsageQuery) {
    return this.usage.get(caller.organizationId, query);
  }
}
