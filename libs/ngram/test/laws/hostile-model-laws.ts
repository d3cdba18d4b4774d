import { CharAlphabet, type Alphabet, WordAlphabet } from '../../src/model/alphabet.js';
import { compileMode } from '../../src/modes/compile-mode.js';
import { compileWord } from '../../src/sampling/compile-word.js';
import { describeModel } from '../../src/describe/describe-model.js';
import { GENERATION_MODES, type GenerationMode } from '../../src/model/model-metadata.js';
import { ModelFormatError, NgramError, PlanTooLargeError } from '../../src/errors.js';
import { type ModelGraph } from '../../src/model/model-graph.js';
import { type NgramModel } from '../../src/model/ngram-model.js';
import { readModel } from '../../src/file/read-model.js';
import { type WordConstraints } from '../../src/sampling/constraints/word-constraints.js';
import { RandomStream, rootKey } from '@understudy/random';
import { writeModel } from '../../src/file/write-model.js';
import { Histogram } from '../../src/model/histogram.js';
import { SortedTexts } from '../../src/model/sorted-texts.js';

// Tests files that obey every rule of the format but do not come from training. Each can be read, and every
// use of it must end, with a result or an error. The tests do not measure time: without the limits they would
// run for minutes to years.

const LONGEST = 65_536;
const UNLIKELY = 0xffffffff;
const random = new RandomStream();
const key = rootKey('hostile', 1);

/** An edge: symbol, target, count. */
type Edge = readonly [number, number, number];

function graphOf(states: readonly (readonly Edge[])[]): ModelGraph {
  const edges = states.flat();
  const firstEdge = Uint32Array.from([
    0,
    ...states.map(
      (
        (at) => (list) =>
          (at += list.length)
      )(0),
    ),
  ]);
  return {
    firstEdge,
    edgeSymbol: Uint32Array.from(edges, ([symbol]) => symbol),
    edgeTarget: Uint32Array.from(edges, ([, target]) => target),
    edgeCumulative: Uint32Array.from(
      states.flatMap((list) =>
        list.map(
          (
            (sum) => (edge: Edge) =>
              (sum += edge[2])
          )(0),
        ),
      ),
    ),
  };
}

function points(count: number): CharAlphabet {
  return new CharAlphabet(Uint32Array.from({ length: count }, (_, i) => 0x10000 + i));
}

function words(texts: readonly string[]): WordAlphabet {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const offsets = Uint32Array.from([
    0,
    ...encoded.map(
      (
        (at) => (bytes) =>
          (at += bytes.length)
      )(0),
    ),
  ]);
  return new WordAlphabet(new SortedTexts(offsets, Uint8Array.from(encoded.flatMap((bytes) => [...bytes]))));
}

function file(
  alphabet: Alphabet,
  states: readonly (readonly Edge[])[],
  sentenceWords?: Histogram,
): Uint8Array {
  return writeModel({
    order: 2,
    metadata: {
      id: 'xx_XX/n',
      name: 'n',
      locale: 'xx_XX',
      licence: '',
      source: '',
      caseFolding: 'preserve',
      normalization: 'NFC',
      modes: [...GENERATION_MODES],
      minValues: 1,
      distinctValues: Number.MAX_SAFE_INTEGER,
      totalWeight: Number.MAX_SAFE_INTEGER,
      shortestValue: Number.MAX_SAFE_INTEGER,
      longestValue: 0,
      novelMass: 1,
    },
    alphabet,
    graph: graphOf(states),
    statistics: {
      lengths: new Histogram(Uint32Array.of(1, UNLIKELY, LONGEST, UNLIKELY)),
      sentenceWords,
      paragraphSentences: sentenceWords,
    },
    originals: undefined,
  });
}

const ENDLESS_SENTENCES = new Histogram(Uint32Array.of(LONGEST, UNLIKELY));
/** The sizes of the large models. */
interface Sizes {
  readonly ways: number;
  readonly followers: number;
  readonly longest: number;
  readonly impossible: number;
}

/** Less than the default. The same checks apply with the default, but take longer. */
const MAX_PLAN_EDGES = 500_000;
const loopOf = (symbols: number): Edge[] => [
  [0, 0, 1],
  ...Array.from({ length: symbols }, (_, i): Edge => [i + 1, 1, 2]),
];

