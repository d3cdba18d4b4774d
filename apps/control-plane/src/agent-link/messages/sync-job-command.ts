/** What a sync job asks of an agent, before it becomes protobuf. */
export interface SyncJobCommand {
  readonly jobId: string;
  readonly epoch: number;
  /** 0 … 2^53 − 1. */
  readonly seed: number;
  readonly referenceInstant: Date;
  readonly source: CommandDatabase;
  readonly target: CommandDatabase;
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly rule: unknown }[];
    readonly unlistedColumns?: UnlistedColumns;
    readonly subset?: { readonly where?: string; readonly limit?: number };
  }[];
  readonly unlistedColumns: UnlistedColumns;
  readonly acceptedAt: Date;
  /** Make every check and write nothing. */
  readonly dryRun: boolean;
  /** Uploaded models that the rules draw from. */
  readonly hostedModels: readonly HostedModel[];
  /** Registered compositions that the rules use, inner ones too. */
  readonly compositions: readonly JobComposition[];
}

/** A registered composition as it was when the job was accepted. */
export interface JobComposition {
  /** `name@version` */
  readonly id: string;
  /** As a definition names it: with the version, or without. */
  readonly use: string;
  readonly definitionJson: string;
  /** SHA-256 of that text, in hex. */
  readonly hash: string;
}

/** What an agent has to know of a file that it fetches. */
export interface HostedModel {
  /** `custom/<name>` */
  readonly id: string;
  /** SHA-256 of the file, in hex. */
  readonly hash: string;
  readonly byteLength: number;
}

export type CommandDatabase =
  | { readonly kind: 'agent'; readonly name: string }
  /** Sealed to the addressed agent's X25519 key; the control plane cannot open it. */
  | { readonly kind: 'sealed'; readonly encapsulatedKey: Uint8Array; readonly ciphertext: Uint8Array };

export type UnlistedColumns = 'preserve' | 'reject' | 'null';

/** What the deletion of a private model asks of an agent, before it becomes protobuf. */
export interface ModelErasure {
  /** `ers_` + ULID */
  readonly id: string;
  /** Without `private/`. */
  readonly name: string;
  readonly requestedAt: Date;
}

/** What the end of a failed job asks of an agent, before it becomes protobuf. */
export interface TargetClearance {
  readonly jobId: string;
  /** Above that of every attempt. */
  readonly epoch: number;
  readonly target: CommandDatabase;
}
