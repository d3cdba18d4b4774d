import type { PerformanceEntry } from 'node:perf_hooks';

import type { BrowserContext, Page } from 'playwright-core';

/** The measurements of one page, loaded with an empty cache. */
export type PageMeasurement = Awaited<ReturnType<typeof measurePage>>;

export interface MeasuredPage {
  readonly url: string;
  /** A text that is visible when the page is complete. */
  readonly shown: string;
  /** True if the page has a table to scroll. */
  readonly isScrolled: boolean;
}

/** A function of the browser. The library of its types would also apply to the code of Node. */
declare const requestAnimationFrame: (next: (now: number) => void) => number;

const WHEEL_STEPS = 60;
const WHEEL_PIXELS = 400;
/** Rows that the last step loads are drawn within these frames, a second on a common display. */
const FRAMES_AFTER = 60;

/** Loads a page in the context, and measures it. The page is closed afterwards. */
export async function measurePage(context: BrowserContext, { url, shown, isScrolled }: MeasuredPage) {
  const page = await context.newPage();
  try {
    const network = await context.newCDPSession(page);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await network.send('Network.enable');
    await page.addInitScript(observe);
    await page.goto(url);
    await page.getByText(shown).first().waitFor();
    await page.waitForLoadState('networkidle');
    const painted = await page.evaluate(readObserved);
    const loaded = bytes;
    return {
      ...painted,
      /** The longest time between two frames while the page is scrolled. 0 if the page is not scrolled. */
      worst_frame_ms: isScrolled ? await worstFrame(page) : 0,
      /** Bytes of all responses, as they were transferred. */
      bytes: loaded,
    };
  } finally {
    await page.close();
  }
}

/** Scrolls the middle of the page, and returns the longest time between two frames. */
async function worstFrame(page: Page): Promise<number> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.mouse.move(width / 2, height * 0.75);
  await page.evaluate(recordFrames);
  for (let step = 0; step < WHEEL_STEPS; step++) await page.mouse.wheel(0, WHEEL_PIXELS);
  return page.evaluate(worstOfNextFrames, FRAMES_AFTER);
}

interface Observed {
  largestPaint: number;
  blocking: number;
  layoutShift: number;
  worstFrame: number;
}

/** Runs in the page before its scripts. Chromium keeps these entries only while they are observed. */
function observe(): void {
  const observed = globalThis as unknown as Observed;
  Object.assign(observed, { largestPaint: 0, blocking: 0, layoutShift: 0, worstFrame: 0 });
  const each = (type: string, add: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({
      type: type as 'measure', // the types of Node do not list those of the browser
      buffered: true,
    });
  each('largest-contentful-paint', ({ startTime }) => (observed.largestPaint = startTime));
  each('longtask', ({ duration }) => (observed.blocking += Math.max(0, duration - 50)));
  each('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) observed.layoutShift += value;
  });
}

function readObserved() {
  const { largestPaint, blocking, layoutShift } = globalThis as unknown as Observed;
  return {
    /** Time until the first text or picture is painted. */
    first_paint_ms: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    largest_paint_ms: largestPaint,
    /** The sum of the parts above 50 ms of all long tasks, from the start to the complete page. */
    blocking_ms: blocking,
    /** The sum of all layout shifts without input, as Core Web Vitals define them. */
    layout_shift: layoutShift,
  };
}

/** Runs in the page: keeps the longest time between two frames from now on. */
function recordFrames(): void {
  const observed = globalThis as unknown as Observed;
  let before = performance.now();
  const next = (now: number): void => {
    observed.worstFrame = Math.max(observed.worstFrame, now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame((now) => {
    before = now;
    requestAnimationFrame(next);
  });
}

/** Runs in the page: returns the longest time between two frames since `recordFrames`, after some more frames. */
async function worstOfNextFrames(frames: number): Promise<number> {
  for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
  return (globalThis as unknown as Observed).worstFrame;
}
