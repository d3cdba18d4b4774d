/** Everything that is needed to use the system. Contains secrets. */
export interface SystemInfo {
  /** URL that ends in /v1. */
  readonly base_url: string;
  readonly mock_url: string;
  readonly ops_url: string;
  readonly ops_user: string;
  readonly ops_password: string;
  readonly api_token: string;
  readonly org_id: string;
  readonly control_db_url: string;
  /**
   * URL of the server for source and target databases, without a database name. Its role is not a superuser,
   * and owns the databases that it creates.
   */
  readonly databases_url: string;
  /** The same with a superuser, for roles and for extensions that only a superuser may create. */
  readonly databases_admin_url: string;
  readonly redis_url: string;
  readonly nats_url: string;
  readonly data_dir: string;
  readonly logs_dir: string;
  /**
   * Process ids. null for an external service, because the system did not start
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
