import {
  Button,
  Card,
  Code,
  CodeBlock,
  ConfirmDialog,
  CopyField,
  Dialog,
  ErrorNotice,
  Menu,
  Notice,
  SecretOnce,
  Section,
  Skeleton,
  Spinner,
  Tabs,
  TextField,
  toast,
  Tooltip,
  Truncated,
} from '@understudy/ui';
import { KeyRound, LogOut, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { Example, Try } from './example.js';

/** Messages, code, secrets and everything that opens over the page. */
export function FeedbackSection() {
  return (
    <>
      <Section title="Messages">
        <Notice
          announce={false}
          title="The agent is older than the server"
          text="Update it to use subsets."
        />
        <Notice announce={false} tone="success" text="The copy was verified: 12,304 rows, 0 differences." />
        <Notice
          announce={false}
          tone="warning"
          title="Your session ends in 2 minutes"
          action={<Button size="small">Stay signed in</Button>}
        />
        <ErrorNotice
          problem={{
            title: 'The list could not be loaded',
            text: 'The server responded with 503.',
            remedy: 'Wait a minute, then try again.',
            requestId: 'req_01JD3W8M0C5V8N2B7Y',
            details: ['tables[3].where: expected a condition, received an empty text'],
          }}
          onRetry={() => undefined}
        />
        <Example label="Loading">
          <Spinner />
        </Example>
        <Card title="Loading">
          <Skeleton lines={3} />
        </Card>
      </Section>
      <Section title="Code and secrets">
        <CodeBlock
          language="Shell"
          code={'export UNDERSTUDY_TOKEN=usk_…\nnpx understudy jobs create nightly.yaml'}
        />
        <p>
          The job <Code>01JD3W8M0C5V8N2B7YQ4K9T6ZR</Code> copies tables with long names:
        </p>
        <Truncated text={'customers_of_the_archive_'.repeat(12)} mono />
        <div className="grid gap-4 md:grid-cols-2">
          <CopyField label="Job ID" value="01JD3W8M0C5V8N2B7YQ4K9T6ZR" />
          <CopyField label="Signing secret" secret value="whsec_4f9c2d1e8a7b6c5d" />
        </div>
        <Card title="Your new API key">
          <SecretOnce
            label="API key"
            value="usk_live_4f9c2d1e8a7b6c5d4f9c2d1e8a7b6c5d"
            warning="Copy the key now. It is not shown again."
            onStored={() => undefined}
          />
        </Card>
      </Section>
      <Overlays />
    </>
  );
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'typed'>();
  const close = () => setOpen(undefined);
  return (
    <Section title="Overlays">
      <Example label="Dialogs, menu, tooltip">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Open confirmation</Button>
        <Button onClick={() => setOpen('typed')}>Open typed confirmation</Button>
        <Menu
          label="Acme"
          showLabel
          kind="secondary"
          align="start"
          header="Signed in as ada@example.com"
          items={[
            { label: 'API keys', icon: <KeyRound aria-hidden />, render: <a href="#parts" /> },
            'separator',
            {
              label: 'Delete endpoint',
              icon: <Trash2 aria-hidden />,
              danger: true,
              onSelect: () => setOpen('typed'),
            },
            { label: 'Sign out', icon: <LogOut aria-hidden /> },
          ]}
        />
        <Tooltip text="Copies of this table are compared by checksum">
          <Button kind="quiet">Hover here</Button>
        </Tooltip>
      </Example>
      <Example label="Toasts">
        <Button onClick={() => toast.success('Key created')}>Success</Button>
        <Button onClick={() => toast.error('The key was not revoked', 'The server did not respond.')}>
          Error
        </Button>
        <Button onClick={() => toast.undo('Endpoint deleted', () => toast.success('Endpoint restored'))}>
          Undo
        </Button>
      </Example>
      <Try<'tables' | 'attempts' | 'report'> initial="tables">
        {({ value, onChange }) => (
          <Tabs
            label="Job"
            value={value}
            onChange={onChange}
            tabs={[
              { id: 'tables', label: 'Tables', count: 10_000 },
              { id: 'attempts', label: 'Attempts', count: 2 },
              { id: 'report', label: 'Verification' },
            ]}
          >
            <p className="text-muted">The content of {value}.</p>
          </Tabs>
        )}
      </Try>
      <Dialog
        open={open === 'dialog'}
        onOpenChange={close}
        title="New API key"
        description="A key lets programs call the API with the scopes that you choose."
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" onClick={close}>
              Create key
            </Button>
          </>
        }
      >
        <Try initial="">{(field) => <TextField label="Key name" {...field} />}</Try>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onOpenChange={close}
        title="Revoke the key ci-nightly?"
        consequence="Programs that use it are refused from the next call on. This cannot be undone."
        confirmLabel="Revoke key"
        onConfirm={close}
      />
      <ConfirmDialog
        open={open === 'typed'}
        onOpenChange={close}
        title="Delete the endpoint?"
        consequence="Its deliveries are deleted, too. This cannot be undone."
        confirmLabel="Delete endpoint"
        typeToConfirm="orders"
        onConfirm={close}
      >
        <Notice tone="danger" text="The server did not respond. Try again." />
      </ConfirmDialog>
    </Section>
  );
}
