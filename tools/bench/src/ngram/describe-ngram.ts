import { formatCounts, formatFixed } from '../format.js';
import type { NgramBenchResult } from './ngram-bench.js';

/** Describes the result as text for a terminal. */
export function describeNgram(result: NgramBenchResult): string {
  const { training_names_per_second: names, training_prose: prose, load, sampling, peers } = result;
  const line = (name: string, value: string) => `  ${name.padEnd(34)} ${value}`;
  return [
    `medians of ${result.rounds} rounds, measured in turn (minimum to maximum), one thread, ${result.names} names at order ${result.order}`,
    '',
    'training',
    line('names/s', formatCounts(names.none)),
    line('names/s, fingerprints recorded', formatCounts(names.fingerprints)),
    line('prose, letters, MB/s', formatFixed(prose.char.mb_per_second, 1)),
    line('prose, words, MB/s', formatFixed(prose.word.mb_per_second, 1)),
    ...peers.map((peer) =>
      line(
        `${peer.name}, names/s (of ${peer.names})`,
        `${formatCounts(peer.training_names_per_second)}, ours ${formatFixed(peer.training_ratio, 1)} ×`,
      ),
    ),
    '',
    'files',
    line(
      'bytes per transition',
      `${result.bytes_per_transition.names.toFixed(1)} (names), ${result.bytes_per_transition.prose.toFixed(1)} (prose)`,
    ),
    line(`loading ${(load.bytes / 1e6).toFixed(1)} MB, ms`, formatFixed(load.ms, 1)),
    '',
    `sampling, words/s (share of new words: ${result.novel_mass ?? 'unknown'})`,
    ...sampling.map((way) =>
      line(way.name, `${formatCounts(way.words_per_second)}; plan ${formatFixed(way.plan_ms, 1)} ms`),
    ),
    ...peers.flatMap((peer) => [
      line(
        `${peer.name} (of ${peer.names} names)`,
        `${formatCounts(peer.words_per_second)}, ours ${formatFixed(peer.sampling_ratio, 1)} ×`,
      ),
      ...(peer.new_words_per_second && peer.new_words_ratio
        ? [
            line(
              `${peer.name}, new words`,
              `${formatCounts(peer.new_words_per_second)}, ours ${formatFixed(peer.new_words_ratio, 1)} ×`,
            ),
          ]
        : []),
    ]),
  ].join('\n');
}
