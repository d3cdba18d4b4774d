import { createHash } from 'node:crypto';

import Fastify from 'fastify';
import { Pool } from 'pg';

// The peer, a process of its own: the same page as the control plane's, by the least that could give it. Started with the
// page as its message; answers with its port.

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
