import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const AGENT = join(import.meta.dirname, '../../../agent');

/**
 * Runs what the lines run as root. It keeps the files in this folder, and starts the built agent in the place of a unit
 * of systemd, because no systemd runs in tests.
 */
const SUDO = `#!/bin/sh
case "$*" in
  'npm install --global ./understudy-agent-'*.tgz) ;;
  'understudy-agent service install --control-url '*)
    echo "$5" > control-url
    umask 077 && head -n 1 > enrolment-token ;;
  'cp policy.yaml /etc/understudy-agent/policy.yaml') cp policy.yaml installed-policy.yaml ;;
  'systemctl enable --now understudy-agent')
    export UNDERSTUDY_CONTROL_URL="$(cat control-url)" UNDERSTUDY_AGENT_STATE_DIR="$PWD/state" \
      UNDERSTUDY_AGENT_POLICY_FILE="$PWD/installed-policy.yaml" \
      UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE="$PWD/enrolment-token"
    exec node apps/agent/bin/understudy-agent.js start ;;
  *) exit 1 ;;
esac
`;

/** Lines that a page shows, run by a shell as a reader pastes them. The folder has the programs of this repository. */
export class ShellLines {
  private readonly folder = mkdtempSync(join(tmpdir(), 'understudy-lines-'));
  private shell: ChildProcess | undefined;

  constructor() {
    for (const name of ['apps', 'bin']) mkdirSync(join(this.folder, name));
    symlinkSync(AGENT, join(this.folder, 'apps/agent'));
    writeFileSync(join(this.folder, 'bin/sudo'), SUDO, { mode: 0o700 });
  }

  save(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text, { mode: 0o600 });
  }

  /**
   * Starts the lines. The last line can be a program that does not end.
   * @param input what the reader pastes when a line waits for it
   */
  run(lines: string, input: string): void {
    const { PATH, TZ } = process.env;
    this.shell = spawn('bash', ['-c', lines], {
      cwd: this.folder,
      env: { PATH: `${this.folder}/bin:${PATH ?? ''}`, TZ, HOME: this.folder },
      detached: true, // the shell and its programs are one group, which `stop` ends
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.shell.stdin?.end(`${input}\n`);
  }

  async stop(): Promise<void> {
    const { shell } = this;
    if (shell?.pid !== undefined && shell.exitCode === null && shell.signalCode === null) {
      const ended = once(shell, 'exit');
      process.kill(-shell.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
