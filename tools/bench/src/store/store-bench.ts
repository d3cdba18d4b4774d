import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { FolderBackend, SnapshotStore } from '@understudy/snapshot-store';

import { log } from '../bench-environment.js';
import { ratios, summaryOf, type Summary } from '../summary.js';

export interface StoreBenchOptions {
  readonly rounds: number;
  readonly mebibytes: number;
}

const ACTS = ['write', 'verify', 'read'] as const;
type Act = (typeof ACTS)[number];

const PEERS: Readonly<Record<Act, string>> = {
  write: 'cat > file and sync',
  verify: 'sha256sum',
  read: 'cat > /dev/null',
};

/**
 * Compares a snapshot store with plain programs on one file of incompressible bytes. The store seals, hashes
 * and syncs the file.
 * @param folder an empty folder on the disk to measure
 */
export async function benchStore(folder: string, { rounds, mebibytes }: StoreBenchOptions) {
  const source = join(folder, 'source');
  const root = join(folder, 'store');
  mkdirSync(root);
  fill(source, mebibytes);
  const store = new SnapshotStore(new FolderBackend(root), { key: randomBytes(32) });
  const ours: Record<Act, () => Promise<unknown>> = {
    write: () => write(store, source),
    verify: () => store.verify('bench'),
    read: () => read(store),
  };
  const shell = (script: string) => () =>
    void execFileSync('/bin/sh', ['-c', script, 'sh', source, join(folder, 'copy')], { stdio: 'ignore' });
  const peers: Record<Act, () => void> = {
    write: shell('cat "$1" > "$2" && sync "$2"'),
    verify: shell('sha256sum "$1"'),
    read: shell('cat "$1" > /dev/null'),
  };
  const seconds = { store: emptyTimes(), cpu: emptyTimes(), peer: emptyTimes() };
  for (let round = 1; round <= rounds; round += 1) {
    log(`round ${round} of ${rounds}`);
    for (const act of ACTS) {
      seconds.peer[act].push(await secondsOf(peers[act]));
      const before = process.cpuUsage();
      seconds.store[act].push(await secondsOf(ours[act]));
      const { user, system } = process.cpuUsage(before);
      seconds.cpu[act].push((user + system) / 1e6);
    }
    await store.remove('bench');
    rmSync(join(folder, 'copy'));
  }
  const speed = (times: readonly number[]) =>
    summaryOf(times.map((time) => (mebibytes * 2 ** 20) / 1e6 / time));
  return {
    rounds,
    mebibytes,
    store: ofEach((act) => ({
      mb_per_second: speed(seconds.store[act]),
      cpu_seconds: summaryOf(seconds.cpu[act]),
    })),
    peer: ofEach((act) => ({ program: PEERS[act], mb_per_second: speed(seconds.peer[act]) })),
    /** Duration in the store divided by the duration of the peer, in each round. */
    ratio: ofEach((act) => ratios(seconds.store[act], seconds.peer[act])),
  };
}

export function describeStore(result: Awaited<ReturnType<typeof benchStore>>): string {
  const lines = ACTS.map((act) => {
    const { mb_per_second, cpu_seconds } = result.store[act];
    const { program, mb_per_second: peer } = result.peer[act];
    return `${act.padEnd(7)} ${whole(mb_per_second)} MB/s (${cpu_seconds.median.toFixed(2)} s of CPU) · ${program}: ${whole(peer)} MB/s · ${result.ratio[act].median.toFixed(2)} times as long`;
  });
  return [`${result.mebibytes} MiB, ${result.rounds} rounds`, ...lines].join('\n');
}

async function write(store: SnapshotStore, source: string): Promise<void> {
  const draft = await store.begin('bench');
  await draft.write('file', createReadStream(source, { highWaterMark: 256 * 1024 }));
  const [createdAt, expiresAt] = [new Date(0), new Date(0)];
  const nothing = { database: 'bench', serverVersion: '', tables: [], attributes: {} };
  await draft.finish({ createdAt, expiresAt, ...nothing });
}

async function read(store: SnapshotStore): Promise<void> {
  const content = (await store.open('bench')).read('file');
  for await (const part of content)
    if (part.length === 0) throw new Error('expected parts of at least one byte');
}

function fill(path: string, mebibytes: number): void {
  const file = openSync(path, 'wx');
  for (let at = 0; at < mebibytes; at += 1) writeSync(file, randomBytes(2 ** 20));
  closeSync(file);
}

async function secondsOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function emptyTimes(): Record<Act, number[]> {
  return { write: [], verify: [], read: [] };
}

function ofEach<T>(value: (act: Act) => T): Record<Act, T> {
  return { write: value('write'), verify: value('verify'), read: value('read') };
}

function whole({ median }: Summary): string {
  return median.toFixed(0).padStart(5);
}
