import { CodeBlock, ConfirmDialog, Dialog, ErrorNotice, Notice, SecretOnce, toast } from '@understudy/ui';
import type { Token } from '@understudy/client';

import { BASE_PATH } from '../api/client.js';
import { problemOf } from '../api/problem.js';
import { useSession } from '../session/use-session.js';
import { KeyForm } from './key-form.js';
import { useKeyChanges } from './queries.js';
import { TEXTS } from './texts.js';

/** A key whose text the server shows only once. The text is absent if the response was lost and repeated. */
export interface ShownKey {
  readonly name: string;
  readonly token?: string | undefined;
}

/** The dialog that creates a key. `onCreated` gets its text. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: ShownKey) => void;
}) {
  const { create } = useKeyChanges();
  const problem = create.error === null ? undefined : problemOf(create.error);
  return (
    <Dialog open onOpenChange={onClose} title={TEXTS.form.title} dismissible={false}>
      {problem && problem.status !== 422 && <ErrorNotice problem={{ ...problem, details: [] }} />}
      <KeyForm
        pending={create.isPending}
        error={create.error}
        onCancel={onClose}
        onSubmit={(body) => create.mutate(body, { onSuccess: (key) => onCreated(key) })}
      />
    </Dialog>
  );
}

/** The dialog that shows the text of a key once, with a first call to try it. */
export function KeyShownOnce({ shown, onClose }: { readonly shown: ShownKey; readonly onClose: () => void }) {
  const { title, label, warning, try: heading, language, lost } = TEXTS.secret;
  const { name, token } = shown;
  return (
    <Dialog open onOpenChange={onClose} title={title(name)} dismissible={false}>
      {token === undefined ? (
        <Notice tone="warning" text={lost} />
      ) : (
        <>
          <SecretOnce label={label} value={token} warning={warning} onStored={onClose} />
          <div className="flex min-w-0 flex-col gap-2">
            <h3 className="text-sm font-medium">{heading}</h3>
            <CodeBlock
              language={language}
              code={`export UNDERSTUDY_API_TOKEN='${token}'\ncurl -H "Authorization: Bearer $UNDERSTUDY_API_TOKEN" \\\n  ${window.location.origin}${BASE_PATH}/v1/models`}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}

interface KeyDialogProps {
  readonly token: Token;
  readonly onClose: () => void;
}

export function RotateKeyDialog({
  token,
  onClose,
  onRotated,
}: KeyDialogProps & { readonly onRotated: (key: ShownKey) => void }) {
  const { rotate } = useKeyChanges();
  const { member } = useSession();
  const isOthers = token.member_id !== null && token.member_id !== member?.id;
  const { title, own, other, confirm, done } = TEXTS.rotation;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title(token.name)}
      consequence={isOthers ? other : own}
      confirmLabel={confirm}
      pending={rotate.isPending}
      error={rotate.error === null ? undefined : problemOf(rotate.error).text}
      onConfirm={() =>
        rotate.mutate(token, {
          onSuccess: ({ name, token: text }) => {
            if (!isOthers) return onRotated({ name, token: text });
            toast.success(done(name));
            onClose();
          },
        })
      }
    />
  );
}

export function RevokeKeyDialog({ token, onClose }: KeyDialogProps) {
  const { revoke } = useKeyChanges();
  const { title, consequence, confirm, done } = TEXTS.revocation;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title(token.name)}
      consequence={consequence}
      confirmLabel={confirm}
      pending={revoke.isPending}
      error={revoke.error === null ? undefined : problemOf(revoke.error).text}
      onConfirm={() =>
        revoke.mutate(token, {
          onSuccess: () => {
            toast.success(done(token.name));
            onClose();
          },
        })
      }
    />
  );
}
