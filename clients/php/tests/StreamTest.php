<?php

declare(strict_types=1);

namespace Understudy\Tests;

use PHPUnit\Framework\TestCase;
use Understudy\Errors\ConfigurationError;
use Understudy\Errors\StreamInterruptedError;
use Understudy\RecordStream;
use Understudy\Understudy;

final class StreamTest extends TestCase
{
    private const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        . "X-Generation-Count: 1000000000\r\n\r\n";

    private function stream(LocalServer $server): RecordStream
    {
        return (new Understudy(token: 'token', baseUrl: $server->url))->generateStream(['output' => []], 1);
    }

    /** @testdox leaving a loop closes the connection, also while the program keeps the stream */
    public function testLeavingALoop(): void
    {
        $server = new LocalServer(['response' => self::HEAD, 'endless' => str_repeat("{\"id\": 1}\n", 1000)]);
        $stream = $this->stream($server);
        foreach ($stream as $record) {
            self::assertSame(['id' => 1], $record);
            break;
        }
        self::assertStringContainsString('POST /v1/generate', $server->request()['head']);
        self::assertSame('closed', $server->line());
    }

    /** @testdox dropping a stream closes the connection */
    public function testDroppingAStream(): void
    {
        $server = new LocalServer(['response' => self::HEAD, 'endless' => str_repeat("{\"id\": 1}\n", 1000)]);
        $stream = $this->stream($server);
        self::assertSame(1_000_000_000, $stream->count);
        unset($stream);
        $server->request();
        self::assertSame('closed', $server->line());
    }

    /** @return array<string, array{string}> */
    public function malformed(): array
    {
        $lines = [
            '{"a":01.50000000000000000001}', '{"a":--1.50000000000000000001}', '{1.50000000000000000001:1}',
            '{"a":1.50000000000000000001.5}', '{"a":1.e50000000000000000001}', '{"a":.50000000000000000001}',
        ];

        return array_combine($lines, array_map(static fn (string $line): array => [$line], $lines));
    }

    /**
     * @dataProvider malformed
     * @testdox $_dataName is not JSON, although a long decimal becomes a text
     */
    public function testMalformedDecimal(string $line): void
    {
        $head = str_replace('1000000000', "1\r\nContent-Length: " . \strlen($line), self::HEAD);
        $this->expectException(StreamInterruptedError::class);
        $this->expectExceptionMessage('a line of the stream is not JSON');
        iterator_to_array($this->stream(new LocalServer(['response' => $head . $line])));
    }

    /** @testdox a record may have keys that are numbers */
    public function testNumericKeys(): void
    {
        $head = str_replace('1000000000', "1\r\nContent-Length: 9", self::HEAD);
        $server = new LocalServer(['response' => $head . "{\"0\": 1}\n"]);
        self::assertSame([[1]], iterator_to_array($this->stream($server)));
    }

    /** @testdox a stream in memory is limited to a few MiB, also if the reader is slow */
    public function testMemory(): void
    {
        $record = json_encode(['text' => str_repeat('x', 10_000)]);
        $server = new LocalServer(['response' => self::HEAD, 'endless' => str_repeat("{$record}\n", 100)]);
        memory_reset_peak_usage();
        $before = memory_get_usage();
        foreach ($this->stream($server) as $index => $record) {
            if ($index === 10_000) { // 100 MB
                break;
            }
        }
        self::assertLessThan(16_000_000, memory_get_peak_usage() - $before);
    }

    /** @testdox a second iteration over a stream is refused */
    public function testSecondIteration(): void
    {
        $server = new LocalServer(['response' => "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
            . "X-Generation-Count: 2\r\nContent-Length: 6\r\n\r\n{}\n{}\n"]);
        $stream = $this->stream($server);
        self::assertSame([[], []], iterator_to_array($stream));
        $this->expectException(\LogicException::class);
        iterator_to_array($stream);
    }

    /** @testdox a program can call the API while it reads a stream */
    public function testCallWhileStreaming(): void
    {
        $server = new LocalServer(['response' => self::HEAD, 'endless' => str_repeat("{\"id\": 1}\n", 1000)]);
        $other = LocalServer::json(['data' => ['id' => 'job_1']]);
        $client = new Understudy(token: 'token', baseUrl: $server->url);
        $second = new Understudy(token: 'token', baseUrl: $other->url);
        foreach ($client->generateStream(['output' => []], 1) as $index => $record) {
            self::assertSame('job_1', $second->jobs->get('job_1')->id);
            if ($index === 2) {
                break;
            }
        }
        $server->request();
        self::assertSame('closed', $server->line());
    }

    /** @testdox a CSV file that is cut does not appear, and leaves no part of a file */
    public function testCsvFile(): void
    {
        $folder = sys_get_temp_dir() . '/understudy-php-' . bin2hex(random_bytes(6));
        mkdir($folder);
        try {
            $csv = "id\r\n\"a\nb\"\r\n";
            $length = \strlen($csv);
            $head = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: {$length}\r\nX-Generation-Count:";
            $complete = new LocalServer(['response' => "{$head} 1\r\n\r\n{$csv}"]);
            $client = new Understudy(token: 'token', baseUrl: $complete->url);
            self::assertNull($client->generateCsv(['output' => []], 1, "{$folder}/complete.csv"));
            self::assertSame($csv, file_get_contents("{$folder}/complete.csv"));

            $cut = new LocalServer(['response' => "{$head} 2\r\n\r\n{$csv}"]);
            $other = new Understudy(token: 'token', baseUrl: $cut->url);
            try {
                $other->generateCsv(['output' => []], 2, "{$folder}/cut.csv");
                self::fail('expected an error');
            } catch (StreamInterruptedError $error) {
                self::assertSame([1, 2], [$error->received, $error->expected]);
            }
            self::assertSame(['.', '..', 'complete.csv'], scandir($folder));
            $this->expectException(ConfigurationError::class);
            $client->generateCsv(['output' => []], 1, "{$folder}/missing/file.csv");
        } finally {
            array_map('unlink', glob("{$folder}/*") ?: []);
            rmdir($folder);
        }
    }
}
