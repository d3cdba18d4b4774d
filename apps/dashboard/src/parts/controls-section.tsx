import {
  Button,
  Disclosure,
  FieldGroup,
  FileDrop,
  Form,
  FormActions,
  IconButton,
  LinkButton,
  SearchField,
  SecretField,
  Section,
  TextArea,
  TextField,
  TextLink,
} from '@understudy/ui';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { Choices } from './choices.js';
import { Example, Try } from './example.js';

/** Buttons, links and fields in each state. */
export function ControlsSection() {
  return (
    <Section title="Controls">
      <Example label="Button: kinds">
        <Button kind="primary" icon={<Plus aria-hidden />}>
          New job
        </Button>
        <Button>Dry run</Button>
        <Button kind="danger">Revoke key</Button>
        <Button kind="quiet">Details</Button>
        <IconButton label="Remove row" icon={<Trash2 aria-hidden />} />
      </Example>
      <Example label="Button: pending, disabled, small">
        <Button kind="primary" pending>
          Creating
        </Button>
        <Button pending>Saving</Button>
        <Button disabled>Cancel job</Button>
        <Button kind="primary" disabled>
          Create
        </Button>
        <Button size="small">Send again</Button>
        <Button size="small" kind="quiet">
          View
        </Button>
      </Example>
      <Example label="FileDrop">
        <FileDrop label="Choose archive" hint="Or drop it here." onFile={() => undefined} />
      </Example>
      <Example label="Links">
        <LinkButton href="#parts">Open the job</LinkButton>
        <LinkButton kind="primary" href="#parts">
          Open the playground
        </LinkButton>
        <p>
          Read <TextLink href="#parts">how masking rules work</TextLink> before you write one.
        </p>
      </Example>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Fields />
        <Choices />
      </div>
      <ExampleForm />
    </Section>
  );
}

function Fields() {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Try initial="">{(field) => <SearchField label="Search" placeholder="Name of a job" {...field} />}</Try>
      <Try initial="nightly-copy">
        {(field) => (
          <TextField label="Name" hint="Shown in lists and events. At most 200 characters." {...field} />
        )}
      </Try>
      <Try initial="https://example">
        {(field) => (
          <TextField
            label="Endpoint URL"
            mono
            error="Expected a public host name, received example. Enter a full URL."
            {...field}
          />
        )}
      </Try>
      <Try initial="postgresql://me:secret@db.example.com/shop">
        {(field) => <SecretField label="Connection URL" {...field} />}
      </Try>
      <TextField label="Organisation" disabled value="Acme" onChange={() => undefined} />
      <Try initial="orders.status = 'open'">
        {(field) => <TextArea label="Row condition" mono rows={3} {...field} />}
      </Try>
    </div>
  );
}

/** Shows what the form does with an empty required field and with an error from the API. */
function ExampleForm() {
  const [name, setName] = useState('');
  const [path, setPath] = useState('/orders');
  const [error, setError] = useState<string>();
  return (
    <div className="max-w-md">
      <Form onSubmit={() => setError('A mock endpoint with this path exists. Choose another path.')}>
        <FieldGroup title="Mock endpoint" text="It returns generated records.">
          <TextField label="Endpoint name" name="name" required value={name} onChange={setName} />
          <TextField label="Path" name="path" mono value={path} onChange={setPath} error={error} />
          <Disclosure title="Behaviour" text="Status 200">
            <TextField label="Header" mono value="" onChange={() => undefined} />
          </Disclosure>
        </FieldGroup>
        <FormActions>
          <Button type="submit" kind="primary">
            Create endpoint
          </Button>
          <Button kind="quiet">Cancel</Button>
        </FormActions>
      </Form>
    </div>
  );
}
