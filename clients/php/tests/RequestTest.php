<?php

declare(strict_types=1);

namespace Understudy\Tests;

use PHPUnit\Framework\TestCase;
use Understudy\CallOptions;
use Understudy\Errors\ConfigurationError;
use Understudy\Errors\ConnectionError;
use Understudy\Http\Request;
use Understudy\Http\Response;
use Understudy\Http\Transport;
use Understudy\Http\TransportFailure;
use Understudy\Understudy;

final class RequestTest extends TestCase
{
    private LocalServer $server;
    private Understudy $client;

    protected function setUp(): void
    {
        $this->server = LocalServer::json(['data' => ['id' => 'id_1']]);
        $this->client = new Understudy(token: 'token', baseUrl: $this->server->url);
    }

    /** @testdox empty arrays are sent as objects where the API expects objects */
    public function testEmptyObjects(): void
    {
        $this->client->jobs->create([
            'name' => 'x',
            'source' => [],
            'agent' => ['labels' => []],
            'tables' => [['name' => 'a', 'columns' => []], ['columns' => ['c' => []]], []],
        ]);
        self::assertSame(
            '{"name":"x","source":{},"agent":{"labels":[]},'
            . '"tables":[{"name":"a","columns":{}},{"columns":{"c":{}}},{}]}',
            base64_decode($this->server->request()['body'], true),
        );
    }

    /** @testdox a call without fields sends an empty object */
    public function testEmptyBody(): void
    {
        $this->client->webhooks->test('wh_1');
        self::assertSame('{}', base64_decode($this->server->request()['body'], true));
    }

    /** @testdox a large body is sent without waiting for "100 Continue" */
    public function testLargeBody(): void
    {
        $schema = ['type' => str_repeat('x', 2_000_000)];
        $this->client->mockEndpoints->create(['path' => '/a', 'method' => 'GET', 'schema' => $schema]);
        $request = $this->server->request();
        self::assertStringNotContainsStringIgnoringCase('expect:', $request['head']);
        self::assertGreaterThan(2_000_000, $request['length']);
    }

    /** @return array<string, array{\Closure(): mixed}> */
    public function files(): array
    {
        $path = __DIR__ . '/autoload.php';

        return [
            'the bytes' => [static fn () => file_get_contents($path)],
            'an open stream' => [static fn () => fopen($path, 'rb')],
            'a file object' => [static fn () => new \SplFileInfo($path)],
        ];
    }

    /**
     * @dataProvider files
     * @testdox $_dataName of a model can be uploaded
     */
    public function testUpload(\Closure $file): void
    {
        $this->client->models->upload(['file' => $file(), 'name' => 'Names "of" cities']);
        ['head' => $head, 'body' => $body] = $this->server->request();
        preg_match('/boundary=(\S+)/', $head, $found);
        $parts = explode("--{$found[1]}", base64_decode($body, true));
        self::assertCount(4, $parts);
        self::assertStringContainsString("\r\n\r\n" . file_get_contents(__DIR__ . '/autoload.php') . "\r\n", $parts[1]);
        self::assertStringContainsString("name=\"name\"\r\n\r\nNames \"of\" cities\r\n", $parts[2]);
    }

    /** @testdox a proxy for plain HTTP in the environment does not receive requests to this machine */
    public function testProxy(): void
    {
        $proxy = LocalServer::json(['data' => ['id' => 'proxy']]);
        putenv("http_proxy={$proxy->url}");
        try {
            self::assertSame('id_1', $this->client->jobs->get('job_1')->id);
        } finally {
            putenv('http_proxy');
        }
    }

    /** @return array<string, array{\Closure(Understudy): mixed, string}> */
    public function mistakes(): array
    {
        return [
            'an id that is a folder' => [static fn (Understudy $it) => $it->jobs->get('..'), 'expected an id as id'],
            'an empty id' => [static fn (Understudy $it) => $it->jobs->get(''), 'expected an id as id'],
            'a body that is not UTF-8' => [
                static fn (Understudy $it) => $it->members->invite(['email' => "\xff"]),
                'expected a body that JSON can express',
            ],
            'a key for an operation without keys' => [
                static fn (Understudy $it) => $it->jobs->list([], new CallOptions(idempotencyKey: 'key')),
                'listSyncJobs accepts no key',
            ],
            'a key with a line break' => [
                static fn (Understudy $it) => $it->webhooks->test('w', [], new CallOptions(idempotencyKey: "a\nb: c")),
                'expected 1 to 255 visible ASCII characters',
            ],
            'a filter that is a list' => [
                static fn (Understudy $it) => $it->jobs->list(['status' => ['pending']]),
                'expected a text or a number as status',
            ],
            'a model without a readable file' => [
                static fn (Understudy $it) => $it->models->upload(['file' => new \SplFileInfo('/none'), 'name' => 'x']),
                'SplFileInfo of a readable file as file',
            ],
            'a negative time to wait' => [
                static fn (Understudy $it) => $it->jobs->wait('job_1', timeout: -1.0),
                'timeout: expected a number',
            ],
            'a time that is not a number' => [
                static fn (Understudy $it) => $it->jobs->list([], new CallOptions(timeout: NAN)),
                'timeout: expected a number',
            ],
        ];
    }

    /**
     * @dataProvider mistakes
     * @testdox $_dataName is refused before a request is sent
     */
    public function testMistake(\Closure $call, string $message): void
    {
        $this->expectException(ConfigurationError::class);
        $this->expectExceptionMessage($message);
        $call($this->client);
    }

    /** @testdox a request that must not be sent twice unnoticed does not use a kept connection */
    public function testKeptConnections(): void
    {
        $transport = new class () implements Transport {
            /** @var list<bool> */
            public array $repeatable = [];

            public function send(Request $request): Response
            {
                $this->repeatable[] = $request->repeatable;
                throw new TransportFailure('broken');
            }
        };
        $client = new Understudy(
            token: 'token',
            baseUrl: 'https://example.com',
            maxRetries: 1,
            transport: $transport,
            clock: new FakeClock(),
        );
        $calls = [
            fn () => $client->jobs->get('job_1'),
            fn () => $client->webhooks->delete('wh_1'),
            fn () => $client->jobs->delete('job_1'),
            fn () => $client->members->acceptInvitation(['token' => 'x']),
        ];
        foreach ($calls as $call) {
            try {
                $call();
                self::fail('expected an error');
            } catch (ConnectionError) {
            }
        }
        self::assertSame([true, false, false, false, false, false], $transport->repeatable);
    }
}
