import { compileWord, NgramTrainer, readModel, type WordConstraints } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { say } from '../bench-environment.js';
import { ratios, type Spread, spreadOf } from '../spread.js';
import { addresses, firstNames } from './corpora.js';
import { foswig, markovStrings } from './peers.js';

export interface NgramBenchResult {
  readonly rounds: number;
  readonly order: number;
  readonly names: number;
  /** Share of new words that a model of the names makes. */
  readonly novel_mass: number | null;
  /** By what the model remembers of its training values: `none` is the learning alone. */
  readonly training_names_per_second: Readonly<Record<'none' | 'fingerprints', Spread>>;
  readonly training_prose: Readonly<
    Record<'char' | 'word', { readonly mb_per_second: Spread; readonly bytes: number }>
  >;
  readonly bytes_per_transition: Readonly<Record<'names' | 'prose', number>>;
  readonly load: { readonly bytes: number; readonly ms: Spread };
  /** One row for each way to sample names; all from the model at `order`. */
  readonly sampling: readonly {
    readonly name: string;
    readonly plan_ms: Spread;
    readonly words_per_second: Spread;
  }[];
  readonly peers: readonly {
    readonly name: string;
    /** What both sides were trained on for the comparison. */
    readonly names: number;
    readonly training_names_per_second: Spread;
    readonly words_per_second: Spread;
    /** How many times as fast ours is, in each round; free words, and training with fingerprints. */
    readonly sampling_ratio: Spread;
    readonly training_ratio: Spread;
    /** Words that are no training value, where the peer can make them. */
    readonly new_words_per_second?: Spread;
    readonly new_words_ratio?: Spread;
  }[];
}

const ORDER = 4;
const RUN_MS = 400;
const PROBE_WORDS = 16;
/** markov-strings compares each value with all that share a beginning, and copies its corpus for each word it makes. */
const FEW_NAMES = 1_000;
const WAYS: readonly (readonly [string, WordConstraints])[] = [
  ['free', {}],
  ['starts_with + ends_with + length', { startsWith: 'Ma', endsWith: 'a', minLength: 4, maxLength: 8 }],
  ['exclude_originals', { excludeOriginals: true }],
  ['exclude_originals, values known', { excludeOriginals: true }],
];

/**
 * Training, loading and sampling in one thread, in turn with the peers: round by round everything once. Times are of the
 * CPU.
 */
