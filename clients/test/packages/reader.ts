import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';

import { PYTHON } from './pypi.js';
import { run, type Ecosystem } from './registry.js';
import { ROOT } from './sources.js';

const PIP = '#!/bin/sh\nexec python3 -m pip "$@"\n';

/** A new user with an empty project folder, who follows a README. */
export class Reader {
  readonly #servers: ChildProcess[] = [];

  private constructor(
    readonly folder: string,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /**
   * Creates an empty project folder of the language.
   * @param settings environment variables of all commands and programs
   */
  static async create(
    language: Ecosystem['language'],
    settings: Readonly<Record<string, string>>,
  ): Promise<Reader> {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-reader-'));
    const bin = join(folder, '.venv/bin');
    const path = [bin, process.env['PATH']].join(delimiter);
    const reader = new Reader(folder, { ...settings, ...(language === 'python' && { PATH: path }) });
    if (language === 'typescript') {
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
      mkdirSync(join(folder, 'node_modules'));
    } else if (language === 'python') {
      // The environment sees Debian's httpx, because there is no index to download it from.
      const venv = ['-m', 'venv', '--system-site-packages', '--without-pip', '.venv'];
      await run(PYTHON, venv, folder);
      writeFileSync(join(bin, 'pip'), PIP);
      chmodSync(join(bin, 'pip'), 0o755);
    } else if (language === 'go') await reader.command('go mod init example.com/project');
    return reader;
  }

  save(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs lines of a shell, and returns what they print. @throws Error if one fails */
  async command(lines: string): Promise<string> {
    return run('bash', ['-euo', 'pipefail', '-c', lines], this.folder, this.settings);
  }

  /** Saves a program, checks its types if the language has a checker, and runs it. Returns what it prints. */
  async program(name: string, text: string): Promise<string> {
    this.save(name, text);
    await this.compile(name);
    const [program, ...args] = commandOf(name);
    return run(program, args, this.folder, this.settings);
  }

  /** Compiles a program in TypeScript beside its source. Other programs need no compilation. */
  async compile(name: string): Promise<void> {
    if (extname(name) !== '.ts') return;
    const types = join(this.folder, 'node_modules/@types');
    mkdirSync(types, { recursive: true });
    for (const [link, target] of [
      [join(types, 'node'), '@types/node'],
      [join(this.folder, 'node_modules/undici-types'), 'undici-types'],
    ] as const)
      await run('ln', ['-sfn', join(ROOT, 'node_modules', target), link], this.folder);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    await run(process.execPath, [compiler, ...options, name], this.folder);
  }

  /** Starts lines of a shell that run until `close` is called. */
  serve(lines: string): ChildProcess {
    const options = { cwd: this.folder, env: { ...process.env, ...this.settings }, detached: true } as const;
    const server = spawn('bash', ['-euo', 'pipefail', '-c', lines], options);
    this.#servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    for (const server of this.#servers.filter(({ exitCode }) => exitCode === null)) {
      const ended = once(server, 'exit');
      // A command such as `go run` starts a further process, so the whole group is ended.
      process.kill(-(server.pid as number), 'SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function commandOf(name: string): readonly [string, ...string[]] {
  switch (extname(name)) {
    case '.ts':
      return [process.execPath, name.replace(/\.ts$/, '.js')];
    case '.mjs':
    case '.js':
      return [process.execPath, name];
    case '.py':
      return ['python3', '-W', 'error', name];
    case '.php':
      return ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', name];
    case '.go':
      return ['go', 'run', name];
    default:
      throw new Error(`expected a program in a language of the clients, received ${name}`);
  }
}
