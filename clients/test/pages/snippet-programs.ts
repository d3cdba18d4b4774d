import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { GO_ENVIRONMENT, MYPY_CACHE_DIR, ROOT } from '../support/languages.js';
import type { Fence } from './page-snippets.js';

/** A program that carries out the snippets of all operations. It prints a line for each snippet that failed. */
export interface SnippetProgram {
  /** The texts of the files by their path. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders outside the program by the path of the link that leads to them. */
  readonly links?: Readonly<Record<string, string>>;
  /** A command of the shell. */
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface SnippetCall {
  /** The id of the operation. */
  readonly id: string;
  readonly code: string;
  readonly baseUrl: string;
  /** The code that creates the client. Default: that of the program. */
  readonly setup?: string;
}

/** @param setup the snippet that creates the client */
type ProgramWriter = (calls: readonly SnippetCall[], setup: string) => SnippetProgram;

export const PROGRAMS: Readonly<Record<Fence, ProgramWriter>> = {
  sh: shellProgram,
  ts: typescriptProgram,
  python: pythonProgram,
  php: phpProgram,
  go: goProgram,
};

const files = (calls: readonly SnippetCall[], extension: string, text: (call: SnippetCall) => string) =>
  Object.fromEntries(calls.map((call) => [`calls/${call.id}.${extension}`, text(call)]));

function shellProgram(calls: readonly SnippetCall[]): SnippetProgram {
  const lines = calls.map(
    ({ id, code, baseUrl }) =>
      `(\nexport UNDERSTUDY_API_URL=${baseUrl}\n${code}) >/dev/null || echo "${id} failed"\n`,
  );
  return { files: { 'main.sh': lines.join('\n') }, command: 'sh main.sh' };
}

function typescriptProgram(calls: readonly SnippetCall[], setup: string): SnippetProgram {
  const urls = JSON.stringify(calls.map(({ id, baseUrl }) => [id, baseUrl]));
  const main = `for (const [id, url] of ${urls}) {
  process.env.UNDERSTUDY_API_URL = url;
  await import(\`./calls/\${id}.js\`).catch((error) => console.log(\`\${id}: \${error}\`));
}\n`;
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    types: ['node'],
    skipLibCheck: true,
  };
  return {
    files: {
      ...files(calls, 'ts', (call) => `${call.setup ?? setup}\n${call.code}\nexport {};\n`),
      'package.json': JSON.stringify({ type: 'module' }),
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['calls'] }),
      'main.js': main,
    },
    links: {
      'node_modules/@understudy/client': 'clients/typescript',
      'node_modules/@types': 'node_modules/@types',
    },
    command: `"${process.execPath}" "${join(ROOT, 'node_modules/@typescript/native/bin/tsc')}" -p .; "${process.execPath}" main.js`,
  };
}

const MYPY = '/usr/bin/python3 -m mypy --strict --python-version 3.10 --no-error-summary';

function pythonProgram(calls: readonly SnippetCall[], setup: string): SnippetProgram {
  const urls = JSON.stringify(calls.map(({ id, baseUrl }) => [id, baseUrl]));
  const main = `import os
import runpy

for name, url in ${urls}:
    os.environ["UNDERSTUDY_API_URL"] = url
    try:
        runpy.run_path(f"calls/{name}.py")
    except Exception as error:
        print(f"{name}: {error!r}")
`;
  return {
    files: { ...files(calls, 'py', (call) => `${call.setup ?? setup}\n${call.code}`), 'main.py': main },
    command: `${MYPY} calls; /usr/bin/python3 main.py`,
    environment: {
      PYTHONPATH: join(ROOT, 'clients/python/src'),
      MYPYPATH: join(ROOT, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      MYPY_CACHE_DIR,
    },
  };
}

function phpProgram(calls: readonly SnippetCall[], setup: string): SnippetProgram {
  const urls = calls.map(({ id, baseUrl }) => `    '${id}' => '${baseUrl}',\n`);
  const main = `<?php
foreach ([\n${urls.join('')}] as $id => $url) {
    putenv("UNDERSTUDY_API_URL=$url");
    try {
        (static fn () => require "calls/$id.php")();
    } catch (Throwable $error) {
        echo "$id: {$error->getMessage()}\\n";
    }
}\n`;
  const autoload = `<?php
spl_autoload_register(static function (string $class): void {
    $file = '${join(ROOT, 'clients/php/src')}/' . strtr(substr($class, strlen('Understudy\\\\')), '\\\\', '/') . '.php';
    if (is_file($file)) {
        require_once $file;
    }
});\n`;
  return {
    files: {
      ...files(calls, 'php', (call) => [call.setup ?? setup, call.code].join('\n').trimStart()),
      'vendor/autoload.php': autoload,
      'main.php': main,
    },
    command: 'php -d error_reporting=-1 -d display_errors=1 main.php',
  };
}

function goProgram(calls: readonly SnippetCall[], setup: string): SnippetProgram {
  const module = /^module (\S+)$/m.exec(readFileSync(join(ROOT, 'clients/go/go.mod'), 'utf8'))?.[1] ?? '';
  const indented = (code: string) => code.trimEnd().replace(/^(?=.)/gm, '\t');
  const functions = calls.map(({ id, code, setup: own = setup }) => {
    const result = /^(\w+), err := client/m.exec(code)?.[1];
    return `func ${id}() error {\n${indented(`${own}\n${code}`)}\n${result === undefined ? '' : `\t_ = ${result}\n`}\treturn err\n}\n`;
  });
  const runs = calls.map(({ id, baseUrl }) => `\trun("${id}", "${baseUrl}", ${id})\n`);
  const imports = ['context', 'encoding/json', 'fmt', 'log', 'os'].filter(
    (path) => functions.join('').includes(`${basename(path)}.`) || /^(fmt|os)$/.test(path),
  );
  const main = `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')}
	understudy "${module}"
)

func run(id, url string, call func() error) {
	os.Setenv("UNDERSTUDY_API_URL", url)
	if err := call(); err != nil {
		fmt.Printf("%s: %v\\n", id, err)
	}
}

func main() {
${runs.join('')}}

${functions.join('\n')}`;
  return {
    files: {
      'go.mod': `module snippets\n\ngo 1.19\n\nrequire ${module} v0.1.0\n\nreplace ${module} => ${join(ROOT, 'clients/go')}\n`,
      'main.go': main,
    },
    // gofmt prints the names of files that it would change.
    command: 'gofmt -l main.go && go vet . && go run .',
    environment: GO_ENVIRONMENT,
  };
}
