// Runs in a network namespace of a test: opens connections from several addresses to a server of the control plane.
// Arguments: the module of the server, the limits as JSON, the addresses as JSON, the number of connections.
import { once } from 'node:events';
import { connect } from 'node:net';

const [module, limits, addresses, count] = process.argv.slice(2);
const { createLimitedServer } = await import(module);
const { server: host, crowd, other, proxy } = JSON.parse(addresses);

const server = createLimitedServer(
  (_, response) => response.end('served'),
  () => false,
  () => ({ spendOfAddress: async () => ({ passes: true }) }), // half a request is unreadable when its connection ends
  { ...JSON.parse(limits), trustedProxies: [proxy] },
);
server.listen(0, host, 8_192);
await once(server, 'listening');
const { port } = server.address();

let received = 0;
let onReceived = () => undefined;
server.on('connection', () => {
  received += 1;
  onReceived();
});

/** Opens connections that send the beginning of a request. Resolves when the server has accepted or closed each. */
async function open(localAddress, number) {
  const wanted = received + number;
  const all = new Promise((resolve) => {
    onReceived = () => received === wanted && resolve();
  });
  const sockets = Array.from({ length: number }, () => {
    const socket = connect({ host, port, localAddress });
    socket.on('error', () => undefined); // the server closes connections above its limit
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    return socket;
  });
  await all;
  return sockets;
}

/** Sends a request on a connection of its own. Returns the first line of the response, or nothing. */
async function request(localAddress) {
  const socket = connect({ host, port, localAddress });
  socket.on('error', () => undefined);
  socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  await new Promise((resolve) => socket.on('close', resolve)); // `once` would reject after a reset
  return text.split('\r\n', 1)[0];
}

const openNow = () => new Promise((resolve) => server.getConnections((_, number) => resolve(number)));

const crowdSockets = await open(crowd, Number(count));
const result = { crowd: await openNow(), crowdServed: await request(crowd), other: await request(other) };
const proxySockets = await open(proxy, 2_000);
result.withProxy = await openNow();
for (const socket of [...crowdSockets, ...proxySockets]) socket.destroy();
while ((await openNow()) > 0) await new Promise(setImmediate);
result.crowdAfterwards = await request(crowd);
process.stdout.write(JSON.stringify(result));
process.exit();
