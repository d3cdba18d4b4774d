import type { StackInfo } from '../stack/stack-info.js';

export function printStack(info: StackInfo): void {
  console.log(`
The stack is up.
  API        ${info.base_url}
  token      ${info.api_token}
  ops page   ${info.ops_url}  (user ${info.ops_user}, password ${info.ops_password})
  databases  ${info.databases_url}/…
  logs       ${info.logs_dir}

Try:
  curl -sS ${info.base_url}/sync/jobs -H 'Authorization: Bearer ${info.api_token}'
  npm run stack -- psql postgres
  npm run stack -- down`);
}
