#!/usr/bin/env node
// This file is committed and executable, because npm links commands on installation, before the build. It uses only
// old JavaScript, so that an old Node.js runs it and prints what it needs. Packages that the programs use load ES
// modules with require(), which Node.js supports from 20.19 and 22.12 on.
// The reader of the output may close it early, as in "… --help | head". The program then runs to its end.
// Other errors end it, unless it listens itself.
[process.stdout, process.stderr].forEach(function (stream) {
  stream.on('error', function (error) {
    if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
  });
});

var version = process.versions.node.split('.').map(Number);
var first = { 20: 19, 21: Infinity, 22: 12 }[version[0]] || 0;
if (version[0] < 20 || version[1] < first) {
  process.stderr.write(
    'understudy-control-plane: expected Node.js 20.19, 22.12 or newer, found ' +
      process.versions.node +
      '; install a newer Node.js\n',
  );
  process.exitCode = 1;
} else {
  import('../dist/bundle/cli.js').catch(function (error) {
    if (!/^Cannot find module '[^']*dist[/\\]bundle[/\\]cli\.js'/.test(error.message)) throw error;
    process.stderr.write('understudy-control-plane: the command is not built; run "npm run build" first\n');
    process.exitCode = 1;
  });
}
