import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NgramTrainer } from '../../src/training/ngram-trainer.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/reference/ngram-format.md'), 'utf8');

/** Returns the bytes of each hex dump on the page. */
function documented(): Uint8Array[] {
  return PAGE.split('```')
    .map((block) => [...block.matchAll(/^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} )+)/gm)].map(([, hex = '']) => hex))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('').replaceAll(' ', '').match(/../g) ?? [])
    .map((bytes) => Uint8Array.from(bytes, (byte) => parseInt(byte, 16)));
}

describe('docs/reference/ngram-format.md', () => {
  test('shows the actual bytes of its worked examples', () => {
    const chars = new NgramTrainer({ order: 2, name: 't', locale: 'xx_XX' });
    chars.add('ab', 2);
    chars.add('b');
    const words = new NgramTrainer({
      order: 2,
      name: 'w',
      locale: 'xx_XX',
      tokenType: 'word',
      originals: 'values',
    });
    words.add('to be', 2);
    words.addText('To be!');
    expect(documented()).toEqual([chars.finish(), words.finish()]);
  });
});
