import fc from 'fast-check';
import { LONGEST_SENTENCE, ProseSplitter } from './prose-splitter.js';
import { splitLetters, splitProse } from './split-words.js';

type Event = string | symbol;
const PARAGRAPH = Symbol('paragraph');
const OVERLONG = Symbol('overlong');

function split(chunks: readonly string[]): Event[] {
  const events: Event[] = [];
  const splitter = new ProseSplitter({
    sentence: (text, from, to) => {
      const sentence = text.slice(from, to).trim();
      if (sentence !== '') events.push(sentence);
    },
    overlong: () => events.push(OVERLONG),
    paragraph: () => {
      if (typeof events.at(-1) === 'string') events.push(PARAGRAPH);
    },
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return events;
}

function words(text: string, splitter: typeof splitProse): string[] {
  const found: string[] = [];
  splitter(text, 0, text.length, (source, from, to) => found.push(source.slice(from, to)));
  return found;
}

describe('ProseSplitter', () => {
  test.each<[string, Event[]]>([
    ['One. Two! Three?', ['One', 'Two', 'Three', PARAGRAPH]],
    ['One… (Two.) “Three!” Four', ['One', '(Two', '“Three', 'Four', PARAGRAPH]],
    ['Is it?! Yes...', ['Is it', 'Yes', PARAGRAPH]],
    [
      'Mr. Smith met Dr. Who on No. 5. They left.',
      ['Mr. Smith met Dr. Who on No. 5', 'They left', PARAGRAPH],
    ],
    [
      'J. R. R. Tolkien wrote. It was I. He left.',
      ['J. R. R. Tolkien wrote', 'It was I', 'He left', PARAGRAPH],
    ],
    ['The U.S. Congress sat, e.g. twice.', ['The U.S. Congress sat, e.g. twice', PARAGRAPH]],
    ['It cost 3.50 and more... but not much.', ['It cost 3.50 and more... but not much', PARAGRAPH]],
    ['He said “No.” and left.', ['He said “No.” and left', PARAGRAPH]],
    [
      'A line\nbreaks. No end\n\nNew one\r\n \t\r\nLast',
      ['A line\nbreaks', 'No end', PARAGRAPH, 'New one', PARAGRAPH, 'Last', PARAGRAPH],
    ],
    ['吾輩は猫である。名前はまだ無い。', ['吾輩は猫である', '名前はまだ無い', PARAGRAPH]],
    ['“Come.” She went.', ['“Come', 'She went', PARAGRAPH]],
    ['', []],
    [' \n\n\n ', []],
    ['...', []],
  ])('%j', (text, expected) => {
    expect(split([text])).toEqual(expected);
  });

  test('gives the same result for any split of the stream', () => {
    const piece = fc.constantFrom(
      'Ab',
      'a',
      'Mr',
      'U.S',
      '.',
      '!',
      '...',
      ' ',
      '\n',
      '\n\n',
      '”',
      '。',
      '3',
      '\u{1f600}',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.array(fc.nat(100), { maxLength: 8 }),
        (pieces, cuts) => {
          const text = pieces.join('');
          const places = [
            0,
            ...cuts.map((cut) => cut % (text.length + 1)).sort((x, y) => x - y),
            text.length,
          ];
          const chunks = places.slice(1).map((place, i) => text.slice(places[i], place));
          expect(split(chunks)).toEqual(split([text]));
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });

  test('leaves out endless sentences in bounded memory, for any split of the stream', () => {
    const long = 'word '.repeat(LONGEST_SENTENCE / 4);
    const text = `First. A ${long}. Last. ${'.'.repeat(5000)} ${' '.repeat(5000)}\n${' '.repeat(5000)}End.`;
    const expected = split([text]);
    expect(expected.filter((event) => event === OVERLONG)).toEqual([OVERLONG]);
    expect(expected.filter((event) => event === 'First' || event === 'Last' || event === 'End').length).toBe(
      3,
    );
    const chunks = text.match(/[^]{1,977}/g) ?? [];
    expect(split(chunks)).toEqual(expected);
  });
});

describe('words of prose', () => {
  test.each([
    ['“Yes,” he (the captain) said; no—more', ['Yes,', 'he', 'the', 'captain', 'said;', 'no—more']],
    ["_don't_ ’tis 3.5% — $5 A&B ...", ["don't", 'tis', '3.5%', '$5', 'A&B']],
    ['Ñandú, çà et là…', ['Ñandú,', 'çà', 'et', 'là']],
    ['\u{1f600} \u{10400}', ['\u{1f600}', '\u{10400}']],
    [' \t ', []],
  ])('keeps commas in %j', (text, expected) => {
    expect(words(text, splitProse)).toEqual(expected);
  });

  test.each([
    ["“Don’t,” o'Neill-Smith said-- 3.5 no—more", ['Don’t', "o'Neill-Smith", 'said', '3', '5', 'no', 'more']],
    ["'tis' -a- ’", ['tis', 'a']],
    ['שלום עולם', ['שלום', 'עולם']],
  ])('keeps only letters in %j', (text, expected) => {
    expect(words(text, splitLetters)).toEqual(expected);
  });
});
