import { isRunning } from '../processes/process-identity.js';
import { probeNats, probePostgres, probeRedis } from '../services/probes.js';
import { probeAgent, probeControlPlane } from './probe-programs.js';
import { stackFolder, type StackOptions } from './stack-options.js';
import { readState, type ProcessName, type StackState } from './stack-state.js';

export interface ServiceStatus {
  readonly name: ProcessName;
  /** `external` for a service whose URL is in an environment variable. */
  readonly state: 'healthy' | 'unhealthy' | 'stopped' | 'external';
  readonly pid: number | null;
  /** URL without a password. */
  readonly url: string | null;
}

const NAMES: readonly ProcessName[] = ['postgres', 'redis', 'nats', 'control-plane', 'agent'];

/** Probes every part of the stack. @returns undefined if no stack was ever started in this folder */
export async function stackStatus(options: StackOptions = {}): Promise<ServiceStatus[] | undefined> {
  const state = readState(stackFolder(options));
  return state && Promise.all(NAMES.map((name) => statusOf(state, name)));
}

async function statusOf(state: StackState, name: ProcessName): Promise<ServiceStatus> {
  const known = state.processes[name];
  if (!known || !isRunning(known)) {
    const isStopped = known !== undefined || state.processes['control-plane'] === undefined;
    return { name, state: isStopped ? 'stopped' : 'external', pid: null, url: null };
  }
  const url = known.url ?? '';
  const healthy = await probe(state, name, url).then(
    () => true,
    () => false,
  );
  return { name, state: healthy ? 'healthy' : 'unhealthy', pid: known.pid, url: withoutPassword(url) };
}

function probe(state: StackState, name: ProcessName, url: string): Promise<void> {
  switch (name) {
    case 'postgres':
      return probePostgres(`${url}/postgres`);
    case 'redis':
      return probeRedis(url);
    case 'nats':
      return probeNats(url);
    case 'control-plane':
      return probeControlPlane(url);
    case 'agent':
      return probeAgent(`${url}/v1`, state.organization?.apiToken ?? '');
  }
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href.replace(/\/$/, '');
}
