import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NgramTrainer } from '@understudy/ngram';

describe('docs/formats/ngram.md', () => {
  test('shows the bytes that its worked example has', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/formats/ngram.md'), 'utf8');
    const dump = [...page.matchAll(/^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} )+)/gm)]
      .map(([, hex = '']) => hex)
      .join('');
    const documented = Uint8Array.from(dump.replaceAll(' ', '').match(/../g) ?? [], (byte) =>
      parseInt(byte, 16),
    );

    const trainer = new NgramTrainer({ order: 2, name: 't', locale: 'xx_XX' });
    trainer.add('ab', 2);
    trainer.add('b');
    expect(documented).toEqual(trainer.finish());
  });
});
