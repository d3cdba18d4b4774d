<?php

declare(strict_types=1);

namespace Understudy;

use Understudy\Errors\ConfigurationError;
use Understudy\Errors\StreamInterruptedError;
use Understudy\Generated\Resources;
use Understudy\Http\CurlTransport;
use Understudy\Http\Transport;
use Understudy\Internal\Caller;
use Understudy\Internal\Clock;
use Understudy\Internal\Generation;
use Understudy\Internal\Secret;
use Understudy\Internal\Settings;

/** The client of the Understudy API. No dump of it shows the token. */
final class Understudy extends Resources
{
    public const VERSION = '0.1.0';

    /**
     * @param string|null $token the API token; the default is the environment variable UNDERSTUDY_API_TOKEN
     * @param string|null $baseUrl the URL of your control plane; the default is UNDERSTUDY_API_URL
     * @param float $timeout the timeout of one attempt, in seconds, at most 3,600
     * @param float $generateTimeout for `generate`: seconds until the first byte, and between two reads
     * @param int $maxRetries the number of attempts after the first one, at most 10
     * @param float $maxWait the longest `Retry-After` that the client obeys, in seconds
     * @param float $retryBase the base of the delays between attempts, in seconds
     * @param bool $allowPlaintext accepts `http://` for other machines, although it sends the token in plain text
     * @param (callable(Attempt): mixed)|null $onAttempt called after each attempt
     * @param Transport|null $transport the default is ext-curl; `Psr18Transport` uses your own client
     * @param Clock|null $clock for tests of this package
     * @throws ConfigurationError if an option is missing or invalid
     */
    public function __construct(
        #[\SensitiveParameter] ?string $token = null,
        ?string $baseUrl = null,
        float $timeout = 30.0,
        float $generateTimeout = 90.0,
        int $maxRetries = 2,
        float $maxWait = 60.0,
        float $retryBase = 0.5,
        bool $allowPlaintext = false,
        ?callable $onAttempt = null,
        ?Transport $transport = null,
        ?Clock $clock = null,
    ) {
        $token ??= self::environment('UNDERSTUDY_API_TOKEN') ?? throw new ConfigurationError(
            'token is missing. Pass it, or set the environment variable UNDERSTUDY_API_TOKEN.',
        );
        $this->connect(
            new Secret($token),
            $baseUrl,
            $timeout,
            $generateTimeout,
            $maxRetries,
            $maxWait,
            $retryBase,
            $allowPlaintext,
            $onAttempt,
            $transport,
            $clock,
        );
    }

    /**
     * Creates a client for the operations that need no token, such as `members->acceptInvitation`.
     *
     * @param mixed ...$options the named options of the constructor except `token`
     * @throws ConfigurationError if an option is missing or invalid
     */
    public static function withoutToken(?string $baseUrl = null, mixed ...$options): self
    {
        $client = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $client->connect(null, $baseUrl, ...$options);

        return $client;
    }

    private function connect(
        ?Secret $token,
        ?string $baseUrl,
        float $timeout = 30.0,
        float $generateTimeout = 90.0,
        int $maxRetries = 2,
        float $maxWait = 60.0,
        float $retryBase = 0.5,
        bool $allowPlaintext = false,
        ?callable $onAttempt = null,
        ?Transport $transport = null,
        ?Clock $clock = null,
    ): void {
        $settings = new Settings(
            $token,
            $baseUrl ?? self::environment('UNDERSTUDY_API_URL'),
            $timeout,
            $generateTimeout,
            $maxRetries,
            $maxWait,
            $retryBase,
            $allowPlaintext,
        );
        parent::__construct(new Caller(
            $settings,
            $transport ?? new CurlTransport(),
            $clock ?? new Clock(),
            $onAttempt === null ? null : $onAttempt(...),
        ));
    }

    /**
     * Generates records. They are all in memory, so use `generateStream` for many records.
     *
     * @param array<string, mixed> $schema `generators` and `output`
     * @param int $count number of records
     * @param int|null $seed the same seed, schema and version of the engine give the same records
     * @param string|\DateTimeInterface|null $now the time to which relative dates refer, as in ISO 8601
     * @return list<array<string, mixed>>
     * @throws StreamInterruptedError if the stream ended early
     * @throws UnderstudyError
     */
    public function generate(
        array $schema,
        int $count,
        ?int $seed = null,
        string|\DateTimeInterface|null $now = null,
        ?CallOptions $options = null,
    ): array {
        return iterator_to_array($this->generateStream($schema, $count, $seed, $now, $options), false);
    }

    /**
     * Generates records and returns them while they arrive.
     *
     * @param array<string, mixed> $schema `generators` and `output`
     * @param int $count number of records
     * @param int|null $seed the same seed, schema and version of the engine give the same records
     * @param string|\DateTimeInterface|null $now the time to which relative dates refer, as in ISO 8601
     * @throws UnderstudyError
     */
    public function generateStream(
        array $schema,
        int $count,
        ?int $seed = null,
        string|\DateTimeInterface|null $now = null,
        ?CallOptions $options = null,
    ): RecordStream {
        return (new Generation($this->caller))->records($schema, $count, $seed, $now, $options);
    }

    /**
     * Generates a CSV file.
     *
     * @param array<string, mixed> $schema `generators` and `output`
     * @param int $count number of records
     * @param string|resource|null $to a path, or an open stream. A file at a path appears when it is complete.
     * @param int|null $seed the same seed, schema and version of the engine give the same records
     * @param string|\DateTimeInterface|null $now the time to which relative dates refer, as in ISO 8601
     * @return string|null the bytes of the file, or null if `$to` is given
     * @throws StreamInterruptedError if the file ended early
     * @throws UnderstudyError
     */
    public function generateCsv(
        array $schema,
        int $count,
        mixed $to = null,
        ?int $seed = null,
        string|\DateTimeInterface|null $now = null,
        ?CallOptions $options = null,
    ): ?string {
        return (new Generation($this->caller))->csv($schema, $count, $to, $seed, $now, $options);
    }

    private static function environment(string $name): ?string
    {
        $value = getenv($name);

        return $value === false || $value === '' ? null : $value;
    }

    /** Shows only the URL in dumps. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->caller->settings->baseUrl];
    }

    public function __serialize(): array
    {
        throw new \LogicException('expected an object without a token, because a token cannot be serialized');
    }
}
