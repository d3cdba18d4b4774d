import { useEffect, useRef, useState } from 'react';

/** A text is shown only after it has been the same for this long. */
const QUIET_MS = 500;

/**
 * Returns a text that follows `text`, but changes at most once in `everyMs`. It is empty at first, so that a screen
 * reader does not speak while the page opens.
 */
export function useThrottled(text: string, everyMs: number): string {
  const [shown, setShown] = useState('');
  const shownAt = useRef(-everyMs);
  useEffect(() => {
    const wait = Math.max(QUIET_MS, shownAt.current + everyMs - performance.now());
    const timer = setTimeout(() => {
      shownAt.current = performance.now();
      setShown(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, everyMs]);
  return shown;
}
