import { isRunning } from '../processes/process-identity.js';
import { probeNats, probePostgres, probeRedis } from '../services/probes.js';
import { probeAgent, probeControlPlane } from './probe-programs.js';
import { readState, type ProcessName, type SystemState } from './system-state.js';

export interface ServiceStatus {
  readonly name: ProcessName;
  /** `external` for a service that the system did not start. */
  readonly state: 'healthy' | 'unhealthy' | 'stopped' | 'external';
  readonly pid: number | null;
  /** URL without a password. */
  readonly url: string | null;
}

const NAMES: readonly ProcessName[] = ['postgres', 'redis', 'nats', 'control-plane', 'agent'];

/** Probes every part of the system. @returns undefined if no system was ever started in this folder */
export async function systemStatus(folder: string): Promise<ServiceStatus[] | undefined> {
  const state = readState(folder);
  return state && Promise.all(NAMES.map((name) => statusOf(state, name)));
}

/** @returns a process that the system started and that does not run any more */
export function endedProcess(folder: string): ProcessName | undefined {
  const processes: SystemState['processes'] = readState(folder)?.processes ?? {};
  return NAMES.find((name) => processes[name] !== undefined && !isRunning(processes[name]));
}

async function statusOf(state: SystemState, name: ProcessName): Promise<ServiceStatus> {
  const known = state.processes[name];
  if (!known || !isRunning(known)) {
    const isStopped = known !== undefined || state.processes['control-plane'] === undefined;
    return { name, state: isStopped ? 'stopped' : 'external', pid: null, url: null };
  }
  const { url } = known;
  if (url === undefined) return { name, state: 'unhealthy', pid: known.pid, url: null }; // its start was interrupted
  const healthy = await probe(state, name, url).then(
    () => true,
    () => false,
  );
  return { name, state: healthy ? 'healthy' : 'unhealthy', pid: known.pid, url: withoutPassword(url) };
}

function probe(state: SystemState, name: ProcessName, url: string): Promise<void> {
  switch (name) {
    case 'postgres':
      return probePostgres(`${url}/postgres`);
    case 'redis':
      return probeRedis(url);
    case 'nats':
      return probeNats(url);
    case 'control-plane':
      return probeControlPlane(url, state.organization?.apiToken ?? '');
    case 'agent':
      return probeAgent(`${url}/v1`, state.organization?.apiToken ?? '');
  }
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href.replace(/\/$/, '');
}
