#!/usr/bin/env node
import { RandomStream, rootKey } from '@understudy/random';
import { interruptible } from '@understudy/local-system';
import { Command, InvalidArgumentError } from 'commander';

import { TestSystem } from './system/test-system.js';
import { randomFault, FIXED_FAULTS, type PlannedFault } from './faults/all-faults.js';
import { runNetworkFaults } from './network/run-network-faults.js';
import { referenceRounds, runRound, type Round } from './run-round.js';

interface Options {
  readonly minutes?: number;
  readonly seed: number;
  readonly only?: string;
  readonly scale: number;
  readonly json?: boolean;
  readonly network?: boolean;
  readonly list?: boolean;
  readonly resume?: string;
}

await new Command('faults')
  .description(
    'Injects faults into a running system while it copies a database. After each fault it checks that the target is either unchanged or complete, that the job has ended once, and that nothing is left behind.',
  )
  .option(
    '--minutes <count>',
    'inject random faults for this many minutes; without this option, the fixed list runs once',
    whole,
  )
  .option('--seed <number>', 'seed of the random faults', whole, 1)
  .option(
    '--only <text>',
    'inject only faults whose name, such as "database: the job is cancelled", contains the text',
  )
  .option(
    '--scale <times>',
    'factor of the number of rows, 1 to 5; a longer job is hit more reliably by faults at a given time. With --network, the factor of all durations, 0.001 to 1',
    positive,
    1,
  )
  .option(
    '--network',
    'disturb the link between the control plane and an agent in two networks, instead of programs on one machine; needs root on Linux',
  )
  .option('--list', 'with --network: print the names of the rows')
  .option(
    '--resume <file>',
    'with --network: keep finished rows in this file, and skip the rows that it contains; an interrupted row starts again',
  )
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    `
Examples with --network:
  npm run faults -- --network --list
  npm run faults -- --network --resume rows.ndjson
  npm run faults -- --network --only '100 silent drops' --scale 0.1`,
  )
  .addHelpText(
    'after',
    `
Examples:
  npm run faults
  npm run faults -- --minutes 30 --seed 7 --scale 4
  npm run faults -- --only cancelled
Exit codes: 0 all checks passed, 1 a check failed, 130 interrupted.`,
  )
  .action((options: Options) =>
    interruptible((signal) => (options.network === true ? network(options, signal) : main(options, signal))),
  )
  .parseAsync();

async function network(options: Options, signal: AbortSignal): Promise<void> {
  if (options.scale > 1) throw new Error(`expected a --scale of at most 1, got ${options.scale}`);
  if ((await runNetworkFaults(options, log, signal)) > 0) process.exitCode = 1;
}

async function main(
  { minutes, seed, only, scale: times, json }: Options,
  signal: AbortSignal,
): Promise<void> {
  if (!Number.isInteger(times)) throw new Error(`expected a --scale of 1 to 5, got ${times}`);
  const system = await TestSystem.open(log, times);
  try {
    const references = await referenceRounds(system);
    for (const { replaced, rows, durationMs } of Object.values(references))
      log(
        `an undisturbed job that replaces ${replaced}: ${rows} rows in ${(durationMs / 1000).toFixed(1)} s`,
      );
    const rounds: Round[] = [];
    for (const { fault, replaced, share } of minutes === undefined
      ? FIXED_FAULTS
      : randomFaults(seed, minutes)) {
      if (signal.aborted) break;
      if (only !== undefined && !`${replaced}: ${fault.name}`.includes(only)) continue;
      const reference = references[replaced];
      if (fault.needsSmallDisk === true && !system.hasSmallDisks) {
        log(`skipped ${fault.name}: this process may not mount a small disk`);
        continue;
      }
      const round = await runRound(system, fault, share * reference.durationMs, reference);
      rounds.push(round);
      log(describe(round));
    }
    const wrong = rounds.filter((round) => round.wrong.length > 0).length;
    if (json) console.log(JSON.stringify({ seed, references, rounds, wrong }));
    else console.log(`${rounds.length} rounds, ${wrong} with problems`);
    if (wrong > 0) process.exitCode = 1;
  } finally {
    await system.close();
  }
}

function* randomFaults(seed: number, minutes: number): Iterable<PlannedFault> {
  const random = new RandomStream().seek(rootKey('faults', seed), 0);
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) yield randomFault(random);
}

function describe({
  fault,
  replaced,
  moment_ms: moment,
  status,
  error,
  attempts,
  seconds,
  wrong,
  job_id: id,
}: Round): string {
  const end = `${status}${error === null ? '' : ` (${error})`} in attempt ${attempts}, ${seconds.toFixed(1)} s`;
  const line = `${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${replaced}: ${fault} (${moment} ms): ${end}`;
  return wrong.length === 0 ? line : `${line}, ${id}\n${wrong.map((one) => `        ${one}`).join('\n')}`;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

function positive(text: string): number {
  const number = Number(text);
  if (!/^[\d.]{1,6}$/.test(text) || !(number >= 0.001 && number <= 5))
    throw new InvalidArgumentError('expected 0.001 to 5');
  return number;
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
