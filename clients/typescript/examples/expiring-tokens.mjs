// Lists the API tokens that expire within 30 days.
//
// Set UNDERSTUDY_API_URL and UNDERSTUDY_API_TOKEN, then run: node expiring-tokens.mjs
import { PermissionDeniedError, Understudy } from '@understudy/client';

const DAYS = 30;
const client = new Understudy();
const end = Date.now() + DAYS * 86_400_000;

try {
  let found = 0;
  for await (const token of client.tokens.iterate({ per_page: 100 }))
    if (Date.parse(token.expires_at) < end) {
      found++;
      console.log(`${token.id}  ${token.expires_at}  ${token.name}`);
    }
  console.log(`${found} tokens expire within ${DAYS} days`);
} catch (error) {
  if (!(error instanceof PermissionDeniedError)) throw error;
  console.error('The token needs the scope tokens:read.');
  process.exitCode = 1;
}
