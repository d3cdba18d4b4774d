import { compileWord, NgramTrainer, readModel, type WordConstraints } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { log } from '../bench-environment.js';
import { ratios, type Summary, summaryOf } from '../summary.js';
import { addresses, firstNames } from './corpora.js';
import { foswig, markovStrings } from './peers.js';

export interface NgramBenchResult {
  readonly rounds: number;
  readonly order: number;
  readonly names: number;
  /** Share of new words among the words that a model of the names generates. */
  readonly novel_mass: number | null;
  /**
   * Results for a model that remembers `fingerprints` of its training values, and for one that remembers
   * `none`.
   */
  readonly training_names_per_second: Readonly<Record<'none' | 'fingerprints', Summary>>;
  readonly training_prose: Readonly<
    Record<'char' | 'word', { readonly mb_per_second: Summary; readonly bytes: number }>
  >;
  readonly bytes_per_transition: Readonly<Record<'names' | 'prose', number>>;
  readonly load: { readonly bytes: number; readonly ms: Summary };
  /**
   * One entry for each set of constraints under which names are sampled. All models have the order `order`.
   */
  readonly sampling: readonly {
    readonly name: string;
    readonly plan_ms: Summary;
    readonly words_per_second: Summary;
  }[];
  readonly peers: readonly {
    readonly name: string;
    /** Number of names on which both sides were trained. */
    readonly names: number;
    readonly training_names_per_second: Summary;
    readonly words_per_second: Summary;
    /**
     * Our speed of generating words divided by the peer's, in each round. The words may be training values.
     */
    readonly sampling_ratio: Summary;
    /**
     * Our training speed divided by the peer's, in each round. Our training includes the fingerprints of the
     * training values.
     */
    readonly training_ratio: Summary;
    /**
     * Speed of generating words that are not training values. Absent if the peer cannot exclude training
     * values.
     */
    readonly new_words_per_second?: Summary;
    readonly new_words_ratio?: Summary;
  }[];
}

const ORDER = 4;
const RUN_MS = 400;
const PROBE_WORDS = 16;
/**
 * Number of names for markov-strings. It is small because the package copies its corpus for each generated
 * word.
 */
const FEW_NAMES = 1_000;
const WAYS: readonly (readonly [string, WordConstraints])[] = [
  ['free', {}],
  ['starts_with + ends_with + length', { startsWith: 'Ma', endsWith: 'a', minLength: 4, maxLength: 8 }],
  ['exclude_originals', { excludeOriginals: true }],
  ['exclude_originals, values known', { excludeOriginals: true }],
];

/**
 * Measures training, loading and sampling of models and their peers in one thread, each once per round. Times
 * are CPU times.
 */
export function benchNgram(rounds: number): NgramBenchResult {
  const names = firstNames();
  const prose = addresses();
  const bytesOfProse = prose.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  log(`${names.length} names, ${(bytesOfProse / 1e6).toFixed(1)} MB of prose`);

  const model = readModel(trainNames(names, 'fingerprints'));
  const known = readModel(trainNames(names, 'values'));
  const big = largeFile(prose);
  const proseModel = readModel(trainProse(prose, 'char'));
  const few = names.filter((_, i) => i % Math.floor(names.length / FEW_NAMES) === 0);
  const fewPlan = compileWord(readModel(trainNames(few, 'fingerprints')), {});
  const peers = [foswig(ORDER, names), markovStrings(ORDER, few)] as const;
  log('trained the models');
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
    log(`round ${round + 1}: any word ${free?.toFixed(2)} µs, a new word ${fresh?.toFixed(2)} µs`);
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
    load: { bytes: big.length, ms: summaryOf(seconds.load.map((one) => one * 1000)) },
    sampling: plans.map(({ name }, i) => ({
      name,
      plan_ms: summaryOf((seconds.plans[i] as number[]).map((one) => one * 1000)),
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

/** Trains a word model on a share of the prose, so that the file of the model has about 10 MB. */
function largeFile(texts: readonly string[]): Uint8Array {
  const whole = trainProse(texts, 'word', 3);
  const share = Math.min(1, 1e7 / whole.length);
  return trainProse(texts.slice(0, Math.ceil(texts.length * share)), 'word', 3);
}

function transitionBytes(file: Uint8Array): number {
  return file.length / readModel(file).ngramCount;
}

/**
 * Determines the number of words that `sample` generates in about `RUN_MS`. These calls also warm up the
 * code.
 */
function wordsOfRun(sample: (count: number) => void): number {
  let count = PROBE_WORDS;
  for (;;) {
    const took = time(() => sample(count));
    if (took > RUN_MS / 4000) return Math.ceil((count * RUN_MS) / (took * 1000));
    count *= 4;
  }
}

/**
 * Measures the CPU time of `work` in seconds, including the threads of the garbage collector. Other programs
 * on the machine affect CPU time less than elapsed time.
 */
function time(work: () => unknown): number {
  const startedAt = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1e6;
}

function rates(seconds: readonly number[], amount: number): Summary {
  return summaryOf(seconds.map((one) => amount / one));
}
