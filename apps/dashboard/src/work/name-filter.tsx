import { SearchField } from '@understudy/ui';
import { useEffect, useState } from 'react';

import { WORK_TEXTS } from './texts.js';

/** How long the reader must not have typed before the list is loaded, in ms. */
const TYPING_MS = 300;

/** A field whose text becomes a filter when the reader pauses. It follows the address, for example after "back". */
export function NameFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (followed !== value) {
    setFollowed(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return <SearchField label={WORK_TEXTS.nameContains} value={typed} onChange={setTyped} />;
}
