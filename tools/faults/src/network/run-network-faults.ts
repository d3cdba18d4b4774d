import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { NetworkNamespace } from '@understudy/testing';

import { LINK_FAULTS } from './link-faults.js';
import type { NetworkFault } from './network-fault.js';
import { describeRound, roundsTable } from './network-report.js';
import { NetworkSystem } from './network-system.js';
import {
  networkReference,
  runNetworkRound,
  type NetworkReference,
  type NetworkRound,
} from './run-network-round.js';

export interface NetworkOptions {
  readonly only?: string;
  /** Factor of all durations. */
  readonly scale: number;
  readonly json?: boolean;
  readonly list?: boolean;
  /** File that keeps the finished rows. */
  readonly resume?: string;
}

/**
 * Runs the rows one after another, and prints a table.
 * @returns the number of rows with problems
 * @throws Error if this process cannot create network namespaces
 */
export async function runNetworkFaults(
  { only, scale, json, list, resume }: NetworkOptions,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const chosen = LINK_FAULTS.filter(({ name }) => only === undefined || name.includes(only));
  if (list === true) {
    for (const { name } of chosen) console.log(name);
    return 0;
  }
  if (chosen.length === 0) throw new Error(`expected a part of a row's name, got "${only ?? ''}"`);
  const impossible = NetworkNamespace.whyNotPossible();
  if (impossible !== undefined) throw new Error(`the networks cannot be created: ${impossible}`);
  const rounds = finished(resume).filter((round) => round.scale === scale && isOf(chosen, round));
  for (const round of rounds) log(`done before: ${describeRound(round)}`);
  const open = new Systems(log);
  try {
    for (const fault of chosen) {
      if (signal.aborted || rounds.some((round) => round.fault === fault.name)) continue;
      const { system, reference } = await open.for(fault);
      const round = await runNetworkRound(system, fault, scale, reference);
      rounds.push(round);
      log(describeRound(round));
      if (resume !== undefined) keep(resume, round);
    }
  } finally {
    await open.close();
  }
  const wrong = rounds.filter((round) => round.wrong.length > 0).length;
  if (json === true) console.log(JSON.stringify({ rounds, wrong }));
  else console.log(`${roundsTable(rounds)}\n\n${rounds.length} rows, ${wrong} with problems`);
  return wrong;
}

/** The networks that the rows share. A row behind a proxy has networks of its own. */
class Systems {
  private current:
    | {
        readonly idleSeconds: number | undefined;
        readonly system: NetworkSystem;
        readonly reference: NetworkReference;
      }
    | undefined;

  constructor(private readonly log: (line: string) => void) {}

  async for({ proxyIdleSeconds: idleSeconds }: NetworkFault) {
    if (this.current !== undefined && this.current.idleSeconds === idleSeconds) return this.current;
    await this.close();
    const system = await NetworkSystem.open(idleSeconds === undefined ? undefined : idleSeconds * 1_000);
    try {
      const reference = await networkReference(system);
      this.log(`an undisturbed job copied ${reference.rows} rows`);
      return (this.current = { idleSeconds, system, reference });
    } catch (error) {
      await system.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.current?.system.close();
    this.current = undefined;
  }
}

function isOf(faults: readonly NetworkFault[], round: NetworkRound): boolean {
  return faults.some(({ name }) => name === round.fault);
}

function finished(file: string | undefined): NetworkRound[] {
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as NetworkRound);
}

function keep(file: string, round: NetworkRound): void {
  writeFileSync(file, `${JSON.stringify(round)}\n`, { flag: 'a' });
}
