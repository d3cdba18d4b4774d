import { formatRounded, type Spread } from '../spread.js';
import type { NgramBenchResult } from './ngram-bench.js';

/** The result as text for a terminal. */
export function describeNgram(result: NgramBenchResult): string {
  const { training_names_per_second: names, training_prose: prose, load, sampling, peers } = result;
  const line = (name: string, value: string) => `  ${name.padEnd(34)} ${value}`;
  return [
    `medians of ${result.rounds} rounds in turn (lowest to highest), one thread, ${result.names} names at order ${result.order}`,
    '',
    'training',
    line('names/s', count(names.none)),
    line('names/s, fingerprints recorded', count(names.fingerprints)),
    line('prose, letters, MB/s', fixed(prose.char.mb_per_second, 1)),
    line('prose, words, MB/s', fixed(prose.word.mb_per_second, 1)),
    ...peers.map((peer) =>
      line(
        `${peer.name}, names/s (of ${peer.names})`,
        `${count(peer.training_names_per_second)}, ours ${fixed(peer.training_ratio, 1)} ×`,
      ),
    ),
    '',
    'files',
    line(
      'bytes a transition',
      `${result.bytes_per_transition.names.toFixed(1)} (names), ${result.bytes_per_transition.prose.toFixed(1)} (prose)`,
    ),
    line(`loading ${(load.bytes / 1e6).toFixed(1)} MB, ms`, fixed(load.ms, 1)),
    '',
    `sampling, words/s (share of new words: ${result.novel_mass ?? 'unknown'})`,
    ...sampling.map((way) =>
      line(way.name, `${count(way.words_per_second)}; plan ${fixed(way.plan_ms, 1)} ms`),
    ),
    ...peers.flatMap((peer) => [
      line(
        `${peer.name} (of ${peer.names} names)`,
        `${count(peer.words_per_second)}, ours ${fixed(peer.sampling_ratio, 1)} ×`,
      ),
      ...(peer.new_words_per_second && peer.new_words_ratio
        ? [
            line(
              `${peer.name}, new words`,
              `${count(peer.new_words_per_second)}, ours ${fixed(peer.new_words_ratio, 1)} ×`,
            ),
          ]
        : []),
    ]),
  ].join('\n');
}

function count(spread: Spread): string {
  return shown(spread, formatRounded);
}

function fixed(spread: Spread, digits: number): string {
  return shown(spread, (value) => value.toFixed(digits));
}

function shown({ median, min, max }: Spread, text: (value: number) => string): string {
  return `${text(median)} (${text(min)}–${text(max)})`;
}
