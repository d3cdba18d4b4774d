import { compileWord, NgramTrainer, readModel, type WordConstraints } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { log } from '../bench-environment.js';
import { ratios, type Summary, summaryOf } from '../summary.js';
import { addresses, firstNames } from './corpora.js';
import { foswig, markovStrings } from './peers.js';

export type NgramBenchResult = ReturnType<typeof benchNgram>;

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
export function benchNgram(rounds: number) {
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
  const peers = { foswig: foswig(ORDER, names), markov: markovStrings(ORDER, few) };
  log('trained the models');
  const random = new RandomStream();
  const key = rootKey('bench', 1);
  const plans = WAYS.map(([name, constraints]) => {
    const of = name.endsWith('known') ? known : model;
    return { name, compile: () => compileWord(of, constraints) };
  });
  const samplers = plans.map(({ compile }) => {
    const plan = compile();
    return repeated((i) => plan.sample(random.seek(key, i)));
  });
  const training = {
    none: once(() => trainNames(names, 'none')),
    fingerprints: once(() => trainNames(names, 'fingerprints')),
    foswig: once(() => foswig(ORDER, names)),
    markov: once(() => markovStrings(ORDER, few)),
    few: once(() => trainNames(few, 'fingerprints')),
  };
  const words = {
    foswig: repeated(peers.foswig.word),
    markov: repeated(peers.markov.word),
    newByFoswig: repeated(peers.foswig.newWord),
    few: repeated(() => fewPlan.sample(random)),
  };
  const compiling = plans.map(({ compile }) => once(compile));
  const texts = {
    char: once(() => trainProse(prose, 'char')),
    word: once(() => trainProse(prose, 'word')),
    load: once(() => readModel(big)),
  };
  const all = [training, samplers, words, compiling, texts].flatMap((some) => Object.values(some));
  const [own, , fresh] = samplers as [Measured, Measured, Measured];
  for (let round = 0; round < rounds; round += 1) {
    for (const measured of all) measured.seconds.push(time(measured.run) / measured.times);
    const last = ({ seconds }: Measured) => (1e6 * (seconds.at(-1) ?? 0)).toFixed(2);
    log(`round ${round + 1}: any word ${last(own)} µs, a new word ${last(fresh)} µs`);
  }
  return {
    rounds,
    order: ORDER,
    names: names.length,
    /** Share of new words among the words that a model of the names generates. */
    novel_mass: known.novelMass,
    /**
     * Results for a model that remembers `fingerprints` of its training values, and for one that remembers
     * `none`.
     */
    training_names_per_second: {
      none: rates(training.none, names.length),
      fingerprints: rates(training.fingerprints, names.length),
    },
    training_prose: {
      char: { mb_per_second: rates(texts.char, bytesOfProse / 1e6), bytes: bytesOfProse },
      word: { mb_per_second: rates(texts.word, bytesOfProse / 1e6), bytes: bytesOfProse },
    },
    bytes_per_transition: {
      names: transitionBytes(trainNames(names, 'none')),
      prose: proseModel.byteLength / proseModel.ngramCount,
    },
    load: { bytes: big.length, ms: milliseconds(texts.load) },
    /** One entry for each set of constraints under which names are sampled. All models have the order `order`. */
    sampling: plans.map(({ name }, i) => ({
      name,
      plan_ms: milliseconds(compiling[i] as Measured),
      words_per_second: rates(samplers[i] as Measured, 1),
    })),
    peers: [
      peerResult('foswig', names.length, {
        training: [training.fingerprints, training.foswig],
        words: [own, words.foswig],
        newWords: [fresh, words.newByFoswig],
      }),
      peerResult('markov-strings', few.length, {
        training: [training.few, training.markov],
        words: [words.few, words.markov],
      }),
    ],
  };
}

/** Our work and the same work of a peer. */
type Pair = readonly [ours: Measured, peers: Measured];

function peerResult(
  name: string,
  names: number,
  { training, words, newWords }: { training: Pair; words: Pair; newWords?: Pair },
) {
  return {
    name,
    /** Number of names on which both sides were trained. */
    names,
    training_names_per_second: rates(training[1], names),
    words_per_second: rates(words[1], 1),
    /** Our speed of generating words divided by the peer's, in each round. The words may be training values. */
    sampling_ratio: timesAsFast(words),
    /**
     * Our training speed divided by the peer's, in each round. Our training includes the fingerprints of the
     * training values.
     */
    training_ratio: timesAsFast(training),
    ...(newWords && {
      /** Speed of generating words that are not training values. Absent if the peer cannot exclude them. */
      new_words_per_second: rates(newWords[1], 1),
      new_words_ratio: timesAsFast(newWords),
    }),
  };
}

/** Work that is measured once in each round. */
interface Measured {
  readonly run: () => void;
  /** The run does the work this number of times. */
  readonly times: number;
  /** The CPU time of the work once, in each round. */
  readonly seconds: number[];
}

function once(run: () => unknown): Measured {
  return { run: () => void run(), times: 1, seconds: [] };
}

/** @param word generates one word; `i` counts the words of a run */
function repeated(word: (i: number) => unknown): Measured {
  const sample = (count: number): void => {
    for (let i = 0; i < count; i += 1) word(i);
  };
  const times = wordsOfRun(sample);
  return { run: () => sample(times), times, seconds: [] };
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

function rates({ seconds }: Measured, amount: number): Summary {
  return summaryOf(seconds.map((one) => amount / one));
}

function milliseconds({ seconds }: Measured): Summary {
  return summaryOf(seconds.map((one) => one * 1000));
}

function timesAsFast([ours, peers]: Pair): Summary {
  return ratios(peers.seconds, ours.seconds);
}
