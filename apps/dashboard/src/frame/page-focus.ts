import type { AnyRouter } from '@tanstack/react-router';

import { APP_TEXTS } from './texts.js';

/**
 * Keeps the title of the document equal to the heading of the page. After navigation to another path, it moves the
 * focus to the heading, so that a screen reader reads it and the keyboard continues there. Until the reader acts, the
 * heading also gets a focus that is lost, for example with a dialog that closes, or with the heading of a page that
 * was loading.
 */
export function followPages(router: AnyRouter): void {
  let awaitsHeading = false;
  let awaitsReader = false;
  const focusHeading = (): void => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    awaitsHeading = false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const follow = (): void => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    const title = APP_TEXTS.documentTitle(heading.textContent.trim());
    if (document.title !== title) document.title = title;
    if (awaitsHeading) focusHeading();
    // A part that is removed loses the focus after this call.
    else if (awaitsReader) requestAnimationFrame(() => awaitsReader && isFocusLost() && focusHeading());
  };
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (fromLocation !== undefined && fromLocation.pathname !== toLocation.pathname)
      awaitsHeading = awaitsReader = true;
    follow();
  });
  for (const action of ['keydown', 'pointerdown'])
    document.addEventListener(action, () => (awaitsReader = false), { capture: true });
  new MutationObserver(follow).observe(document.body, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
