'use strict';
// Loaded by `node --require` into the programs of a system. A program whose words match HOLD_PROGRAM writes the file
// HOLD_FILE, and waits until its parent has ended: before it runs, or at its end if HOLD_AT is "end". It waits only if
// the file does not exist yet.
const { existsSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const { HOLD_PROGRAM = '$.', HOLD_FILE = '', HOLD_AT } = process.env;
const parent = process.ppid;

function hold() {
  if (existsSync(HOLD_FILE)) return;
  writeFileSync(HOLD_FILE, '');
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (process.ppid === parent) Atomics.wait(sleeper, 0, 0, 20);
}

if (isMainThread && new RegExp(HOLD_PROGRAM).test(process.argv.slice(1).join(' '))) {
  if (HOLD_AT === 'end') process.on('exit', hold);
  else hold();
}
