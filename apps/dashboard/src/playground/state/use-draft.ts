import { useCallback, useEffect, useState } from 'react';

import { type Draft, FORMATS, fromFragment } from './draft.js';
import { EXAMPLES, schemaText } from './examples.js';

/** The draft of this tab survives a reload of the page. */
const STORED = 'understudy-playground';

const FIRST: Draft = {
  schema: schemaText(EXAMPLES[0].schema),
  seed: '42',
  count: '20',
  now: '',
  format: 'table',
};

/** Returns the draft, which begins with that of the link, of this tab or of the first example, in this order. */
export function useDraft(): { readonly draft: Draft; readonly change: (change: Partial<Draft>) => void } {
  const [draft, setDraft] = useState(firstDraft);
  const change = useCallback((part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })), []);
  useEffect(() => {
    try {
      sessionStorage.setItem(STORED, JSON.stringify(draft));
    } catch {
      // The browser stores nothing. A reload then begins with the first example.
    }
  }, [draft]);
  useEffect(() => {
    const open = (): void => {
      const linked = fromFragment(window.location.hash, FIRST);
      if (linked) setDraft(linked);
    };
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, []);
  return { draft, change };
}

function firstDraft(): Draft {
  return fromFragment(window.location.hash, FIRST) ?? storedDraft() ?? FIRST;
}

function storedDraft(): Draft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Partial<Draft> | null;
    const isDraft =
      Object.keys(FIRST).every((key) => typeof stored?.[key as keyof Draft] === 'string') &&
      FORMATS.some((format) => format === stored?.format);
    return isDraft ? (stored as Draft) : undefined;
  } catch {
    return undefined; // the browser stores nothing, or an older version of the page stored another form
  }
}
