import { findChromium } from '@understudy/testing/provision';
import type { StackInfo } from '@understudy/stack';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

import { log } from '../bench-environment.js';
import { formatFixed } from '../format.js';
import { summaryOf, type Summary } from '../summary.js';
import { insertExampleRows, LARGE_JOB_ID } from './example-rows.sql.js';
import { type MeasuredPage, measurePage, type PageMeasurement } from './measure-page.js';

const JOBS = 50_000;
const TABLES = 10_000;

export interface DashboardBenchOptions {
  readonly rounds: number;
}

/**
 * Measures pages of the dashboard in Chromium, each with an empty cache: the sign-in, the list of 50,000 jobs, and
 * the tables of a job with 10,000.
 * @throws Error if Chromium is not on this machine
 */
export async function benchDashboard(stack: StackInfo, { rounds }: DashboardBenchOptions) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('expected Chromium on this machine, found none');
  log('inserting the jobs');
  await insertExampleRows(stack, JOBS, TABLES);
  const browser = await chromium.launch({ executablePath });
  try {
    const url = `${new URL(stack.base_url).origin}/dashboard`;
    const session = await sessionState(browser, url, stack.api_token);
    const pages: readonly (MeasuredPage & { readonly name: string })[] = [
      { name: 'sign-in', url: `${url}/sign-in`, shown: 'How do I get an API key?', isScrolled: false },
      { name: 'job list', url: `${url}/sync-jobs`, shown: 'Nightly copy 1', isScrolled: true },
      { name: 'job', url: `${url}/sync-jobs/${LARGE_JOB_ID}?tab=tables`, shown: 'table_1', isScrolled: true },
    ];
    const measured = pages.map((page) => ({ page, results: [] as PageMeasurement[] }));
    for (let round = 1; round <= rounds; round++) {
      log(`round ${round} of ${rounds}`);
      for (const { page, results } of measured) {
        const storageState = page.name === 'sign-in' ? undefined : session;
        const context = await browser.newContext({
          viewport: { width: 1280, height: 800 },
          ...(storageState && { storageState }),
        });
        results.push(await measurePage(context, page));
        await context.close();
      }
    }
    return {
      ...{ rounds, jobs: JOBS, tables: TABLES },
      pages: measured.map(({ page, results }) => ({ name: page.name, ...summarized(results) })),
    };
  } finally {
    await browser.close();
  }
}

/** Signs in once, and returns the cookies. */
async function sessionState(browser: Browser, url: string, token: string) {
  const context: BrowserContext = await browser.newContext();
  const response = await context.request.post(`${url}/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token },
  });
  if (!response.ok())
    throw new Error(`expected a session, received ${response.status()}: ${await response.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

function summarized(results: readonly PageMeasurement[]): Readonly<Record<keyof PageMeasurement, Summary>> {
  const of = (key: keyof PageMeasurement) => summaryOf(results.map((result) => result[key]));
  return {
    first_paint_ms: of('first_paint_ms'),
    largest_paint_ms: of('largest_paint_ms'),
    blocking_ms: of('blocking_ms'),
    layout_shift: of('layout_shift'),
    worst_frame_ms: of('worst_frame_ms'),
    bytes: of('bytes'),
  };
}

/** Describes the result as text for a terminal. */
export function describeDashboardResult(result: Awaited<ReturnType<typeof benchDashboard>>): string {
  const { rounds, jobs, tables, pages } = result;
  const ms = (summary: Summary) => formatFixed(summary, 0, ' ms');
  return [
    `${jobs} jobs, one of them with ${tables} tables; medians of ${rounds} rounds, each page with an empty cache`,
    ...pages.map(
      (page) =>
        `${page.name}: first paint ${ms(page.first_paint_ms)}, largest ${ms(page.largest_paint_ms)}, blocked ${ms(page.blocking_ms)}, layout shift ${page.layout_shift.median.toFixed(3)}, worst frame ${ms(page.worst_frame_ms)}, ${Math.round(page.bytes.median / 1024)} KiB`,
    ),
  ].join('\n');
}
