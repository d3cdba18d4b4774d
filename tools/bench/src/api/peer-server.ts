import { createHash } from 'node:crypto';

import Fastify from 'fastify';
import { Pool } from 'pg';

// A peer server in its own process. It serves the same page as the control plane with as little code as
// possible. It receives the page as its first message, and sends its URL.

const FIND = `SELECT organization_id, role FROM api_tokens
  WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > now()`;

process.once('message', (message) => {
  const { page, databaseUrl } = message as { page: unknown; databaseUrl: string };
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  const app = Fastify();
  app.get('/bare', () => page);
  app.get('/pg', async (request, reply) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const { rows } = await pool.query(FIND, [createHash('sha256').update(token).digest()]);
    return rows.length === 1 ? page : reply.status(401).send();
  });
  app.listen({ host: '127.0.0.1', port: 0 }).then(
    (url) => process.send?.({ url }),
    (error: unknown) => {
      throw error;
    },
  );
});
process.once('disconnect', () => process.exit(0));
