import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ENGINE_VERSION } from '@understudy/generator';

/** Builds docs/reference/versions.md. The numbers come from the code. */
export function versionsPage(root: string): string {
  const { version } = JSON.parse(read(root, 'package.json')) as { version: string };
  const api = found(root, 'docs/reference/openapi.json', /"url": "(\/v\d+)"/);
  const wire = found(root, 'proto/understudy/v1/event.proto', /^package (understudy\.v\d+);/m);
  const model = found(root, 'libs/ngram/src/file/file-layout.ts', /FORMAT_VERSION = (\d+)/);
  const archive = found(root, 'libs/snapshot-store/src/archive/manifest-text.ts', /FORMAT_VERSION = (\d+)/);
  return `# Versions

<!-- Written by \`npm run generate\`. Do not edit. -->

This page helps you to plan an upgrade: it lists each version number, the meaning of a change, and which
programs work together. These commands print the version of the installed programs:

\`\`\`sh
understudy-control-plane --version
understudy-agent --version
understudy --version
\`\`\`

| number | now | where you see it |
| --- | --- | --- |
| [packages](#packages) | ${version} | \`--version\`, names of files, images and charts, \`GET /v1/agents\` |
| [API](#api) | ${api} | the path of each request |
| [engine](#engine) | ${ENGINE_VERSION} | \`meta.engine_version\`, the header \`X-Generation-Engine-Version\` |
| [agent link](#agent-link) | ${wire} | not shown |
| [model files](#files) | ${model} | the header of the file |
| [snapshot archives](#files) | ${archive} | \`manifest.json\` of the archive |

## Packages

The three npm packages, the images, the charts and the clients of one release have the same version. It
follows [semantic versioning](https://semver.org) from 1.0.0 on. Before that, a new minor version may need
changes of your configuration, which [CHANGELOG.md](../../CHANGELOG.md) lists.

## API

Within ${api}, we only add operations, fields and values. We never remove or change what a client uses, so an
old client works with a new control plane. If a new client calls an operation that an old control plane lacks,
it receives 404. A breaking change would get a new path beside ${api}
([ADR 36](../adr/0036-hold-v1-to-a-baseline.md)).

## Engine

The same engine version, definition and seed give the same bytes. The number rises when a generated value or a
built-in model changes ([ADR 54](../adr/0054-do-not-seed-streams-with-the-engine-version.md)). Data that was
generated before stays as it is. If you compare generated files in tests, generate them again.

The copies of one sync job never mix versions. The package version and the engine version are part of the
fingerprint that a job records. If you upgrade the agent during a job, its next attempt copies all tables again.

## Agent link

Agents and the control plane exchange messages of \`${wire}\`. Within this version, fields and kinds of messages
are only added. \`npm run check\` compares the messages with those of the previous release.

Upgrade the control plane first, and then the agents. You may upgrade the agents one by one.

| control plane | agent | result |
| --- | --- | --- |
| newer | older | supported |
| same | same | supported |
| older | newer | works, but events of new kinds wait |

If the agent is newer, the control plane may receive an event of an unknown kind. It does not acknowledge this
event. The agent keeps the event, and later ones of the same work, until you upgrade the control plane. If the
agent is older, it does not run a command of an unknown kind, such as one with a restriction that it cannot
enforce.

Several control planes of different versions may run on one database during a rolling upgrade. Run
\`understudy-control-plane migrate\` of the new version first, because the previous version works with the new
schema. \`migrate\` has no way back. To return to an old version, restore a backup of the database.

The command line does not use the agent link. It calls the API only to upload models.

## What was tried

We run the previous release and the present one together, on real PostgreSQL, Redis and NATS servers
([ADR 104](../adr/0104-test-upgrades-from-a-commit.md)). Each of these was tried:

- A filled database is migrated, and a new control plane starts, while an old one serves requests. No request
  fails. Both return all that was stored, field by field, and each reads what the other one writes.
- A job runs from before the migration until the last old control plane has ended. It completes in its first
  attempt, and its target is masked and complete.
- An old agent with a new control plane, and a new agent with an old one, complete a masked job, a snapshot and
  a restore. The agent enrols with the other release. An old agent also continues after the upgrade.
- A new agent takes the files of an old one, and restores its snapshot.
- The old clients for TypeScript, Python, Go and PHP list jobs, read records as JSON, NDJSON and CSV, create a
  job and verify a webhook of the new server.

These were not tried: releases further apart, two releases side by side for hours, and a rolling upgrade in
Kubernetes. Archives in a bucket and sessions of the dashboard were not tried, either.

## Files

| file | version | another version |
| --- | --- | --- |
| model, \`.ngram\` | ${model} | refused. Train the model again, or use a newer program for a newer file. |
| snapshot archive | ${archive} | refused. Use a newer agent for a newer archive. |

The formats are public: [model files](ngram-format.md) and [snapshot archives](snapshot-archive-format.md).

## PostgreSQL and Node.js

Source and target are PostgreSQL 14 to 18 ([support](postgres-support.md)). The programs need Node.js
20.19, 22.12 or newer. Node.js 21 lacks functions that they use. Each release is installed and run with Node.js 20.19, 22 and 24
([ADR 74](../adr/0074-bundle-dependencies-in-npm-packages.md)).
`;
}

function found(root: string, path: string, pattern: RegExp): string {
  const match = pattern.exec(read(root, path))?.[1];
  if (match === undefined) throw new Error(`${path}: expected ${String(pattern)}, found nothing`);
  return match;
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
