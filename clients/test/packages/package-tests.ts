import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeWith } from '@understudy/testing';

import { goModules } from './go-modules.js';
import { npm } from './npm.js';
import { packagist } from './packagist.js';
import { pypi } from './pypi.js';
import { Reader } from './reader.js';
import type { Ecosystem, Registry } from './registry.js';
import { copySources, ROOT } from './sources.js';

interface Expected {
  readonly ecosystem: Ecosystem;
  /** The command on the first page of the README. */
  readonly install: string;
  /** Files that each of the archives contains. */
  readonly contains: readonly (readonly string[])[];
  /** Matches files that no archive may contain. */
  readonly lacks: RegExp;
  /** A program that prints the records that the client generates. */
  readonly program: readonly [name: string, text: string];
}

const SCHEMA = '{"generators": {"id": {"type": "svc", "algorithm": "uuid_v4"}}, "output": ["id"]}';

const PAGES = ['README.md', 'LICENSE', 'CHANGELOG.md'];
const PACKAGES: readonly Expected[] = [
  {
    ecosystem: npm,
    install: 'npm install @understudy/client',
    contains: [[...PAGES, 'package.json', 'dist/index.js', 'dist/index.d.ts']],
    lacks: /(^|\/)(tests?|node_modules)\/|\.spec\.|tsbuildinfo|tsconfig/,
    program: [
      'program.ts', // the compiler also checks the declarations of the package
      `import { Understudy } from '@understudy/client';
console.log(JSON.stringify(await new Understudy().generate(${SCHEMA}, 2)));
`,
    ],
  },
  {
    ecosystem: pypi,
    install: 'pip install understudy-client',
    contains: [
      ['understudy/__init__.py', 'understudy/py.typed', 'LICENSE', 'METADATA'],
      ['src/understudy/py.typed', 'pyproject.toml', 'README.md', 'LICENSE'],
    ],
    lacks: /(^|\/)tests?\/|__pycache__|\.pyc$|player\.py/,
    program: [
      'program.py',
      `import json
from understudy import Understudy
print(json.dumps(list(Understudy().generate(${SCHEMA}, 2))))
`,
    ],
  },
  {
    ecosystem: packagist,
    install: 'composer require understudy/client',
    contains: [[...PAGES, 'composer.json']],
    lacks: /(^|\/)(tests?|vendor)\/|phpunit/,
    program: [
      'program.php',
      `<?php
require 'vendor/autoload.php';
echo json_encode((new Understudy\\Understudy())->generate(json_decode('${SCHEMA}', true), 2)), "\\n";
`,
    ],
  },
  {
    ecosystem: goModules,
    install: 'go get github.com/understudy/understudy-go',
    contains: [[...PAGES, 'go.mod']],
    lacks: /\.exe$|(^|\/)vendor\//, // a module always contains its tests
    program: [
      'main.go',
      `package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/understudy/understudy-go"
)

func main() {
	client, err := understudy.New()
	if err != nil {
		panic(err)
	}
	schema := map[string]any{}
	if err := json.Unmarshal([]byte(\`${SCHEMA}\`), &schema); err != nil {
		panic(err)
	}
	records, err := client.Generate(context.Background(), schema, 2)
	if err != nil {
		panic(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(records); err != nil {
		panic(err)
	}
}
`,
    ],
  },
];
const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;

/** The ways to install a package, with the commands of a reader. */
const WAYS = {
  'by its name': ({ install }: Expected) => install,
  'from a clone, as clients/README.md shows': ({ ecosystem }: Expected) =>
    installFromClone(ecosystem.language),
} as const;

/** Defines the tests of the packages in all languages, which are packed, published in a private registry, and installed. */
export function describePackages(ways: readonly (keyof typeof WAYS)[]): void {
  let server: Server;
  let api: string;
  let last: IncomingHttpHeaders = {};
  beforeAll(async () => {
    server = createServer((request, response) => {
      last = request.headers;
      request.resume();
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-generation-count': '2' });
      response.end('{"id":"a"}\n{"id":"b"}\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const expected of PACKAGES) {
    const { language, toolchain } = expected.ecosystem;
    describeWith(`the package in ${language}`, toolchain, () => {
      let folder: string;
      let registry: Registry;
      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'understudy-package-'));
        mkdirSync(join(folder, 'registry'));
        registry = await expected.ecosystem.publish(join(folder, 'registry'));
      });
      afterAll(() => {
        registry?.stop();
        rmSync(folder, { recursive: true, force: true });
      });

      it('contains what its users need, and no tests', () => {
        expect(registry.archives).toHaveLength(expected.contains.length);
        for (const [index, { entries }] of registry.archives.entries()) {
          expect(expected.contains[index]?.filter((name) => !has(entries, name))).toEqual([]);
          expect(entries.filter((name) => expected.lacks.test(name))).toEqual([]);
        }
      });

      it('has the version of the repository, and a changelog for it', () => {
        expect(registry.version).toBe(VERSION);
        const changelog = readFileSync(join(ROOT, 'clients', language, 'CHANGELOG.md'), 'utf8');
        expect(changelog).toMatch(new RegExp(`^## ${VERSION}\\b`, 'm'));
      });

      it.each(ways)('is installed into an empty folder %s, and generates records there', async (way) => {
        const clone = join(folder, 'clone');
        const reader = await Reader.create(language, {
          ...registry.settings,
          CLONE: clone,
          UNDERSTUDY_API_URL: api,
          UNDERSTUDY_API_TOKEN: 'token',
        });
        copySources(language, join(clone, 'clients', language));
        if (language === 'php') reader.save('composer.json', '{}');
        try {
          await reader.command(WAYS[way](expected));
          const printed = await reader.program(...expected.program);
          expect(JSON.parse(printed)).toEqual([{ id: 'a' }, { id: 'b' }]);
          expect(last['user-agent']).toMatch(new RegExp(`^understudy-${language}/${VERSION} \\(.+\\)$`));
          expect(last.authorization).toBe('Bearer token');
        } finally {
          await reader.close();
        }
      });
    });
  }
}

/** Returns the commands that clients/README.md shows for the language. */
function installFromClone(language: Ecosystem['language']): string {
  const page = readFileSync(join(ROOT, 'clients/README.md'), 'utf8');
  const commands = new RegExp(`^\\*\\*${language}\\.\\*\\*[^]*?^\`\`\`sh\n([^]*?)^\`\`\`$`, 'im').exec(
    page,
  )?.[1];
  if (commands === undefined) throw new Error(`expected commands for ${language} in clients/README.md`);
  return commands;
}

/** Checks whether an archive has a file. A wheel has some files in a folder with metadata. */
function has(entries: readonly string[], name: string): boolean {
  return entries.some((entry) => entry === name || entry.endsWith(`.dist-info/${name}`));
}
