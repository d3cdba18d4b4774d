import { ModelFormatError } from './errors.js';
import { crc32 } from './crc32.js';
import { NgramTrainer } from './ngram-trainer.js';
import { readModel } from './read-model.js';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 255 - i);

function file(fingerprintKey?: Uint8Array): Uint8Array {
  const trainer = new NgramTrainer({
    order: 3,
    name: 'n',
    locale: 'l',
    ...(fingerprintKey && { fingerprintKey }),
  });
  for (const value of ['anna', 'hannah', 'nora']) trainer.add(value);
  return trainer.finish();
}

/** Offset of a section's content. */
function section(bytes: Uint8Array, name: string): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let entry = 32; ; entry += 16) {
    if (String.fromCharCode(...bytes.subarray(entry, entry + 4)) === name)
      return view.getUint32(entry + 4, true);
  }
}

/** The file after `change`, with its checksum made right again. */
function changed(change: (view: DataView, bytes: Uint8Array) => void, bytes = file()): Uint8Array {
  const view = new DataView(bytes.buffer);
  change(view, bytes);
  view.setUint32(bytes.length - 4, crc32(bytes, bytes.length - 4), true);
  return bytes;
}

describe('readModel', () => {
  test('reads views of the bytes, at any alignment', () => {
    const bytes = file();
    expect(readModel(bytes).graph.edgeSymbol.buffer).toBe(bytes.buffer);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readModel(shifted.subarray(3)).graph).toEqual(readModel(bytes).graph);
  });

  test('every truncation is refused', () => {
    const bytes = file();
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readModel(bytes.slice(0, length))).toThrow(ModelFormatError);
    }
    expect(() => readModel(Uint8Array.of(...bytes, 0))).toThrow(ModelFormatError);
  });

  test.each<[string, RegExp, (view: DataView, bytes: Uint8Array) => void]>([
    ['another kind of file', /not an .ngram/, (view) => view.setUint8(0, 0x88)],
    ['a newer version', /version 2 is not supported/, (view) => view.setUint16(8, 2, true)],
    ['an order out of range', /order 9/, (view) => view.setUint8(10, 9)],
    ['a token type it does not know', /token type/, (view) => view.setUint8(11, 1)],
    ['a bomb of sections', /section table/, (view) => view.setUint32(16, 0xffffffff, true)],
    ['a section beyond the file', /out of range/, (view) => view.setUint32(32 + 8, 0xfffffff0, true)],
    ['a section twice', /twice/, (_, bytes) => bytes.copyWithin(48, 32, 36)],
    ['an unknown section', /does not know/, (view) => view.setUint8(32, 0x58)],
    ['a missing section', /META is missing/, (view) => view.setUint8(32, 0x78)],
    ['metadata that is no JSON', /not JSON/, (view, bytes) => view.setUint8(section(bytes, 'META'), 0x7d)],
    ['a target out of range', /target/, (view, bytes) => view.setUint32(section(bytes, 'ETGT'), 9999, true)],
    [
      'a symbol out of range',
      /symbol/,
      (view, bytes) => view.setUint16(section(bytes, 'ESYM') + 4, 999, true),
    ],
    ['a count of zero', /counts/, (view, bytes) => view.setUint32(section(bytes, 'ECUM'), 0, true)],
    ['a surrogate', /scalar/, (view, bytes) => view.setUint32(section(bytes, 'SYMB') + 16, 0xd800, true)],
    [
      'states without edges',
      /no edges/,
      (view, bytes) => view.setUint32(section(bytes, 'STAT') + 4, 0, true),
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

  test('a state that cannot end is refused', () => {
    const trainer = new NgramTrainer({ order: 2, name: 'n', locale: 'l', originals: 'none' });
    trainer.add('ab');
    // START → a, a → b, b → END becomes b → b.
    const bytes = changed((view, all) => {
      view.setUint16(section(all, 'ESYM') + 4, 2, true);
      view.setUint32(section(all, 'ETGT') + 8, 2, true);
    }, trainer.finish());
    expect(() => readModel(bytes)).toThrow('3 states can never end');
  });

  test('one changed bit anywhere is found by the checksum', () => {
    const bytes = file();
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = bytes.slice();
      damaged[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      expect(() => readModel(damaged)).toThrow(ModelFormatError);
    }
  });

  test('an unknown section that may be skipped is skipped', () => {
    const bytes = changed((view, all) => view.setUint8(32 + 6 * 16, all[32 + 6 * 16] === 0x6f ? 0x7a : 0));
    expect(readModel(bytes).originals).toBe('none');
  });

  test('keyed originals are locked without their key and refused under another', () => {
    expect(readModel(file(KEY)).originals).toBe('locked');
    expect(readModel(file(KEY), { fingerprintKey: KEY }).originals).toMatchObject({ size: 3 });
    expect(() => readModel(file(KEY), { fingerprintKey: new Uint8Array(16) })).toThrow(/another key/);
  });
});
