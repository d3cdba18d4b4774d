<?php

declare(strict_types=1);

namespace Understudy\Tests;

use Understudy\Attempt;
use Understudy\CallOptions;
use Understudy\Generated\Types\SyncJob;
use Understudy\Http\Psr18Transport;
use Understudy\Understudy;
use Understudy\UnderstudyError;
use Understudy\Webhook;

/** One call of the player. */
final class Play
{
    /** @var array<string, mixed> */
    private array $answer;
    private ?Understudy $client = null;
    /** The client of all lines with `keep_client`. */
    private static ?Understudy $kept = null;
    /** @var list<array<string, mixed>> the attempts of the current call */
    private static array $attempts = [];

    /** @param array<string, mixed> $line */
    public function __construct(private readonly array $line, private readonly bool $psr18)
    {
        $this->answer = ['id' => $line['id'], 'attempts' => []];
        self::$attempts = &$this->answer['attempts'];
    }

    /** @return array<string, mixed> the line to print */
    public function run(): array
    {
        foreach (['UNDERSTUDY_API_TOKEN', 'UNDERSTUDY_API_URL'] as $name) {
            unset($_ENV[$name], $_SERVER[$name]);
            putenv(isset($this->line['env'][$name]) ? "{$name}={$this->line['env'][$name]}" : $name);
        }
        try {
            $this->answer['result'] = $this->call();
        } catch (UnderstudyError $error) {
            $this->answer['error'] = $this->describe($error);
        } catch (\Throwable $error) {
            $class = get_debug_type($error);
            $message = "{$class}: {$error->getMessage()}";
            $this->answer['error'] = ['class' => $class, 'message' => $message, 'text' => (string) $error];
        }
        $this->client = null;

        return $this->answer;
    }

    private function call(): mixed
    {
        $line = $this->line;
        if ($line['call'] === 'webhooks.verify') {
            $given = $line['verify'];
            $body = base64_decode($given['body'], true);
            $tolerance = $given['tolerance'] ?? 300;
            $headers = (array) $given['headers'];

            return Webhook::verify(
                $body,
                $headers,
                $given['secrets'],
                $tolerance,
                $given['now'] ?? null,
                $given['allow_untimed'] ?? false,
            );
        }
        $isKept = $line['keep_client'] ?? false;
        $this->client = $client = $isKept ? (self::$kept ??= $this->client()) : $this->client();
        $schema = (array) ($line['schema'] ?? []);
        $count = $line['count'] ?? 0;
        $generate = [...(array) ($line['generate'] ?? []), 'options' => $this->options()];

        return match ($line['call']) {
            'construct' => ['base_url' => $client->__debugInfo()['baseUrl'], 'text' => Dump::text($client)],
            'generate' => $client->generate($schema, $count, ...$generate),
            'generateStream' => $this->stream($client->generateStream($schema, $count, ...$generate)),
            'generateCsv' => self::file($client->generateCsv($schema, $count, $line['to'] ?? null, ...$generate)),
            'jobs.wait' => $client->jobs->wait(
                $line['path'][0],
                fn (SyncJob $job) => $this->answer['progress'][] = $job->status ?? null,
                $line['wait']['timeout'] ?? null,
                $this->options(),
            ),
            default => $this->method($client),
        };
    }

    private function client(): Understudy
    {
        // A static closure, because a dump of the client shows its callback, and $this contains the token.
        $options = ['onAttempt' => static function (Attempt $attempt): void {
            self::$attempts[] = [
                'operation' => $attempt->operation,
                'attempt' => $attempt->attempt,
                'status' => $attempt->status,
                'request_id' => $attempt->requestId,
                'delay' => $attempt->delay,
            ];
        }];
        $given = (array) ($this->line['client'] ?? []);
        foreach ($given as $name => $value) {
            $options[self::camel($name)] = $value;
        }
        unset($options['withoutToken']);
        if (isset($this->line['real_backoff_scale'])) {
            $options['clock'] = new FakeClock((float) $this->line['real_backoff_scale']);
        } elseif ($this->line['fake_sleep'] ?? false) {
            $options['clock'] = new FakeClock();
        }
        if ($this->psr18) {
            $streams = str_starts_with($this->line['call'], 'generate');
            $timeout = $this->line['options']['timeout'] ?? $given[$streams ? 'generate_timeout' : 'timeout'] ?? 60;
            $factory = new \Nyholm\Psr7\Factory\Psr17Factory();
            // Otherwise, curl sends a request again, without a trace, if a kept connection turns out to be closed.
            $settings = ['timeout' => $timeout, 'curl' => [CURLOPT_FRESH_CONNECT => true]];
            if ($streams) {
                $settings += ['stream' => true, 'read_timeout' => $timeout];
            }
            $options['transport'] = new Psr18Transport(new \GuzzleHttp\Client($settings), $factory, $factory);
        }

        return $given['without_token'] ?? false ? Understudy::withoutToken(...$options) : new Understudy(...$options);
    }

