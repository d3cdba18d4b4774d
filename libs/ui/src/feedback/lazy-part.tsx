import { useEffect, useState, type ComponentType } from 'react';

import { TEXTS } from '../texts.js';
import { ErrorNotice } from './notice.js';
import { Skeleton } from './spinner.js';

/**
 * Returns a component whose code is loaded when it is first shown. If the server does not send the code, the component
 * shows a notice in its own place. The rest of the page stays with everything that was typed there. Another attempt
 * loads the document again.
 * @param lines the lines of text that are shown while the code is loaded
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { lines, label }: { readonly lines: number; readonly label?: string | undefined },
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Part !== undefined) return;
      let isShown = true;
      load().then(
        (part) => {
          loaded = part;
          if (isShown) setPart(() => part);
        },
        () => isShown && setFailed(true),
      );
      return () => void (isShown = false);
    }, [Part]);
    if (Part !== undefined) return <Part {...props} />;
    if (!isFailed) return <Skeleton lines={lines} label={label} />;
    return <ErrorNotice problem={TEXTS.partNotLoaded} onRetry={() => void reloadDocument()} />;
  };
}

/** The timeout for the response of the server. */
const ANSWER_MS = 10_000;

/**
 * Loads the document again if the server responds. Otherwise, the page stays as it is. After a failed `import`, this is
 * the only other attempt, because browsers keep the failure of a module as long as the document.
 */
export async function reloadDocument(): Promise<void> {
  const headers = { accept: 'text/html' }; // the server sends the page only to a browser that asks for one
  const signal = AbortSignal.timeout(ANSWER_MS);
  const responds = await fetch(window.location.href, { headers, cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (responds) window.location.reload();
}
