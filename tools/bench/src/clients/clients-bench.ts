import { join } from 'node:path';

import { forkServer } from '../api/peer-process.js';
import { log } from '../bench-environment.js';
import { formatFixed, formatMebibytes, formatRounded } from '../format.js';
import { ratios, summaryOf } from '../summary.js';
import { clientPrograms } from './client-programs.js';
import { streamPlainly, streamWithClient, streamWithCurl, type StreamRun } from './stream-once.js';

export interface ClientsBenchOptions {
  readonly rounds: number;
  readonly records: number;
}

/**
 * Streams the same records in each client, with a plain program in its language, and with curl, which only
 * discards the bytes. Each round runs everything in turn, and each run is a new process.
 * @param folder an empty folder
 */
export async function benchClients(folder: string, { rounds, records }: ClientsBenchOptions) {
  const clients = clientPrograms(folder).map((programs) => ({
    programs,
    runs: [] as StreamRun[],
    plainRuns: [] as StreamRun[],
  }));
  const curl: StreamRun[] = [];
  log(`generating ${formatRounded(records)} records`);
  const file = join(import.meta.dirname, 'record-server.js');
  const server = await forkServer<{ bytes: number }>(file, { records });
  try {
    await streamWithCurl(server.url); // warms up the server
    for (let round = 1; round <= rounds; round++) {
      const measure = async (name: string, runs: StreamRun[], run: Promise<StreamRun>): Promise<void> => {
        runs.push(await run);
        log(`round ${round}: ${name} ${runs.at(-1)?.seconds.toFixed(2)} s`);
      };
      await measure('curl', curl, streamWithCurl(server.url));
      for (const { programs, runs, plainRuns } of clients) {
        const { name } = programs;
        await measure(name, runs, streamWithClient(programs, server.url, records));
        await measure(`plain ${name}`, plainRuns, streamPlainly(programs, server.url, records));
      }
    }
  } finally {
    server.stop();
  }
  return {
    rounds,
    records,
    /** The size of the body, without the framing of HTTP. */
    body_bytes: server.bytes,
    curl: readerResult(curl),
    clients: clients.map(({ programs: { name }, runs, plainRuns }) => ({
      name,
      ...readerResult(runs),
      records_per_second: summaryOf(secondsOf(runs).map((seconds) => records / seconds)),
      /** A program of a few lines in the same language, which parses each line and checks nothing. */
      plain: readerResult(plainRuns),
      /**
       * The CPU time of the client divided by the CPU time of the plain program, in each round. Other programs on the
       * machine hardly affect it. null if the system does not report it.
       */
      cpu_ratio_to_plain: hasCpu(runs) && hasCpu(plainRuns) ? ratios(cpuOf(runs), cpuOf(plainRuns)) : null,
      /** The time of the client divided by the time of curl, in each round. */
      ratio_to_curl: ratios(secondsOf(runs), secondsOf(curl)),
    })),
  };
}

export function describeClients(result: Awaited<ReturnType<typeof benchClients>>): string {
  const { rounds, records, body_bytes, curl, clients } = result;
  const row = (name: string, { seconds, cpu_seconds, peak_bytes }: typeof curl): string =>
    `${name.padEnd(19)} ${formatFixed(seconds, 2, ' s')}, CPU ${cpu_seconds?.median.toFixed(2) ?? 'unknown'} s, peak ${formatMebibytes(peak_bytes, 0)}`;
  return [
    `${formatRounded(records)} records, ${formatMebibytes(body_bytes, 0)}, ${rounds} rounds`,
    row('curl', curl),
    ...clients.flatMap((client) => [
      row(client.name, client),
      `  ${formatRounded(client.records_per_second.median)} records/s, ${formatFixed(client.ratio_to_curl, 1)} × the time of curl`,
      ...(client.cpu_ratio_to_plain
        ? [`  ${formatFixed(client.cpu_ratio_to_plain, 2)} × the CPU time of the plain program`]
        : []),
      row(`plain ${client.name}`, client.plain),
    ]),
  ].join('\n');
}

function readerResult(runs: readonly StreamRun[]) {
  const peaks = runs.flatMap(({ peakBytes }) => peakBytes ?? []);
  return {
    seconds: summaryOf(secondsOf(runs)),
    /** The CPU time of the process; null if the system does not report it. */
    cpu_seconds: hasCpu(runs) ? summaryOf(cpuOf(runs)) : null,
    /** The highest peak of all rounds; null if the system does not report it. */
    peak_bytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

function secondsOf(runs: readonly StreamRun[]): readonly number[] {
  return runs.map(({ seconds }) => seconds);
}

function hasCpu(runs: readonly StreamRun[]): boolean {
  return runs.every(({ cpuSeconds }) => cpuSeconds !== null);
}

function cpuOf(runs: readonly StreamRun[]): readonly number[] {
  return runs.map(({ cpuSeconds }) => cpuSeconds ?? 0);
}
