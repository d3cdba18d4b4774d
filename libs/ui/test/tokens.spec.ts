import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Theme = 'light' | 'dark';

const TOKENS = readTokens(readFileSync(join(import.meta.dirname, '../src/styles.css'), 'utf8'));
const BACKGROUNDS = ['canvas', 'surface', 'raised', 'subtle'] as const;
const TONES = ['success', 'warning', 'danger', 'info', 'accent'] as const;

/** Pairs of a text and its background that a part uses. WCAG 2.2 AA asks for 4.5:1. */
const TEXTS = [
  ...BACKGROUNDS.flatMap((background) =>
    ['ink', 'muted', 'faint', 'accent', 'danger'].map((text) => [text, background] as const),
  ),
  ...TONES.flatMap((tone) => [[tone, `${tone}-soft`] as const, ['ink', `${tone}-soft`] as const]),
  ...TONES.map((tone) => [tone, 'surface'] as const),
  ...TONES.map((tone) => ['muted', `${tone}-soft`] as const),
  ['ink', 'pressed'],
  ['muted', 'pressed'],
  ['on-accent', 'accent-solid'],
  ['on-accent', 'accent-solid-hover'],
  ['on-danger', 'danger-solid'],
  ['on-danger', 'danger-solid-hover'],
  ['canvas', 'ink'],
] as const;

/** Borders of controls, marks and bars. WCAG 2.2 AA asks for 3:1 to the background. */
const MARKS = [
  ['control', 'surface'],
  ['control', 'canvas'],
  ['control', 'raised'],
  ['accent', 'canvas'],
  ['accent', 'subtle'],
  ['accent-solid', 'pressed'],
  ['warning-solid', 'pressed'],
  ['warning-solid', 'surface'],
  ['danger', 'pressed'],
] as const;

describe.each<Theme>(['light', 'dark'])('the colours of the theme %s', (theme) => {
  it.each(TEXTS)('keep %s on %s readable', (text, background) => {
    expect(contrast(colour(text, theme), colour(background, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(MARKS)('keep %s on %s visible', (mark, background) => {
    expect(contrast(colour(mark, theme), colour(background, theme))).toBeGreaterThanOrEqual(3);
  });
});

/** Reads the lines `--color-<name>: light-dark(#rrggbb, #rrggbb)`. */
function readTokens(css: string): Map<string, Record<Theme, string>> {
  const lines = css.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g);
  return new Map([...lines].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));
}

function colour(name: string, theme: Theme): string {
  const token = TOKENS.get(name);
  if (token === undefined)
    throw new Error(`expected an opaque colour --color-${name} in styles.css, found none`);
  return token[theme];
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
