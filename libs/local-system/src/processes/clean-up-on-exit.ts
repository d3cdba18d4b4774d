import { spawn } from 'node:child_process';

/**
 * Kills processes and removes folders when the calling process ends in any way, including SIGKILL. A shell
 * waits for the end of a pipe that only the calling process keeps open, and then does the cleanup. On Linux, it also
 * kills the processes whose working directory is one of the folders or in it.
 * @param commands lines of the shell that run before the rest; one that fails does not end the others
 * @returns a function that cancels the cleanup
 */
export function cleanUpOnExit(
  pids: readonly number[],
  folders: readonly string[],
  commands: readonly string[] = [],
): () => void {
  const working = `find /proc/[0-9]*/cwd -maxdepth 0 '(' -lname "$folder" -o -lname "$folder/*" ')' 2>/dev/null`;
  const script = [
    `trap '' INT TERM HUP; read -r word; [ "$word" = off ] && exit`,
    ...commands,
    `for pid in ${pids.join(' ')}; do kill -9 -"$pid" "$pid" 2>/dev/null; done`,
    `for folder; do ${working} | cut -d/ -f3 | xargs -r kill -9 2>/dev/null; done`,
    'rm -rf "$@"',
  ].join('\n');
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
