import type * as job from '@understudy/sync-job';

export type SyncJobCommand = job.SyncJobCommand<CommandDatabase> & {
  /** The grace period of the lease. A command that is sent again contains the same value. */
  readonly graceSeconds: number;
};

export type CommandDatabase = (
  | { readonly kind: 'agent'; readonly name: string }
  /** Sealed to the addressed agent's X25519 key; the control plane cannot open it. */
  | { readonly kind: 'sealed'; readonly encapsulatedKey: Uint8Array; readonly ciphertext: Uint8Array }
) & {
  /** The offer that the agent needs to open the database; absent if the work requires none. */
  readonly offer?: ExpectedOffer;
};

/** Fingerprints as in AgentOffer: of the policy for one database, and of the masking key. */
export interface ExpectedOffer {
  readonly policy: string;
  readonly maskingKey: string;
}

/** A command that makes an agent delete a private model. */
export interface ModelErasure {
  /** `ers_` + ULID */
  readonly id: string;
  /** The model's name without the prefix `private/`. */
  readonly name: string;
  readonly requestedAt: Date;
}

/** A command that makes an agent remove the staging schemas of a failed job from its target. */
export interface TargetCleanup {
  readonly jobId: string;
  /** Higher than the epoch of every attempt of the job. */
  readonly epoch: number;
  readonly target: CommandDatabase;
}

/** A registered composition, in the version that the control plane found when it accepted the job. */
export interface AcceptedComposition extends job.JobComposition {
  /** `name@version` */
  readonly id: string;
}
