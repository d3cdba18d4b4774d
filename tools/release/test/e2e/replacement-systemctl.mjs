#!/usr/bin/env node
// Replaces systemctl on a machine without systemd, such as a chroot. It runs the commands of a unit in
// /etc/systemd/system as the user of the unit, without capabilities and with an empty environment. It knows no other
// option of a unit. For other services, it calls their init scripts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const STOP_WITHIN_MS = 15_000;

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const now = process.argv.includes('--now');
const [verb, ...units] = words;

for (const unit of units.map((name) => name.replace(/\.service$/, ''))) {
  const file = [
    `/etc/systemd/system/${unit}.service`,
    `/etc/init.d/${unit}`,
    `/lib/systemd/system/${unit}.service`,
  ].find((path) => existsSync(path));
  const starts = verb === 'start' || verb === 'restart' || (verb === 'enable' && now);
  const stops = verb === 'stop' || verb === 'restart' || (verb === 'disable' && now);
  if (file === undefined) throw new Error(`there is no unit ${unit}`);
  if (file.startsWith('/etc/init.d/')) {
    const action = verb === 'enable' ? 'start' : verb === 'disable' ? 'stop' : verb;
    const { status } = spawnSync('service', [unit, action], { stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
    continue;
  }
  if (stops) await stop(unit);
  if (starts) start(unit, readFileSync(file, 'utf8'));
}

function start(unit, text) {
  const values = (name) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value.trim());
  const user = values('User')[0] ?? 'root';
  const state = values('StateDirectory')[0];
  if (state !== undefined) {
    mkdirSync(`/var/lib/${state}`, { recursive: true, mode: 0o700 });
    spawnSync('chown', [`${user}:`, `/var/lib/${state}`], { stdio: 'inherit' });
  }
  const environment = values('Environment').map((pair) => pair.replace(/^"(.*)"$/, '$1'));
  const drop = ['--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  const asUser = (command) => [
    ...drop,
    ...['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...environment],
    ...['sh', '-c', `exec ${command.replace(/^[-@:+!]+/, '')}`],
  ];
  const log = openSync(`/var/log/${unit}.log`, 'a', 0o600);
  for (const command of values('ExecStartPre')) {
    const { status } = spawnSync('setpriv', asUser(command), { stdio: ['ignore', log, log] });
    if (status !== 0) {
      process.stderr.write(`${unit}: ExecStartPre failed, see /var/log/${unit}.log\n`);
      process.exit(1);
    }
  }
  const child = spawn('setpriv', asUser(values('ExecStart')[0]), {
    stdio: ['ignore', log, log],
    detached: true,
  });
  writeFileSync(`/run/${unit}.pid`, String(child.pid));
  child.unref();
}

async function stop(unit) {
  const pid = pidOf(unit);
  if (isRunning(pid)) process.kill(pid, 'SIGTERM');
  for (const until = Date.now() + STOP_WITHIN_MS; isRunning(pid) && Date.now() < until;)
    await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(`/run/${unit}.pid`, { force: true });
}

function pidOf(unit) {
  return existsSync(`/run/${unit}.pid`) ? Number(readFileSync(`/run/${unit}.pid`, 'utf8')) : undefined;
}

function isRunning(pid) {
  if (pid === undefined) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
