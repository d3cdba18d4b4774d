import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { PageProblems } from './page-problems.js';

/** A size and a theme in which every screen is checked. */
export interface Appearance {
  readonly theme: 'light' | 'dark';
  /** The width of the window in pixels. */
  readonly width: 320 | 390 | 1280;
}

export interface PageOptions extends Partial<Appearance> {
  /** Further settings of the browser, such as `reducedMotion`. The page then has a browser context of its own. */
  readonly browser?: BrowserContextOptions;
}

/** Without animations, opening and closing a popup needs a third less CPU time. A test of them asks for motion. */
const LESS_WORK: BrowserContextOptions = { reducedMotion: 'reduce' };

/** The longest time for one action in a browser. It only ends a test that hangs. */
const ACTION_MS = 120_000;

/**
 * The pages of a suite. The first page of each test is the same tab, without the cookies and the storage of the test
 * before, because Chromium starts two processes for a new tab. Each other page has a browser context of its own.
 */
export class BrowserPages {
  private readonly problems = new Map<BrowserContext, PageProblems>();
  private kept: Page | undefined;
  private isKeptInUse = false;

  /** @param blank the URL of a file without scripts at the origin of the pages. Another origin needs a new process */
  constructor(
    private readonly browser: Browser,
    private readonly blank: string,
  ) {}

  /** Returns a page that has nothing of an earlier test. */
  async next({ theme = 'light', width = 1280, browser }: PageOptions): Promise<Page> {
    const viewport = { width, height: width === 390 ? 844 : 800 };
    if (this.isKeptInUse || theme !== 'light' || browser !== undefined)
      return this.newPage({ colorScheme: theme, viewport, ...browser });
    this.isKeptInUse = true;
    this.kept ??= await this.newPage({ colorScheme: theme });
    await this.kept.setViewportSize(viewport);
    return this.kept;
  }

  /** Closes all pages but the kept one, which it empties. @returns the problems of all pages since the last call */
  async endTest(): Promise<readonly string[]> {
    const { kept } = this;
    this.kept = undefined; // until it is empty, so that a page that fails here does not fail the next test, too
    this.isKeptInUse = false;
    const context = kept?.isClosed() === false ? kept.context() : undefined;
    const others = this.browser.contexts().filter((each) => each !== context);
    await Promise.all(others.map((each) => each.close()));
    const left = kept && context ? await this.empty(kept) : [];
    if (left.length === 0 && context) this.kept = kept;
    const found = [...this.problems.values()].flatMap(({ texts }) => texts.splice(0));
    for (const each of others) this.problems.delete(each);
    return [...found, ...left];
  }

  async stop(): Promise<void> {
    await this.kept?.context().close();
  }

  private async newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext({ ...LESS_WORK, ...options });
    context.setDefaultTimeout(ACTION_MS);
    this.problems.set(context, await PageProblems.watch(context));
    return context.newPage();
  }

  /** Removes what a test can leave in the kept page. @returns what stays, because it belongs to the context */
  private async empty(page: Page): Promise<readonly string[]> {
    const context = page.context();
    await Promise.all(context.pages().map((each) => each !== page && each.close()));
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(this.blank);
    const hasOwnClock = await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      return !String(Date.now).includes('[native code]');
    });
    await context.clearCookies();
    await page.emulateMedia({ colorScheme: null });
    return hasOwnClock ? ['a clock in a page without `browser`, which later tests would use'] : [];
  }
}