export function benchNgram(rounds: number): NgramBenchResult {
  const names = firstNames();
  const prose = addresses();
  const bytesOfProse = prose.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  say(`${names.length} names, ${(bytesOfProse / 1e6).toFixed(1)} MB of prose`);

  const model = readModel(trainNames(names, 'fingerprints'));
  const known = readModel(trainNames(names, 'values'));
  const big = largeFile(prose);
  const proseModel = readModel(trainProse(prose, 'char'));
  const few = names.filter((_, i) => i % Math.floor(names.length / FEW_NAMES) === 0);
  const fewPlan = compileWord(readModel(trainNames(few, 'fingerprints')), {});
  const peers = [foswig(ORDER, names), markovStrings(ORDER, few)] as const;
  say('models are trained');
  const random = new RandomStream();
  const key = rootKey('bench', 1);
  const plans = WAYS.map(([name, constraints]) => {
    const of = name.endsWith('known') ? known : model;
    return { name, compile: () => compileWord(of, constraints) };
  });
  const samplers = plans.map(({ compile }) => {
    const plan = compile();
    return (count: number) => {
      for (let i = 0; i < count; i += 1) plan.sample(random.seek(key, i));
    };
  });
  const fewSample = () => fewPlan.sample(random);
  const peerSamplers = [peers[0].word, peers[1].word, peers[0].newWord, fewSample].map(
    (word) => (count: number) => {
      for (let i = 0; i < count; i += 1) word();
    },
  );
  const counts = [...samplers, ...peerSamplers].map(wordsOfRun);

  const seconds = {
    none: [] as number[],
    fingerprints: [] as number[],
    char: [] as number[],
    word: [] as number[],
    load: [] as number[],
    foswig: [] as number[],
    markov: [] as number[],
    few: [] as number[],
    plans: plans.map((): number[] => []),
    words: counts.map((): number[] => []),
  };
  for (let round = 0; round < rounds; round += 1) {
    seconds.none.push(time(() => trainNames(names, 'none')));
    seconds.fingerprints.push(time(() => trainNames(names, 'fingerprints')));
    seconds.foswig.push(time(() => foswig(ORDER, names)));
    seconds.markov.push(time(() => markovStrings(ORDER, few)));
    seconds.few.push(time(() => trainNames(few, 'fingerprints')));
    [...samplers, ...peerSamplers].forEach((sample, i) => {
      const count = counts[i] as number;
      seconds.words[i]?.push(time(() => sample(count)) / count);
    });
    plans.forEach(({ compile }, i) => seconds.plans[i]?.push(time(compile)));
    seconds.char.push(time(() => trainProse(prose, 'char')));
    seconds.word.push(time(() => trainProse(prose, 'word')));
    seconds.load.push(time(() => readModel(big)));
    const [free, , fresh] = seconds.words.map((all) => 1e6 * (all.at(-1) ?? 0));
    say(`round ${round + 1}: a free word ${free?.toFixed(2)} µs, a new one ${fresh?.toFixed(2)} µs`);
  }
  const [own, , fresh] = seconds.words as [number[], number[], number[]];
  const [byFoswig, byMarkov, newByFoswig, ownFew] = seconds.words.slice(samplers.length) as number[][] as [
    number[],
    number[],
    number[],
    number[],
  ];
  return {
    rounds,
    order: ORDER,
    names: names.length,
    novel_mass: known.novelMass,
    training_names_per_second: {
      none: rates(seconds.none, names.length),
      fingerprints: rates(seconds.fingerprints, names.length),
    },
    training_prose: {
      char: { mb_per_second: rates(seconds.char, bytesOfProse / 1e6), bytes: bytesOfProse },
      word: { mb_per_second: rates(seconds.word, bytesOfProse / 1e6), bytes: bytesOfProse },
    },
    bytes_per_transition: {
      names: transitionBytes(trainNames(names, 'none')),
      prose: proseModel.byteLength / proseModel.ngramCount,
    },
    load: { bytes: big.length, ms: spreadOf(seconds.load.map((one) => one * 1000)) },
    sampling: plans.map(({ name }, i) => ({
      name,
      plan_ms: spreadOf((seconds.plans[i] as number[]).map((one) => one * 1000)),
      words_per_second: rates(seconds.words[i] as number[], 1),
    })),
    peers: [
      {
        name: 'foswig',
        names: names.length,
        training_names_per_second: rates(seconds.foswig, names.length),
        words_per_second: rates(byFoswig, 1),
        sampling_ratio: ratios(byFoswig, own),
        training_ratio: ratios(seconds.foswig, seconds.fingerprints),
        new_words_per_second: rates(newByFoswig, 1),
        new_words_ratio: ratios(newByFoswig, fresh),
      },
      {
        name: 'markov-strings',
        names: few.length,
        training_names_per_second: rates(seconds.markov, few.length),
        words_per_second: rates(byMarkov, 1),
        sampling_ratio: ratios(byMarkov, ownFew),
        training_ratio: ratios(seconds.markov, seconds.few),
      },
    ],
  };
}

function trainNames(names: readonly string[], originals: 'none' | 'fingerprints' | 'values'): Uint8Array {
  const trainer = new NgramTrainer({ order: ORDER, name: 'names', locale: 'en_US', originals });
  for (const name of names) trainer.add(name);
  return trainer.finish();
}

function trainProse(texts: readonly string[], tokenType: 'char' | 'word', order = ORDER): Uint8Array {
  const trainer = new NgramTrainer({ order, name: 'prose', locale: 'en_US', tokenType, originals: 'none' });
  for (const text of texts) {
    trainer.addText(text);
    trainer.endText();
  }
  return trainer.finish();
}

/** A model of about 10 MB: of words, from as much of the prose as that takes. */
function largeFile(texts: readonly string[]): Uint8Array {
  const whole = trainProse(texts, 'word', 3);
  const share = Math.min(1, 1e7 / whole.length);
  return trainProse(texts.slice(0, Math.ceil(texts.length * share)), 'word', 3);
}

function transitionBytes(file: Uint8Array): number {
  return file.length / readModel(file).ngramCount;
}

/** How many words take about `RUN_MS`; also warms up. */
function wordsOfRun(sample: (count: number) => void): number {
  let count = PROBE_WORDS;
  for (;;) {
    const took = time(() => sample(count));
    if (took > RUN_MS / 4000) return Math.ceil((count * RUN_MS) / (took * 1000));
    count *= 4;
  }
}

/** Seconds of CPU, the collector's threads counted: other programs on the machine show less than on a clock. */
function time(work: () => unknown): number {
  const startedAt = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1e6;
}

function rates(seconds: readonly number[], amount: number): Spread {
  return spreadOf(seconds.map((one) => amount / one));
}
