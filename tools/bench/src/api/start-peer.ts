import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Peer {
  readonly url: string;
  stop(): void;
}

/** @param page what both of its routes answer with */
export async function startPeer(page: unknown, databaseUrl: string): Promise<Peer> {
  const child = fork(join(import.meta.dirname, 'peer-server.js'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.send({ page, databaseUrl });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the peer server ended before it listened'))),
  ])) as [{ url: string }];
  return { url: message.url, stop: () => void child.disconnect() };
}
