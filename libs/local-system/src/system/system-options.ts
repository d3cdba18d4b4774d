import type { NatsSeeds } from '@understudy/agent-protocol/nats-trust';
import type { ServiceBinaries, ServiceName } from '../binaries/service-binaries.js';
import type { Programs } from './programs.js';

/** A complete system of private processes on 127.0.0.1, with its data in one folder. */
export interface SystemOptions {
  /** Absolute path of the folder. It contains passwords. */
  readonly folder: string;
  readonly programs: Programs;
  /** Finds the programs of services. @throws LocalSystemError if one is missing */
  readonly findServices: (names: readonly ServiceName[]) => ServiceBinaries | Promise<ServiceBinaries>;
  /** Services that run already. Default: none. */
  readonly external?: ExternalServices;
  /** The port of the API. The start fails if another process listens on it. */
  readonly port?: number;
  /** The port of the API at the first start, if it is free. Default: any free port. */
  readonly preferredPort?: number;
  /** Plan of the organisation. It applies only when the organisation is created. Default: business. */
  readonly plan?: string;
  /** Further settings of the control plane (`UNDERSTUDY_…`), in addition to those of the system. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further settings of the agent, in addition to those of the system. */
  readonly agentSettings?: Readonly<Record<string, string>>;
  /**
   * Creates databases before the agent starts. Receives the URL of the server, without a database name, and returns
   * the databases that jobs can name as `agent:NAME`. Default: none.
   */
  readonly offerDatabases?: (serverUrl: string) => Promise<OfferedDatabases>;
  /** Receives progress messages of one line each. Default: ignored. */
  readonly log?: (line: string) => void;
  /** Aborts the start, which then stops everything that it has started. */
  readonly signal?: AbortSignal;
}

/** Databases of an agent by their names, as in its policy. */
export type OfferedDatabases = Readonly<
  Record<string, { readonly url: string; readonly roles: readonly string[]; readonly build_url_env?: string }>
>;

/** Settings with which webhooks can reach receivers on this machine. */
export const LOCAL_WEBHOOKS = { UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1' };

/** Services that the system uses, but never starts or stops. */
export interface ExternalServices {
  /** `adminUrl` names no database. Its user may create roles and databases, or `controlDatabaseUrl` is given. */
  readonly postgres?: { readonly adminUrl: string; readonly controlDatabaseUrl?: string };
  readonly redisUrl?: string;
  readonly nats?: { readonly url: string; readonly seeds: NatsSeeds };
}
