import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Peer {
  readonly url: string;
  stop(): void;
}

/**
 * @param file a program that listens when it gets its first message, and answers with its URL
 * @param message that first one
 */
export async function forkServer(file: string, message: object): Promise<Peer> {
  const child = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(message);
  const [answer] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the peer server ended before it listened'))),
  ])) as [{ url: string }];
  return { url: answer.url, stop: () => void child.disconnect() };
}

/** @param page what both of its routes answer with */
export function startPeer(page: unknown, databaseUrl: string): Promise<Peer> {
  return forkServer(join(import.meta.dirname, 'peer-server.js'), { page, databaseUrl });
}
