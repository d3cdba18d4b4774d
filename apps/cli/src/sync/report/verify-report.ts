import type { TargetCheck } from '@understudy/sync-engine';
import { coloursOf } from '../../terminal/colours.js';
import { JsonLines } from '../../terminal/json-lines.js';
import { count } from './check-words.js';
import { targetCheckWords } from './target-check-words.js';

/** For programs: one JSON object. */
export function tellChecksAsJson(checks: readonly TargetCheck[], names: readonly string[]): void {
  new JsonLines(process.stdout).event({
    event: 'verified',
    ok: checks.every(({ outcome }) => outcome !== 'fails'),
    checks: checks.map((check) => ({
      check: check.kind,
      table: names[check.tableIndex],
      outcome: check.outcome,
      ...factsOf(check),
      message: targetCheckWords(check),
    })),
  });
}

function factsOf(check: TargetCheck): object {
  if (check.kind === 'table') return {};
  if (check.kind === 'row_count') return { rows: { ...check.rows, copied: check.rows.copied ?? null } };
  if (check.kind !== 'masked_column') return { looked_at: check.lookedAt };
  const { column, pairs, equal, differs } = check;
  return { column, rows: pairs, equal, rule_differs: differs };
}

/** For somebody who reads. */
export function tellChecks(checks: readonly TargetCheck[], names: readonly string[]): void {
  const { green, red, yellow } = coloursOf(process.stdout);
  for (const [index, name] of names.entries()) {
    const own = checks.filter(({ tableIndex }) => tableIndex === index);
    const of = (outcome: TargetCheck['outcome']): readonly string[] =>
      own.filter((check) => check.outcome === outcome).map(targetCheckWords);
    print(`${name}: ${of('holds').join(', ') || 'nothing that holds'}`);
    for (const words of of('not_comparable')) print(`  ${yellow('not compared')}: ${words}`);
    for (const words of of('fails')) print(`  ${red('does not hold')}: ${words}`);
  }
  const holding = checks.filter(({ outcome }) => outcome === 'holds').length;
  const isFine = checks.every(({ outcome }) => outcome !== 'fails');
  print(isFine ? `${green('verified')}: ${count(holding, 'check')} made, all hold` : red('not verified'));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
