import { spawn } from 'node:child_process';

/**
 * Kills processes and removes folders when the calling process ends in any way, including SIGKILL. A shell
 * waits for the end of a pipe that only the calling process keeps open, and then does the cleanup.
 * @returns a function that cancels the cleanup
 */
export function cleanUpOnExit(pids: readonly number[], folders: readonly string[]): () => void {
  const script = `trap '' INT TERM HUP; read -r word; [ "$word" = off ] && exit
for pid in ${pids.join(' ')}; do kill -9 -"$pid" "$pid" 2>/dev/null; done
rm -rf "$@"`;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', ...folders], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  guard.on('error', () => undefined); // without the guard, processes and folders are left only if the tests crash
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => guard.stdin.end('off\n');
}
