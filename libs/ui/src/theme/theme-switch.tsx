import { Monitor, Moon, Sun } from 'lucide-react';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useSyncExternalStore } from 'react';

import { Tooltip } from '../overlays/tooltip.js';
import { TEXTS } from '../texts.js';

export type Theme = 'system' | 'light' | 'dark';

/** Chooses the theme. The choice is kept in this browser and holds for all its tabs. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(subscribe, readTheme);
  return (
    <RadioGroup
      aria-label={TEXTS.theme}
      value={theme}
      onValueChange={(chosen) => setTheme(chosen as Theme)}
      className="flex w-fit gap-0.5 rounded-md border border-line bg-subtle p-0.5"
    >
      {THEMES.map(({ id, icon: Icon }) => (
        <Tooltip key={id} text={TEXTS.themes[id]}>
          <Radio.Root
            value={id}
            aria-label={TEXTS.themes[id]}
            className="flex size-6 items-center justify-center rounded-sm text-muted hover:text-ink data-checked:bg-raised data-checked:text-ink data-checked:shadow-raised forced-colors:data-checked:outline"
          >
            <Icon aria-hidden className="size-3.5" />
          </Radio.Root>
        </Tooltip>
      ))}
    </RadioGroup>
  );
}

/** Applies a theme to this page and stores it. Storage that is disabled is ignored: the theme then ends with the page. */
export function setTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // The page has the theme, but the next page will not.
  }
  apply(theme);
}

function apply(theme: string | null): void {
  const { dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset['theme'] = theme;
  else delete dataset['theme'];
  for (const listener of listeners) listener();
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Another tab has stored a theme. */
function onStorage(event: StorageEvent): void {
  if (event.key === KEY) apply(event.newValue);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

const KEY = 'understudy-theme';
const listeners = new Set<() => void>();
const THEMES = [
  { id: 'system', icon: Monitor },
  { id: 'light', icon: Sun },
  { id: 'dark', icon: Moon },
] as const;
