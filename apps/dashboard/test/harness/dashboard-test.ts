import { randomInt } from 'node:crypto';

import {
  describeWith,
  findChromium,
  LiveSystem,
  perWorker,
  type LiveOrganization,
  type LiveSystemOptions,
} from '@understudy/testing';
import { chromium, type Browser, type Page } from 'playwright-core';

import { BrowserPages, type PageOptions } from './browser-pages.js';
import { signIn } from './sign-in.js';

export interface OpenOptions extends PageOptions {
  /** Any token of the organisation, or null for a visitor without a session. Default: the token of an owner. */
  readonly token?: string | null;
}

/**
 * The real control plane, an organisation and Chromium. The suites of a Jest worker share the browser and, unless they
 * have settings of their own, the control plane, whose organisations are removed at the end of a suite. Each page
 * begins without cookies and storage.
 */
export class DashboardTest {
  private constructor(
    readonly system: LiveSystem,
    private readonly pages: BrowserPages,
    /** The origin with the path prefix, without `/dashboard`. */
    readonly url: string,
    private readonly isShared: boolean,
  ) {}

  static async start({
    organizations = ['Acme'],
    agents = false,
    environment,
    url,
  }: DashboardOptions): Promise<DashboardTest> {
    const isShared = environment === undefined;
    const system = isShared
      ? await perWorker('dashboard', () => startSystem({}))
      : await startSystem(environment);
    const origin = url ?? system.url;
    const pages = new BrowserPages(await sharedBrowser(), `${origin}/dashboard/icon.svg`);
    const test = new DashboardTest(system, pages, origin, isShared);
    try {
      await system.removeOrganizations(); // those of a suite that could not remove them
      await system.addOrganizations(organizations, agents);
      return test;
    } catch (error) {
      await test.stop();
      throw error;
    }
  }

  get organization(): LiveOrganization {
    return this.system.of('Acme');
  }

  /**
   * Opens a page of the dashboard. The first page of a test is the tab of the test before, unless `options` has
   * `browser` or the dark theme.
   * @param path the path after `/dashboard`, such as `/sync-jobs`
   */
  async open(path: string, options: OpenOptions = {}): Promise<Page> {
    const { token = this.organization.token } = options;
    const page = await this.pages.next(options);
    // Each page has an address of its own, because the server limits the sign-ins of an address.
    const address = `10.0.${randomInt(256)}.${randomInt(256)}`;
    await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': address });
    if (token !== null) await signIn(page.context(), this.url, token);
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

  /** Ends all pages. @throws Error with each policy violation and each error in a console */
  async endTest(): Promise<void> {
    const texts = await this.pages.endTest();
    if (texts.length > 0) throw new Error(`expected no problem in a page, found:\n${texts.join('\n')}`);
  }

  async stop(): Promise<void> {
    await this.pages.stop();
    await (this.isShared ? this.system.removeOrganizations() : this.system.stop());
  }
}

async function startSystem(environment: LiveSystemOptions['environment']): Promise<LiveSystem> {
  return LiveSystem.start([], {
    environment: { UNDERSTUDY_TRUSTED_PROXIES: '127.0.0.0/8', ...environment },
  });
}

/** Returns Chromium of the Jest worker. */
async function sharedBrowser(): Promise<Browser> {
  const { browser } = await perWorker('chromium', async () => {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('expected Chromium on this machine, found none');
    const before = new Set(openHandles());
    const launched = await chromium.launch({ executablePath });
    // Chromium ends when its pipes close, so the pipes must not keep the worker alive.
    for (const handle of openHandles()) if (!before.has(handle)) handle.unref?.();
    return { browser: launched, stop: () => launched.close(), isRunning: () => launched.isConnected() };
  });
  return browser;
}

/** Returns the processes, pipes and sockets of this process. */
function openHandles(): readonly { unref?(): void }[] {
  return (process as unknown as { _getActiveHandles(): { unref?(): void }[] })._getActiveHandles();
}

export interface DashboardOptions extends Pick<LiveSystemOptions, 'agents'> {
  /** Further settings of the control plane. A suite with settings has a control plane of its own. */
  readonly environment?: LiveSystemOptions['environment'];
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
