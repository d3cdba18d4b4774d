import type { AnyRouter } from '@tanstack/react-router';

import { APP_TEXTS } from './texts.js';

/**
 * Keeps the title of the document equal to the heading of the page. After navigation to another path, it moves the
 * focus to the heading, so that a screen reader reads it and the keyboard continues there.
 */
export function followPages(router: AnyRouter): void {
  let awaitsHeading = false;
  const follow = (): void => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    const title = APP_TEXTS.documentTitle(heading.textContent.trim());
    if (document.title !== title) document.title = title;
    if (!awaitsHeading) return;
    awaitsHeading = false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (fromLocation !== undefined && fromLocation.pathname !== toLocation.pathname) awaitsHeading = true;
    follow();
  });
  const page = document.getElementById('dashboard');
  if (page)
    new MutationObserver(follow).observe(page, { childList: true, characterData: true, subtree: true });
}