    private function options(): CallOptions
    {
        $options = [];
        foreach ((array) ($this->line['options'] ?? []) as $name => $value) {
            $options[self::camel($name)] = $value;
        }

        return new CallOptions(...$options);
    }

    /** Calls the method of an operation, or an iterator. */
    private function method(Understudy $client): mixed
    {
        $names = explode('.', $this->line['call']);
        $method = array_pop($names);
        $target = $names === [] ? $client : $client->{$names[0]};
        $arguments = $this->line['path'] ?? [];
        if (isset($this->line['query'])) {
            $arguments[] = (array) $this->line['query'];
        }
        if (isset($this->line['body'])) {
            $body = (array) $this->line['body'];
            if (isset($body['file']['base64'])) {
                $body['file'] = base64_decode($body['file']['base64'], true);
            }
            $arguments[] = $body;
        }
        $result = $target->{$method}(...$arguments, options: $this->options());
        if (!$result instanceof \Generator) {
            return \is_string($result) ? self::file($result) : $result;
        }
        foreach ($this->taken($result) as $item) {
            $this->answer['records'][] = $item;
        }
        $records = $this->answer['records'] ?? [];
        unset($this->answer['records']);

        return $records;
    }

    private function stream(\Understudy\RecordStream $stream): mixed
    {
        $this->answer['stream'] = [
            'seed' => $stream->seed,
            'count' => $stream->count,
            'now' => $stream->now,
            'engine_version' => $stream->engineVersion,
            'warnings' => $stream->warnings,
        ];
        $this->answer['received'] = 0;
        foreach ($this->taken($stream) as $record) {
            ++$this->answer['received'];
            if (!($this->line['discard'] ?? false)) {
                $this->answer['records'][] = $record === [] ? new \stdClass() : $record;
            }
        }
        $records = $this->answer['records'] ?? [];
        unset($this->answer['records']);

        return $this->line['discard'] ?? false ? null : $records;
    }

    /** Stops after the number of items that the line demands. */
    private function taken(iterable $items): \Generator
    {
        $rest = $this->line['take'] ?? PHP_INT_MAX;
        foreach ($items as $item) {
            yield $item;
            if (--$rest <= 0) {
                return;
            }
        }
    }

    /** @return array{base64: string}|null */
    private static function file(?string $bytes): ?array
    {
        return $bytes === null ? null : ['base64' => base64_encode($bytes)];
    }

    /** @return array<string, mixed> */
    private function describe(UnderstudyError $error): array
    {
        return [
            'class' => substr(strrchr($error::class, '\\'), 1),
            'message' => $error->getMessage(),
            'code' => $error->code === '' ? null : $error->code,
            'status' => $error->status ?? null,
            'request_id' => $error->requestId ?? null,
            'details' => $error->details ?? null,
            'retry_after' => $error->retryAfter ?? null,
            'idempotency_key' => $error->idempotencyKey ?? null,
            'received' => $error->received ?? null,
            'expected' => $error->expected ?? null,
            'reason' => $error->reason ?? null,
            'job' => $error->job ?? null,
            'text' => Dump::text($error) . ($this->client === null ? '' : Dump::text($this->client)),
        ];
    }

    private static function camel(string $name): string
    {
        return lcfirst(str_replace('_', '', ucwords($name, '_')));
    }
}
