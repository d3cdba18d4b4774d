import { Duplex } from 'node:stream';

import type { Server } from '@nats-io/nats-core/internal';

import { PINGS } from './connect-nats.js';
import { type StreamOptions, StreamTransport } from './stream-transport.js';

/** Opens a transport over a stream that never takes what is written, as a silently dropped connection does. */
async function overSilence(): Promise<StreamTransport> {
  const transport = new StreamTransport();
  const stream = new Duplex({ read: () => undefined, write: () => undefined });
  const head = Buffer.from('INFO {}\r\n');
  const options: StreamOptions = { openStream: async () => ({ stream, head, encrypted: true }) };
  await transport.connect({} as Server, options);
  return transport;
}

describe('a connection of the NATS client', () => {
  it('ends when the client gives it up, also if bytes wait to be sent', async () => {
    const transport = await overSilence();
    transport.send(Buffer.alloc(10_000_000));
    transport.disconnect();
    await expect(transport.closed()).resolves.toBeUndefined();
    expect(transport.isClosed).toBe(true);
  });

  it('delivers what the server sent before it ends', async () => {
    const transport = await overSilence();
    transport.disconnect();
    const chunks: Uint8Array[] = [];
    for await (const chunk of transport) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('INFO {}\r\n');
  });

  it('reports no loss if the client closes it', async () => {
    const transport = await overSilence();
    let isLost = false;
    void transport.closed().then(() => (isLost = true));
    await transport.close();
    await new Promise(setImmediate);
    expect([transport.isClosed, isLost]).toEqual([true, false]);
  });

  it('ends at most 15 s after the server has become silent', () => {
    expect(PINGS.pingInterval * (PINGS.maxPingOut + 1)).toBeLessThanOrEqual(15_000);
  });
});
