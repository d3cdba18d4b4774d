// Tests load this file before the command (NODE_OPTIONS=--import …). It sends the process a signal when the engine
// reaches a step for the n-th time.
import { subscribe } from 'node:diagnostics_channel';

const { SIGNAL_AT: step, SIGNAL_AFTER: after, SIGNAL_NAME: signal } = process.env;
let left = Number(after);

subscribe('understudy.sync.step', (reached) => {
  if (reached.step !== step) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, signal);
});
