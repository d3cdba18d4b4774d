import { formatFixed, formatRounded } from '../format.js';
import type { Summary } from '../summary.js';
import type { CanaryResult } from './canaries.js';
import type { PrivacyBenchResult } from './privacy-bench.js';

/** Describes the result as tables for a terminal. docs/guides/model-privacy.md contains these results. */
export function describePrivacy(result: PrivacyBenchResult): string {
  const { by_min_values: runs, by_size: sizes } = result;
  const columns = runs.map((run) => `min_values ${run.min_values}`);
  return [
    `${result.values} of the ${result.data}, order ${result.order}, ${result.rounds} rounds: median (lowest–highest)`,
    table(
      ['', ...columns],
      [
        ['transitions kept', ...runs.map((run) => whole(run.transitions))],
        ['new words when originals may be generated', ...runs.map((run) => percent(run.novel_mass))],
        ...(['likelihood', 'calibrated', 'absence'] as const).flatMap((name) => [
          [`AUC, ${name}`, ...runs.map((run) => formatFixed(run.membership[name].auc, 3))],
          [`found at 1 %, ${name}`, ...runs.map((run) => percent(run.membership[name].found_at_1_percent))],
        ]),
        [
          'generated words one letter from a member',
          ...runs.map((run) => percent(run.near_duplicates.of_members)),
        ],
        [
          'generated words one letter from an outsider',
          ...runs.map((run) => percent(run.near_duplicates.of_outsiders)),
        ],
      ],
    ),
    `canaries: exposure of ${result.secret_bits.toFixed(1)} bits · share that can be generated · share found in ${result.values_drawn} generated values`,
    table(
      ['planted in', ...columns],
      (runs[0]?.canaries ?? []).map(({ planted_in, times }, i) => [
        plantingOf(planted_in, times),
        ...runs.map(({ canaries }) => {
          const canary = canaries[i];
          return canary === undefined
            ? ''
            : `${canary.exposure_bits.median.toFixed(1)} · ${share(canary.possible)} · ${share(canary.came_out)}`;
        }),
      ]),
    ),
    'smaller columns at min_values 5: new words, AUC by likelihood and by absence',
    table(
      ['distinct values', ...new Set(sizes.map(({ order }) => `order ${order}`))],
      [...new Set(sizes.map(({ values }) => values))].map((values) => [
        String(values),
        ...sizes
          .filter((run) => run.values === values)
          .map(({ novel_mass, likelihood, absence }) =>
            novel_mass === null || likelihood === null || absence === null
              ? 'refused'
              : `${percent(novel_mass)}, ${likelihood.median.toFixed(2)}, ${absence.median.toFixed(2)}`,
          ),
      ]),
    ),
  ].join('\n\n');
}

function plantingOf(planted_in: CanaryResult['planted_in'], times: number): string {
  const words = { none: 'nothing', rows: 'rows', values: 'values', alike: 'similar values' }[planted_in];
  if (planted_in === 'none') return words;
  return `${times} ${times === 1 ? words.slice(0, -1) : words}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return lines
    .map((line) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function percent({ median }: Summary): string {
  return `${(median * 100).toFixed(1)} %`;
}

function share(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function whole({ median }: Summary): string {
  return formatRounded(median);
}
