import { once } from 'node:events';
import { createServer, type AddressInfo, connect } from 'node:net';

import { startRunningTimer } from './running-timer.js';

/** Blocks the event loop, as a suspension of the process does. */
function suspend(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a timer of the running time', () => {
  it('calls its function', async () => {
    await new Promise<void>((resolve) => startRunningTimer(15, resolve));
  });

  it('does not end a response that arrived while the process was suspended', async () => {
    const server = createServer((socket) => socket.end('response')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const end = jest.fn();
    const cancel = startRunningTimer(300, end);
    suspend(400);
    await once(socket, 'data');
    cancel();
    socket.destroy();
    server.close();
    expect(end).not.toHaveBeenCalled();
  });
});
