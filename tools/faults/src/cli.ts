#!/usr/bin/env node
import { RandomStream, rootKey } from '@understudy/random';
import { interruptible } from '@understudy/local-system';
import { Command, InvalidArgumentError } from 'commander';

import { TestSystem } from './system/test-system.js';
import { randomFault, FIXED_FAULTS, type PlannedFault } from './faults/all-faults.js';
import { runNetworkFaults } from './network/run-network-faults.js';
import { FIXED_CHANGES, nameOf, type PlannedChange, TargetHistory } from './history/run-history.js';
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

const FIXED_ROUNDS = [...FIXED_FAULTS, ...FIXED_CHANGES];
const CHANGES_IN_A_ROW = 8;

await new Command('faults')
  .description(
    'Injects faults into a running system while it copies a database, replaces it, reverts it or drops a kept one. After each fault it checks that the target is either unchanged or complete, that the work has ended once, and that nothing is left behind.',
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
    const rounds: Round[] = [];
    const isChosen = (name: string) => only === undefined || name.includes(only);
    let references: Awaited<ReturnType<typeof referenceRounds>> | undefined;
    let history: TargetHistory | undefined;
    for (const planned of minutes === undefined ? FIXED_ROUNDS : randomRounds(seed, minutes)) {
      if (signal.aborted) break;
      let round: Round;
      if ('fault' in planned && 'share' in planned) {
        const { fault, replaced, share } = planned;
        if (!isChosen(`${replaced}: ${fault.name}`)) continue;
        if (fault.needsSmallDisk === true && !system.hasSmallDisks) {
          log(`skipped ${fault.name}: this process may not mount a small disk`);
          continue;
        }
        history?.forget();
        references ??= await referenceRounds(system, log);
        const reference = references[replaced];
        round = await runRound(system, fault, share * reference.durationMs, reference);
      } else {
        if ('change' in planned && !isChosen(`history: ${nameOf(planned)}`)) continue;
        history ??= await TargetHistory.open(system);
        const change = 'change' in planned ? planned : history.choose(planned.random);
        round = await history.run(change);
      }
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

/** A round whose change depends on the earlier ones. */
interface NextChange {
  readonly random: RandomStream;
}

/** Yields random faults of single jobs, and, as often, a row of changes of one target. */
function* randomRounds(seed: number, minutes: number): Iterable<PlannedFault | PlannedChange | NextChange> {
  const random = new RandomStream().seek(rootKey('faults', seed), 0);
  const until = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() >= until;
  while (!isOver()) {
    yield randomFault(random);
    for (let count = 0; count < CHANGES_IN_A_ROW && !isOver(); count += 1) yield { random };
  }
}

function describe({
  fault,
  replaced,
  moment_ms: moment,
  status,
  error,
  attempts,
  seconds,
  cost,
  wrong,
  job_id: id,
}: Round): string {
  const end = `${status}${error === null ? '' : ` (${error})`} in attempt ${attempts}, ${seconds.toFixed(1)} s${cost === undefined ? '' : `, ${cost}`}`;
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
