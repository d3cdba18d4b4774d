import { createServer } from 'node:net';

/**
 * Finds a free port of 127.0.0.1. Another process may take the port after the call.
 * @param preferred the port to return if no process listens on it
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await listenOnce(preferred).catch(() => undefined);
    if (port !== undefined) return port;
  }
  return listenOnce(0);
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('the listening socket has no port')),
      );
    });
  });
}
