import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Peer {
  readonly url: string;
  stop(): void;
}

/**
 * Starts a server as a child process.
 * @param file a program that starts to listen when it receives its first message, and then sends its URL
 * @param message the first message
 * @returns the server, with the other fields that the program sent
 */
export async function forkServer<Sent extends object = object>(
  file: string,
  message: object,
): Promise<Peer & Sent> {
  const child = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(message);
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the peer server exited before it listened'))),
  ])) as [{ url: string } & Sent];
  return { ...ready, stop: () => void child.disconnect() };
}
