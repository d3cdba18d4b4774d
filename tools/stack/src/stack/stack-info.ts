/** Everything that is needed to use the stack, as `stack up --json` prints it. Contains secrets. */
export interface StackInfo {
  /** URL that ends in /v1. */
  readonly base_url: string;
  readonly mock_url: string;
  readonly ops_url: string;
  readonly ops_user: string;
  readonly ops_password: string;
  readonly api_token: string;
  readonly org_id: string;
  readonly control_db_url: string;
  /** URL of a superuser on the server for source and target databases, without a database name. */
  readonly databases_url: string;
  readonly redis_url: string;
  readonly nats_url: string;
  readonly data_dir: string;
  readonly logs_dir: string;
  /**
   * Process ids. null for a service whose URL is in an environment variable, because the stack did not start
   * it.
   */
  readonly pids: {
    readonly postgres: number | null;
    readonly redis: number | null;
    readonly nats: number | null;
    readonly control_plane: number | null;
    readonly agents: readonly number[];
  };
}

/** Prints how to use the stack. */
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
