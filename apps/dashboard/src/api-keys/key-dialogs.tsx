import { CodeBlock, Dialog, Notice, SecretOnce } from '@understudy/ui';
import type { Token } from '@understudy/client';

import { BASE_PATH, client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { useSession } from '../session/use-session.js';
import { API_KEYS } from './queries.js';
import { TEXTS } from './texts.js';

/** A key whose text the server shows only once. The text is absent if the response was lost and repeated. */
export interface ShownKey {
  readonly name: string;
  readonly token?: string | undefined;
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
  const { member } = useSession();
  const isOthers = token.member_id !== null && token.member_id !== member?.id;
  const { title, own, other, confirm, done } = TEXTS.rotation;
  return (
    <MutationDialog
      title={title(token.name)}
      text={isOthers ? other : own}
      confirmLabel={confirm}
      run={() => client.tokens.rotate(token.id)}
      queryKey={API_KEYS}
      done={isOthers ? done(token.name) : undefined}
      onClose={onClose}
      onDone={isOthers ? onClose : onRotated}
    />
  );
}

export function RevokeKeyDialog({ token, onClose }: KeyDialogProps) {
  return (
    <MutationDialog
      {...TEXTS.revocation(token.name)}
      run={() => client.tokens.revoke(token.id)}
      queryKey={API_KEYS}
      onClose={onClose}
    />
  );
}
