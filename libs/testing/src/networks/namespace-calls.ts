import type { RelaySettings } from './tcp-relay.js';

/** A request of a test to the program in a namespace. */
export type ProgramCall =
  | { readonly call: 'services'; readonly which: { readonly postgres?: boolean; readonly redis?: boolean } }
  | {
      /** Starts a relay, or changes the settings of the relay on this port. */
      readonly call: 'relay';
      readonly port: number;
      readonly target: { readonly host: string; readonly port: number };
      readonly settings: RelaySettings;
    }
  | { readonly call: 'proxy'; readonly port: number; readonly idleMs?: number };

export type ProgramRequest = ProgramCall & { readonly id: number };

/** Addresses as the programs in the namespace see them. */
export interface ServiceAddresses {
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly postgresBinFolder: string;
}

export interface ProgramResponse {
  /** The id of the request; 0 when the program is ready. */
  readonly id: number;
  readonly services?: ServiceAddresses;
  readonly error?: string;
}
