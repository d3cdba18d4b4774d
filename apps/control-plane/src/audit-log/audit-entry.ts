import type { CallerRequest } from '../http/pipeline/caller-request.js';

/** Who changes something of an organisation, and when. */
export interface AuditedChange {
  readonly organizationId: string;
  readonly now: Date;
  readonly actor: AuditActor;
  /** Null for the command line and the server itself. */
  readonly requestId: string | null;
}

/** What is written down. Names, roles and ids; never a secret, a connection string, a definition or a person's address. */
export interface AuditEntry extends AuditedChange {
  /** Its part before the dot is the type of the target. */
  readonly action: AuditAction;
  readonly targetId: string;
  /** Of the member that this is about. It is kept apart from the entry, where it can be erased. */
  readonly email?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

export type AuditActor =
  | { readonly type: 'token'; readonly id: string; readonly memberId: string | null }
  | { readonly type: 'member' | 'agent'; readonly id: string }
  | { readonly type: 'command_line' | 'server' };

export const AUDIT_ACTIONS = [
  'organization.created',
  'organization.plan_changed',
  'token.created',
  'token.rotated',
  'token.revoked',
  'member.invited',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.forgotten',
  'enrolment_token.created',
  'enrolment_token.revoked',
  'agent.enrolled',
  'agent.revoked',
  'sync_job.created',
  'model.uploaded',
  'model.deleted',
  'generator.registered',
  'generator.deleted',
  'mock_endpoint.created',
  'mock_endpoint.deleted',
  'sync_job.cancelled',
  'sync_job.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.disabled',
  'webhook.deleted',
  'snapshot.created',
  'snapshot.restored',
  'snapshot.deleted',
] as const satisfies readonly `${AuditTarget}.${string}`[];
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = [
  'organization',
  'token',
  'member',
  'enrolment_token',
  'agent',
  'sync_job',
  'model',
  'generator',
  'mock_endpoint',
  'webhook',
  'snapshot',
] as const;
type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** A change that the caller's request makes. */
export function requestedChange({ id: requestId, caller }: CallerRequest, now: Date): AuditedChange {
  const { organizationId, tokenId: id, memberId } = caller;
  return { organizationId, now, actor: { type: 'token', id, memberId }, requestId };
}

export const COMMAND_LINE: AuditActor = { type: 'command_line' };
/** What happens without anybody asking. */
export const SERVER: AuditActor = { type: 'server' };
