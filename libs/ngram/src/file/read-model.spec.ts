import { ModelFormatError } from '../errors.js';
import { NgramTrainer } from '../training/ngram-trainer.js';
import type { TrainOptions } from '../training/train-options.js';
import { crc32 } from './crc32.js';
import { readModel } from './read-model.js';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 255 - i);

function file(options: Partial<TrainOptions> = {}): Uint8Array {
  const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l', ...options });
  for (const value of ['anna', 'hannah', 'nora']) trainer.add(value);
  return trainer.finish();
}

function phrases(options: Partial<TrainOptions> = {}): Uint8Array {
  const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', tokenType: 'word', ...options });
  trainer.addText('The sea é is wide. The ship is not.\n\nIt sinks.');
  return trainer.finish();
}

/** Returns the offset of a section's entry in the section table. */
function entry(bytes: Uint8Array, name: string): number {
  for (let at = 32; ; at += 16) if (String.fromCharCode(...bytes.subarray(at, at + 4)) === name) return at;
}

/** Returns the offset of a section's content. */
function section(bytes: Uint8Array, name: string): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(entry(bytes, name) + 4, true);
}

/** Returns the file after `change`, with a valid checksum. */
function changed(change: (view: DataView, bytes: Uint8Array) => void, bytes = file()): Uint8Array {
  const view = new DataView(bytes.buffer);
  change(view, bytes);
  view.setUint32(bytes.length - 4, crc32(bytes, bytes.length - 4), true);
  return bytes;
}

