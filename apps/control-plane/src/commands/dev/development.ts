/** A running system for evaluation, as `dev --json` prints it. */
export interface Development {
  readonly dashboard_url: string;
  /** Signs in once, within 10 minutes. */
  readonly sign_in_url: string;
  /** URL that ends in /v1. */
  readonly api_url: string;
  /** File with an API token of an owner. */
  readonly api_token_file: string;
  /** File with the URL of the PostgreSQL server, without a database name. Its role owns the databases that it creates. */
  readonly databases_url_file: string;
  /** File with the same URL for a superuser. */
  readonly databases_admin_url_file: string;
  readonly has_agent: boolean;
  /** With `--sample`: what jobs name as source and target. The databases are `shop` and `shop_staging` of the server. */
  readonly sample: { readonly source: string; readonly target: string } | null;
  readonly folder: string;
  readonly logs_folder: string;
  readonly pids: {
    readonly postgres: number | null;
    readonly redis: number | null;
    readonly nats: number | null;
    readonly control_plane: number | null;
    readonly agents: readonly number[];
  };
}

/** Returns the text for a person who has started a system. */
export function developmentText(development: Development): string {
  const { sample } = development;
  const agent = development.has_agent ? 'connected' : 'none; install understudy-agent, and start again';
  return `
Understudy runs on this machine, for evaluation only. It listens on 127.0.0.1 without TLS, and its folder
contains passwords.

  dashboard         ${development.sign_in_url}
  API               ${development.api_url}
  file with token   ${development.api_token_file}
  agent             ${agent}${sample === null ? '' : `\n  sample            ${sample.source} → ${sample.target}`}
  logs              ${development.logs_folder}

The link to the dashboard signs you in once, within 10 minutes. Databases for your tests can be on the
PostgreSQL server whose URL is in ${development.databases_url_file}.

Press Ctrl-C to stop everything. The same command starts it again with its data.`;
}
