import { styleText } from 'node:util';

import { environment } from '../config/environment.js';

type Paint = (text: string) => string;

/** Functions that style text if its stream shows colours, and otherwise return it unchanged. */
export interface Colours {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
}

export function coloursOf(stream: { readonly isTTY?: boolean }): Colours {
  const shown = showsColour(stream);
  const paint =
    (style: Parameters<typeof styleText>[0]): Paint =>
    (text) =>
      shown ? styleText(style, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
  };
}

/**
 * Tests whether to print colours on a stream. By default, only terminals show colours. NO_COLOR
 * (https://no-color.org) turns colours off. Unless NO_COLOR is set, FORCE_COLOR turns them on or off.
 */
export function showsColour(
  stream: { readonly isTTY?: boolean },
  { NO_COLOR, FORCE_COLOR, TERM } = environment(),
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && TERM !== 'dumb';
}
