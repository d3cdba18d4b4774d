import type { TLSSocket } from 'node:tls';

import type { ConnectionFault } from './network-fault.js';

/**
 * Adds the difference of the clocks to a fault that a wrong clock can cause. Asks the web server for its time.
 * Returns the fault unchanged if the server is no web server, or if the clocks differ by less than a minute.
 */
export async function clockHint(
  fault: ConnectionFault,
  socket: TLSSocket,
  { protocol, host }: { readonly protocol: string; readonly host: string },
): Promise<ConnectionFault> {
  if (!CAUSES.has(fault.cause) || !PROTOCOLS.has(protocol)) return fault;
  const aheadSeconds = (Date.now() - (await timeOf(socket, host))) / 1000;
  if (!(Math.abs(aheadSeconds) >= 60)) return fault;
  // Whole minutes, so that the text does not change with each probe.
  const seconds = 60 * Math.round(Math.abs(aheadSeconds) / 60);
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return {
    cause: fault.cause,
    message: `${fault.message}: it is about ${seconds} s ${side} the server's`,
  };
}

/** Returns the time in the header `Date` of a response, or NaN. */
function timeOf(socket: TLSSocket, host: string): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    const end = (): void => resolve(Date.parse(/^date: (.{1,40})\r$/im.exec(text)?.[1] ?? ''));
    setTimeout(end, TIMEOUT_MS).unref();
    socket.on('close', end).on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.includes('\r\n\r\n') || text.length > LONGEST_HEAD) end();
    });
    socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

const CAUSES = new Set(['expired', 'not_yet_valid']);
const PROTOCOLS = new Set(['https:', 'wss:']);
const TIMEOUT_MS = 3_000;
const LONGEST_HEAD = 16_384;
