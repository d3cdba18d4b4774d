// Preload module: the process kills itself with SIGKILL before its nth call that changes the file system.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env['KILL_AT_CALL']);

function counted(call) {
  return function (...args) {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return call.apply(this, args);
  };
}

const handle = await fs.open('/dev/null', 'r');
const ofHandles = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['write', 'datasync', 'sync']) ofHandles[name] = counted(ofHandles[name]);
for (const name of ['mkdir', 'link', 'rename', 'unlink', 'rm']) fs[name] = counted(fs[name]);
const { open } = fs;
const openNew = counted(open);
fs.open = (path, flags, ...rest) => (flags === 'r' ? open : openNew)(path, flags, ...rest);
syncBuiltinESMExports();
