import { KIND_WORDS } from '../kind.js';
import type { Detection } from './detection.js';

/** Why, in one line: `its name, and 96 % of 200 sampled values look like e-mail addresses`. */
export function reasonOf({ kind, because, country }: Detection): string {
  const { name, type, values, mentions } = because;
  const what = `${KIND_WORDS[kind]}${country === undefined ? '' : ` (${country})`}`;
  const parts = [
    ...(name === 'strong' ? ['its name'] : name === 'weak' ? ['a hint in its name'] : []),
    ...(type ? ['its type'] : []),
  ];
  if (values === undefined) return `${parts.join(' and ')} ${parts.length > 1 ? 'say' : 'says'} ${what}`;
  const share = `${Math.round(values.share * 100)} % of ${values.seen} sampled values`;
  if (mentions === true)
    return `${[...parts, `${share} mention an address or a number of somebody`].join(', and ')}`;
  return [...parts, `${share} look like ${what}`].join(', and ');
}