const models = ({ ways, followers, longest }: Sizes): readonly [string, () => Uint8Array][] => [
  [
    'words that next to never end',
    () => file(points(1), [[[1, 1, 1]], [[0, 0, 1], [1, 1, UNLIKELY - 1]]], ENDLESS_SENTENCES), // prettier-ignore
  ],
  [
    'words of which one in forty comes to an end',
    () =>
      file(
        points(2),
        [[[1, 1, 1], [2, 2, 40]], [[0, 0, 1]], [[1, 1, 1], [2, 2, UNLIKELY - 1]]], // prettier-ignore
        ENDLESS_SENTENCES,
      ),
  ],
  ['words that are mostly empty', () => file(points(1), [[[0, 0, UNLIKELY - 1], [1, 1, 1]], [[0, 0, 1]]])], // prettier-ignore
  ['a state of many ways', () => file(points(ways), [[[1, 1, 1]], loopOf(ways)])],
  [
    'phrases that next to never end',
    () =>
      file(
        words(['a', 'b']),
        [[[1, 1, 1]], [[0, 0, 1], [2, 1, UNLIKELY - 1]]], // prettier-ignore
        ENDLESS_SENTENCES,
      ),
  ],
  [
    'phrases of the longest words',
    () =>
      file(
        words(
          Array.from({ length: longest }, (_, i) => String.fromCharCode(0x61 + i) + 'x'.repeat(LONGEST - 1)),
        ),
        [[[1, 1, 1]], loopOf(longest)],
      ),
  ],
  [
    'phrases with many words after each',
    () =>
      file(words(Array.from({ length: followers }, (_, i) => `x${String(i).padStart(5, '0')}`)), [
        [[1, 1, 1]],
        loopOf(followers),
      ]),
  ],
];

const PARAMETERS: readonly [GenerationMode, object][] = [
  ['word', {}],
  ['sentence', {}],
  ['sentence', { wordCount: 1000 }],
  ['text', { maxChars: LONGEST }],
  ['paragraph', { sentenceCount: 100 }],
  ['paragraph', {}],
  ['poem', { verses: 200, maxWords: 50 }],
  ['acrostic', { initials: 'abcx\u{10000}', maxWords: 50 }],
  ['real_word', {}],
];
const CONSTRAINTS: readonly WordConstraints[] = [
  { maxLength: Number.MAX_SAFE_INTEGER },
  { maxLength: 50_000 },
  { minLength: LONGEST, maxLength: LONGEST },
  { minLength: 20, maxLength: 1000 },
  { endsWith: '\u{10000}', maxLength: 60 },
  { endsWith: 'x'.repeat(999), contains: 'x'.repeat(500) },
  { contains: 'x'.repeat(1000) },
  { contains: 'x'.repeat(LONGEST) },
  { contains: `b${'x'.repeat(400)}`, minLength: LONGEST },
];

/** Tests every use of the models. */
export function hostileModelLaws(sizes: Sizes): void {
  describe.each(models(sizes))('%s', (_, make) => {
    let model: NgramModel;
    beforeAll(() => {
      model = readModel(make());
    });

    test.each(PARAMETERS)('mode %s %j gives a text or an error with a reason', (mode, parameters) => {
      attempt(() => compileMode(model, mode, parameters).sample(random.seek(key, 0)));
    });

    test.each(CONSTRAINTS)('constraints %# give a legal word or an error with a reason', (constraints) => {
      const { contains = '', endsWith = '', minLength = 0, maxLength = LONGEST } = constraints;
      attempt(() => {
        const text = compileWord(model, constraints, { maxPlanEdges: MAX_PLAN_EDGES }).sample(
          random.seek(key, 0),
        );
        expect(text.includes(contains) && text.endsWith(endsWith)).toBe(true);
        expect([...text].length).toBeGreaterThanOrEqual(minLength);
        expect([...text].length).toBeLessThanOrEqual(maxLength);
        return text;
      });
    });

    test('can be described', () => {
      attempt(() => String(describeModel(model).effectiveValues));
    });
  });

  test('a word that is longer than any value is refused', () => {
    const bytes = file(words(['a'.repeat(LONGEST + 1)]), [[[1, 1, 1]], [[0, 0, 1]]]);
    expect(() => readModel(bytes)).toThrow(ModelFormatError);
  });

  test('a product with billions of impossible paths is refused', () => {
    const long = Array.from(
      { length: sizes.impossible },
      (_, i) => `y${String(i).padStart(5, '0')}${'z'.repeat(60)}`,
    );
    const model = readModel(
      file(words(['x', ...long]), [[[1, 1, 1]], [[0, 0, 1], [1, 1, UNLIKELY - 100_000], ...loopOf(sizes.impossible + 1).slice(2)]]), // prettier-ignore
    );
    const constraints = { minLength: 59_980, maxLength: 60_000, endsWith: 'x' };
    expect(() => compileWord(model, constraints, { maxPlanEdges: 200_000 })).toThrow(PlanTooLargeError);
  });
}

/** Expects that `draw` returns null or a text of at most `LONGEST` code points, or throws a `NgramError`. */
function attempt(draw: () => string | null): void {
  try {
    const text = draw();
    if (text !== null) expect([...text].length).toBeLessThanOrEqual(LONGEST);
  } catch (error) {
    if (!(error instanceof NgramError)) throw error;
  }
}
