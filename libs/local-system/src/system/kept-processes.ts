import { join } from 'node:path';
import { LocalSystemError } from '../local-system-error.js';
import { isRunning } from '../processes/process-identity.js';
import type { ProcessSpec } from '../processes/start-process.js';
import { stopProcess } from '../processes/stop-process.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import type { RunningService, ServiceSettings } from '../services/running-service.js';
import type { SystemOptions } from './system-options.js';
import { writeState, type ProcessName, type SystemState } from './system-state.js';

/** A process that does not respond for this long is restarted. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** The processes of a system. It records each started process in the state, and does not start it again. */
export class KeptProcesses {
  constructor(
    readonly state: SystemState,
    private readonly options: Pick<SystemOptions, 'folder' | 'log' | 'signal'>,
  ) {}

  /**
   * Keeps a process that runs, responds and was started with the same settings. Otherwise starts or restarts
   * it.
   * @param startedWith a hash of the settings
   * @returns the URL of the process
   */
  async keep(
    name: ProcessName,
    probe: (url: string) => Promise<void>,
    start: () => Promise<RunningService>,
    startedWith?: string,
  ): Promise<string> {
    const known = this.state.processes[name];
    if (known?.url !== undefined && isRunning(known) && known.startedWith === startedWith) {
      const { url } = known;
      const responds = await waitUntilReady(() => probe(url), { timeoutMs: RESPONSE_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      if (responds) return url;
    }
    if (isRunning(known)) {
      this.log(`restarting ${name}`);
      await stopProcess(known, { signal: name === 'postgres' ? 'SIGINT' : 'SIGTERM' });
    }
    if (this.options.signal?.aborted)
      throw new LocalSystemError('service.not_ready', 'the start was interrupted');
    const startedAt = performance.now();
    const { process, port, url } = await start();
    this.state.processes[name] = { ...process, url, ...(startedWith && { startedWith }) };
    if (name === 'postgres' || name === 'redis' || name === 'nats') this.state.ports[name] = port;
    this.save();
    this.log(`${name} is up (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    return url;
  }

  serviceSettings(name: 'postgres' | 'redis' | 'nats'): ServiceSettings {
    const preferredPort = this.state.ports[name];
    return {
      dataFolder: join(this.options.folder, name),
      ...this.processSettings(name),
      ...(preferredPort !== undefined && { preferredPort }),
    };
  }

  /** Records the process before its program runs, so that the next command finds it, even if this one is killed. */
  processSettings(name: ProcessName): Pick<ProcessSpec, 'logFile' | 'signal' | 'onSpawn'> {
    const { folder, signal } = this.options;
    return {
      logFile: join(folder, 'logs', `${name}.log`),
      ...(signal && { signal }),
      onSpawn: (process) => {
        this.state.processes[name] = process;
        this.save();
      },
    };
  }

  pid(name: ProcessName): number | null {
    return this.state.processes[name]?.pid ?? null;
  }

  log(line: string): void {
    this.options.log?.(line);
  }

  save(): void {
    writeState(this.options.folder, this.state);
  }
}
