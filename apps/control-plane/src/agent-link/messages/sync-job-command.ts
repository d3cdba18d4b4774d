import type * as job from '@understudy/sync-job';

export type SyncJobCommand = job.SyncJobCommand<CommandDatabase>;

export type CommandDatabase =
  | { readonly kind: 'agent'; readonly name: string }
  /** Sealed to the addressed agent's X25519 key; the control plane cannot open it. */
  | { readonly kind: 'sealed'; readonly encapsulatedKey: Uint8Array; readonly ciphertext: Uint8Array };

/** What the deletion of a private model asks of an agent, before it becomes protobuf. */
export interface ModelErasure {
  /** `ers_` + ULID */
  readonly id: string;
  /** Without `private/`. */
  readonly name: string;
  readonly requestedAt: Date;
}

/** What the end of a failed job asks of an agent, before it becomes protobuf. */
export interface TargetCleanup {
  readonly jobId: string;
  /** Above that of every attempt. */
  readonly epoch: number;
  readonly target: CommandDatabase;
}

/** A registered composition as it was when the job was accepted. */
export interface AcceptedComposition extends job.JobComposition {
  /** `name@version` */
  readonly id: string;
}