describe('readModel', () => {
  test('reads views of the bytes at any alignment', () => {
    const bytes = file();
    expect(readModel(bytes).graph.edgeSymbol.buffer).toBe(bytes.buffer);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readModel(shifted.subarray(3)).graph).toEqual(readModel(bytes).graph);
  });

  test.each([
    ['fingerprints', file()],
    ['values', file({ originals: 'values' })],
    ['words', phrases({ originals: 'values' })],
  ])('every truncation is refused: %s', (_, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readModel(bytes.slice(0, length))).toThrow(ModelFormatError);
    }
    expect(() => readModel(Uint8Array.of(...bytes, 0))).toThrow(ModelFormatError);
  });

  test.each<[string, RegExp, (view: DataView, bytes: Uint8Array) => void]>([
    ['another kind of file', /not an .ngram/, (view) => view.setUint8(0, 0x88)],
    ['a newer version', /version 3 is not supported.*newer release/, (view) => view.setUint16(8, 3, true)],
    ['an older version', /version 1 is not supported.*train .* again/, (view) => view.setUint16(8, 1, true)],
    ['an order out of range', /order 9/, (view) => view.setUint8(10, 9)],
    ['a token type it does not know', /token type/, (view) => view.setUint8(11, 2)],
    ['another token type than it has symbols for', /WOFF is missing/, (view) => view.setUint8(11, 1)],
    ['a bomb of sections', /section table/, (view) => view.setUint32(16, 0xffffffff, true)],
    ['a section beyond the file', /out of range/, (view) => view.setUint32(32 + 8, 0xfffffff0, true)],
    ['a section twice', /twice/, (_, bytes) => bytes.copyWithin(48, 32, 36)],
    ['an unknown section', /unknown kind/, (view) => view.setUint8(32, 0x58)],
    ['a missing section', /META is missing/, (view) => view.setUint8(32, 0x78)],
    [
      'elements of an odd width',
      /ESYM has elements of an unknown width/,
      (view, bytes) => view.setUint32(entry(bytes, 'ESYM') + 12, 3, true),
    ],
    [
      'elements wider than the section holds',
      /differ in length|cut off/,
      (view, bytes) => view.setUint32(entry(bytes, 'ETGT') + 12, 4, true),
    ],
    ['metadata that is no JSON', /not JSON/, (view, bytes) => view.setUint8(section(bytes, 'META'), 0x7d)],
    ['a target out of range', /target/, (view, bytes) => view.setUint8(section(bytes, 'ETGT'), 99)],
    ['a way back to START', /target/, (view, bytes) => view.setUint8(section(bytes, 'ETGT'), 0)],
    ['a symbol out of range', /symbol/, (view, bytes) => view.setUint8(section(bytes, 'ESYM') + 2, 99)],
    ['a count of zero', /counts/, (view, bytes) => view.setUint8(section(bytes, 'ECUM'), 0)],
    ['a surrogate', /scalar/, (view, bytes) => view.setUint32(section(bytes, 'SYMB') + 16, 0xd800, true)],
    [
      'states without edges',
      /no edges/,
      (view, bytes) => view.setUint32(section(bytes, 'STAT') + 4, 0, true),
    ],
    [
      'lengths out of order',
      /section lens: values/,
      (view, bytes) => view.setUint32(section(bytes, 'lens') + 8, 1, true),
    ],
    [
      'a length beyond all words',
      /section lens: values/,
      (view, bytes) => view.setUint32(section(bytes, 'lens') + 8, 65_537, true),
    ],
    [
      'a length nobody has',
      /section lens: a count/,
      (view, bytes) => view.setUint32(section(bytes, 'lens') + 4, 0, true),
    ],
    [
      'fingerprints out of order',
      /ascending/,
      (view, bytes) => view.setUint32(section(bytes, 'orig') + 16, 0xffffffff, true),
    ],
    [
      'more fingerprints than there are',
      /count/,
      (view, bytes) => view.setUint32(section(bytes, 'orig') + 4, 0x7fffffff, true),
    ],
  ])('%s is refused', (_, message, change) => {
    const bytes = changed(change);
    expect(() => readModel(bytes)).toThrow(ModelFormatError);
    expect(() => readModel(bytes)).toThrow(message);
  });

  test.each<[string, RegExp, (view: DataView, bytes: Uint8Array) => void]>([
    [
      'more values than there are',
      /counts/,
      (view, bytes) => view.setUint32(section(bytes, 'vals'), 0x7fffffff, true),
    ],
    [
      'more bytes than there are',
      /counts/,
      (view, bytes) => view.setUint32(section(bytes, 'vals') + 4, 99, true),
    ],
    [
      'a value never seen',
      /counts are not/,
      (view, bytes) => view.setUint32(section(bytes, 'vals') + 8, 0, true),
    ],
    [
      'values that overlap',
      /section vals: the offset/,
      (view, bytes) => view.setUint32(section(bytes, 'vals') + 8 + 3 * 4 + 4, 11, true),
    ],
    [
      'values out of order',
      /section vals: texts are not/,
      (_, bytes) =>
        bytes.fill(0x7a, section(bytes, 'vals') + 8 + 7 * 4, section(bytes, 'vals') + 8 + 7 * 4 + 4),
    ],
    [
      'values that are no UTF-8',
      /section vals: text 0 is not UTF-8/,
      (_, bytes) =>
        bytes.fill(0xff, section(bytes, 'vals') + 8 + 7 * 4, section(bytes, 'vals') + 8 + 7 * 4 + 1),
    ],
  ])('%s is refused in recorded values', (_, message, change) => {
    const bytes = changed(change, file({ originals: 'values' }));
    expect(() => readModel(bytes)).toThrow(ModelFormatError);
    expect(() => readModel(bytes)).toThrow(message);
  });

  test.each<[string, RegExp, (view: DataView, bytes: Uint8Array) => void]>([
    ['no words', /WORD is missing/, (view, bytes) => view.setUint8(entry(bytes, 'WORD'), 0x77)],
    [
      'words that do not fill their section',
      /do not cover/,
      (view, bytes) => view.setUint32(section(bytes, 'WOFF'), 1, true),
    ],
    ['a word with a space', /space/, (view, bytes) => view.setUint8(section(bytes, 'WORD') + 1, 0x20)],
    ['a cut character', /UTF-8/, (view, bytes) => view.setUint8(section(bytes, 'WORD') + 1, 0xc3)],
  ])('%s is refused in a model over words', (_, message, change) => {
    const bytes = changed(change, phrases());
    expect(() => readModel(bytes)).toThrow(ModelFormatError);
    expect(() => readModel(bytes)).toThrow(message);
  });

  test('recorded values are read with their counts', () => {
    const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'l', originals: 'values' });
    for (const [value, weight] of [
      ['b', 2],
      ['é', 3],
      ['\u{1f600}', 1],
      ['a', 4],
      ['b', 1],
    ] as const)
      trainer.add(value, weight);
    const { originals } = readModel(trainer.finish());
    if (typeof originals === 'string' || originals.kind !== 'values') throw new Error('expected values');
    const read = Array.from({ length: originals.size }, (_, i) => [
      originals.texts.text(i),
      originals.countOf(i),
    ]);
    expect(read).toEqual([
      ['a', 4],
      ['b', 3],
      ['é', 3],
      ['\u{1f600}', 1],
    ]);
  });

  test('words and the lengths of sentences and paragraphs are read', () => {
    const model = readModel(phrases());
    const { alphabet, statistics, tokenType, tokenCount } = model;
    expect(tokenType).toBe('word');
    expect(Array.from({ length: tokenCount }, (_, i) => alphabet.text(i + 1))).toEqual([
      'It',
      'The',
      'is',
      'not',
      'sea',
      'ship',
      'sinks',
      'wide',
      'é',
    ]);
    expect([...(statistics.sentenceWords?.pairs ?? [])]).toEqual([2, 1, 4, 1, 5, 1]);
    expect([...(statistics.paragraphSentences?.pairs ?? [])]).toEqual([1, 1, 2, 1]);
    expect([...statistics.lengths.pairs]).toEqual([8, 1, 15, 1, 17, 1]);
  });

  test('a state that cannot end is refused', () => {
    const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', originals: 'none' });
    trainer.add('ab');
    // START → a, a → b, b → END becomes b → b. Ordered by the number of symbols to END, b is state 1 and a is
    // state 2.
    const bytes = changed((view, all) => {
      view.setUint8(section(all, 'ESYM') + 1, 2);
      view.setUint8(section(all, 'ETGT') + 1, 1);
    }, trainer.finish());
    expect(() => readModel(bytes)).toThrow('state 1 cannot end and has no edge to a smaller number');
  });

  test('the checksum detects one changed bit at any position', () => {
    const bytes = file();
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = bytes.slice();
      damaged[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      expect(() => readModel(damaged)).toThrow(ModelFormatError);
    }
  });

  test('an unknown section that may be skipped is skipped', () => {
    const bytes = changed((view, all) => view.setUint8(entry(all, 'orig'), 0x7a));
    expect(readModel(bytes).originals).toBe('none');
  });

  test('keyed originals are locked without their key, and refused with another key', () => {
    const keyed = file({ fingerprintKey: KEY });
    expect(readModel(keyed).originals).toBe('locked');
    expect(readModel(keyed, { fingerprintKey: KEY }).originals).toMatchObject({ size: 3 });
    expect(() => readModel(keyed, { fingerprintKey: new Uint8Array(16) })).toThrow(/another key/);
  });
});
