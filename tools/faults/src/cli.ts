#!/usr/bin/env node
import { RandomStream, rootKey } from '@understudy/random';
import { interruptible } from '@understudy/stack';
import { Command, InvalidArgumentError } from 'commander';

import { TestSystem } from './system/test-system.js';
import { randomFault, FIXED_FAULTS, type PlannedFault } from './faults/all-faults.js';
import { referenceRound, runRound, type Round } from './run-round.js';

interface Options {
  readonly minutes?: number;
  readonly seed: number;
  readonly only?: string;
  readonly scale: number;
  readonly json?: boolean;
}

await new Command('faults')
  .description(
    'Breaks a running system while it copies a database, and judges each time: the target is exactly old or exactly new, the job has one end, and nothing is left behind.',
  )
  .option(
    '--minutes <count>',
    'draw faults at random for so long; without it the fixed list runs once',
    whole,
  )
  .option('--seed <number>', 'of the draws', whole, 1)
  .option('--only <text>', 'only faults whose name holds the text')
  .option(
    '--scale <times>',
    'how many times the rows, 1 to 5: faults at a moment hit a longer job more surely',
    scale,
    1,
  )
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    `
Examples:
  npm run faults
  npm run faults -- --minutes 30 --seed 7 --scale 4
  npm run faults -- --only cancelled

Exit codes: 0 everything held, 1 something did not, 130 interrupted.`,
  )
  .action((options: Options) => interruptible((signal) => main(options, signal)))
  .parseAsync();

async function main(
  { minutes, seed, only, scale: times, json }: Options,
  signal: AbortSignal,
): Promise<void> {
  const system = await TestSystem.open(say, times);
  try {
    const reference = await referenceRound(system);
    say(`an undisturbed job: ${reference.rows} rows in ${(reference.durationMs / 1000).toFixed(1)} s`);
    const rounds: Round[] = [];
    for (const { fault, share } of minutes === undefined ? FIXED_FAULTS : drawn(seed, minutes)) {
      if (signal.aborted) break;
      if (only !== undefined && !fault.name.includes(only)) continue;
      if (fault.needsSmallDisk === true && !system.hasSmallDisks) {
        say(`skipped ${fault.name}: this process may not mount a small disk`);
        continue;
      }
      const round = await runRound(system, fault, share * reference.durationMs, reference);
      rounds.push(round);
      say(describe(round));
    }
    const wrong = rounds.filter((round) => round.wrong.length > 0).length;
    if (json) console.log(JSON.stringify({ seed, reference, rounds, wrong }));
    else console.log(`${rounds.length} rounds, ${wrong} with something wrong`);
    if (wrong > 0) process.exitCode = 1;
  } finally {
    await system.close();
  }
}

function* drawn(seed: number, minutes: number): Iterable<PlannedFault> {
  const random = new RandomStream().seek(rootKey('faults', seed), 0);
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) yield randomFault(random);
}

function describe({
  fault,
  moment_ms: moment,
  status,
  error,
  attempts,
  seconds,
  wrong,
  job_id: id,
}: Round): string {
  const end = `${status}${error === null ? '' : ` (${error})`} in attempt ${attempts}, ${seconds.toFixed(1)} s`;
  const line = `${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${fault} (${moment} ms): ${end}`;
  return wrong.length === 0 ? line : `${line}, ${id}\n${wrong.map((one) => `        ${one}`).join('\n')}`;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

function scale(text: string): number {
  if (!/^[1-5]$/.test(text)) throw new InvalidArgumentError('expected 1 to 5');
  return Number(text);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
