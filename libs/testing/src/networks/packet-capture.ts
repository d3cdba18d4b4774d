import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';

import type { NetworkNamespace } from './network-namespace.js';
import { readPackets, type Packet } from './packets.js';

/** Records every packet of one interface of a namespace in a file, with tcpdump. */
export class PacketCapture {
  private messages = '';

  private constructor(
    private readonly program: ChildProcess,
    private readonly stderr: Readable,
    private readonly file: string,
  ) {}

  /**
   * Resolves when the recording has begun.
   * @param filter expression of tcpdump; absent for all packets
   */
  static async start(
    namespace: NetworkNamespace,
    networkInterface: string,
    file: string,
    filter: readonly string[] = [],
  ): Promise<PacketCapture> {
    const tcpdump = [
      'tcpdump',
      '-i',
      networkInterface,
      '-s',
      '0',
      '-Z',
      'root',
      '--immediate-mode',
      '-U',
      '-w',
      file,
    ];
    const args = ['netns', 'exec', namespace.name, ...tcpdump, ...filter];
    const program = spawn('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const capture = new PacketCapture(program, program.stderr, file);
    program.stderr.setEncoding('utf8').on('data', (text: string) => (capture.messages += text));
    while (!capture.messages.includes('listening on')) {
      capture.expectRunning();
      await Promise.race([once(program.stderr, 'data'), once(program, 'exit')]);
    }
    return capture;
  }

  /** Ends the recording and returns the packets. */
  async stop(): Promise<Packet[]> {
    for (let before = -1, now = await this.captured(); before !== now;) {
      before = now;
      now = await this.captured();
    }
    const ended = once(this.program, 'exit');
    this.program.kill('SIGINT');
    await ended;
    return readPackets(readFileSync(this.file));
  }

  /** Returns how many packets tcpdump has written. It may not have read the last ones yet. */
  private async captured(): Promise<number> {
    this.expectRunning();
    const begin = this.messages.length;
    this.program.kill('SIGUSR1');
    for (;;) {
      const count = /(\d+) packets? captured/.exec(this.messages.slice(begin))?.[1];
      if (count !== undefined) return Number(count);
      await Promise.race([once(this.stderr, 'data'), once(this.program, 'exit')]);
      this.expectRunning();
    }
  }

  private expectRunning(): void {
    const { exitCode, signalCode } = this.program;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`tcpdump ended (${signalCode ?? exitCode}): ${this.messages}`);
  }
}
