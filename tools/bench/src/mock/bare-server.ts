import { randomInt, randomUUID } from 'node:crypto';

import Fastify from 'fastify';

// A peer server in its own process: a mock endpoint that a user might write by hand, with as little code as
// possible. It receives the names to choose from as its first message, and sends its URL.

const FROM = Date.UTC(2020, 0, 1);
const TO = Date.UTC(2025, 0, 1);

process.once('message', (message) => {
  const { firstNames, lastNames, records } = message as {
    firstNames: readonly string[];
    lastNames: readonly string[];
    records: number;
  };
  const pick = (names: readonly string[]) => names[Math.floor(Math.random() * names.length)] ?? '';
  const person = () => {
    const firstName = pick(firstNames);
    const lastName = pick(lastNames);
    return {
      id: randomUUID(),
      first_name: firstName,
      last_name: lastName,
      email: `${firstName.toLowerCase()}.${lastName.toLowerCase()}@example.com`,
      age: randomInt(18, 91),
      created_at: new Date(FROM + Math.floor(Math.random() * (TO - FROM))),
    };
  };
  const app = Fastify();
  app.get('/', () => Array.from({ length: records }, person));
  app.listen({ host: '127.0.0.1', port: 0 }).then(
    (url) => process.send?.({ url }),
    (error: unknown) => {
      throw error;
    },
  );
});
process.once('disconnect', () => process.exit(0));
