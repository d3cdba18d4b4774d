import { randomInt } from 'node:crypto';

import {
  describeWith,
  findChromium,
  LiveSystem,
  type LiveOrganization,
  type LiveSystemOptions,
} from '@understudy/testing';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

import { PageProblems } from './page-problems.js';
import { signIn } from './sign-in.js';

/** A size and a theme in which every screen is checked. */
export interface Appearance {
  readonly theme: 'light' | 'dark';
  /** The width of the window in pixels. */
  readonly width: 390 | 1280;
}

export interface OpenOptions extends Partial<Appearance> {
  /** Any token of the organisation, or null for a visitor without a session. Default: the token of an owner. */
  readonly token?: string | null;
  /** Further settings of the browser, such as `reducedMotion`. */
  readonly browser?: BrowserContextOptions;
}

/** The longest time for one action in a browser. It only ends a test that hangs. */
const ACTION_MS = 120_000;

/** The real control plane, an organisation and Chromium. Each page has cookies and storage of its own. */
export class DashboardTest {
  private readonly problems: PageProblems[] = [];

  private constructor(
    readonly system: LiveSystem,
    readonly browser: Browser,
    /** The origin with the path prefix, without `/dashboard`. */
    readonly url: string,
  ) {}

  static async start(options: DashboardOptions): Promise<DashboardTest> {
    const system = await LiveSystem.start(options.organizations ?? ['Acme'], {
      agents: false,
      ...options,
      environment: {
        UNDERSTUDY_TRUSTED_PROXIES: '127.0.0.0/8',
        UNDERSTUDY_GENERATION_THREADS: '1', // saves the start of a second thread for little data
        ...options.environment,
      },
    });
    try {
      const executablePath = findChromium();
      if (executablePath === undefined) throw new Error('expected Chromium on this machine, found none');
      return new DashboardTest(system, await chromium.launch({ executablePath }), options.url ?? system.url);
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  get organization(): LiveOrganization {
    return this.system.of('Acme');
  }

  /**
   * Opens a page of the dashboard in a new browser context.
   * @param path the path after `/dashboard`, such as `/sync-jobs`
   */
  async open(path: string, options: OpenOptions = {}): Promise<Page> {
    const { theme = 'light', width = 1280, token = this.organization.token, browser = {} } = options;
    const context = await this.browser.newContext({
      colorScheme: theme,
      viewport: { width, height: width === 390 ? 844 : 800 },
      // Each page has an address of its own, because the server limits the sign-ins of an address.
      extraHTTPHeaders: { 'x-forwarded-for': `10.0.${randomInt(256)}.${randomInt(256)}` },
      ...browser,
    });
    context.setDefaultTimeout(ACTION_MS);
    this.problems.push(await PageProblems.watch(context));
    if (token !== null) await signIn(context, this.url, token);
    const page = await context.newPage();
    await page.goto(`${this.url}/dashboard${path}`);
    return page;
  }

  /** Calls the API with a token of the organisation, for example to prepare what a screen shows. */
  async call<T>(method: string, path: string, body?: unknown, token = this.organization.token): Promise<T> {
    const response = await fetch(this.system.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }

  /** Closes all pages. @throws Error with each policy violation and each error in a console */
  async endTest(): Promise<void> {
    const problems = this.problems.splice(0);
    await Promise.all(this.browser.contexts().map((context) => context.close()));
    const texts = problems.flatMap(({ texts }) => texts);
    if (texts.length > 0) throw new Error(`expected no problem in a page, found:\n${texts.join('\n')}`);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.system.stop();
  }
}

export interface DashboardOptions extends LiveSystemOptions {
  /** The names of the organisations. Pages belong to the first one, which must be `Acme`. Default: only `Acme`. */
  readonly organizations?: readonly string[];
  /** The public URL of the control plane, if a proxy is in front of it. Default: the URL of the control plane. */
  readonly url?: string;
}

/**
 * Defines tests that need Chromium, and starts the system once for all of them. A test fails if a page violates the
 * content security policy, throws an error or writes one to its console.
 * @param tests receives a function that returns the running system. Call it only inside a test or hook
 */
export function describeDashboard(
  title: string,
  tests: (dashboard: () => DashboardTest) => void,
  options: DashboardOptions | (() => Promise<DashboardOptions>) = {},
): void {
  describeWith(title, 'chromium', () => {
    let running: DashboardTest | undefined;
    beforeAll(async () => {
      running = await DashboardTest.start(typeof options === 'function' ? await options() : options);
    });
    afterEach(() => running?.endTest());
    afterAll(() => running?.stop());
    tests(() => {
      if (running === undefined) throw new Error('expected a call inside a test or hook');
      return running;
    });
  });
}
