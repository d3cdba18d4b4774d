import { connect } from 'node:net';

/** Resolves when the server greets with an INFO line that offers JetStream. Needs no credentials. */
export function probeNats(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 4222), timeout: 5_000 });
    let greeting = '';
    const settle = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setEncoding('utf8');
    socket.once('error', settle);
    socket.once('timeout', () => settle(new Error('the NATS server did not answer')));
    socket.once('close', () => settle(new Error('the NATS server closed the connection')));
    socket.on('data', (chunk: string) => {
      greeting += chunk;
      if (greeting.includes('\r\n')) settle(problemIn(greeting));
    });
  });
}

function problemIn(greeting: string): Error | undefined {
  if (!greeting.startsWith('INFO ')) return new Error('this is no NATS server');
  return /"jetstream":\s*true/.test(greeting)
    ? undefined
    : new Error('JetStream is not enabled on the NATS server');
}
