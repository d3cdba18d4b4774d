<?php

// Writes 1,000 records as JSON, one per line, to the file fixtures.ndjson. Set UNDERSTUDY_API_URL and
// UNDERSTUDY_API_TOKEN. The same seed gives the same file, so you can commit it.

declare(strict_types=1);

use Understudy\Understudy;

require 'vendor/autoload.php';

$schema = [
    'generators' => [
        'id' => ['type' => 'svc', 'algorithm' => 'uuid_v4'],
        'first_name' => ['type' => 'model', 'source' => 'en_US/first_names'],
        'age' => ['type' => 'svc', 'algorithm' => 'int_between', 'params' => ['min' => 18, 'max' => 90]],
    ],
    'output' => ['id', 'first_name', 'age'],
];
$stream = (new Understudy())->generateStream($schema, 1000, seed: 42, now: '2026-01-01T00:00:00Z');
$file = fopen('fixtures.ndjson', 'wb');
foreach ($stream as $record) {
    fwrite($file, json_encode($record, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE) . "\n");
}
fclose($file);
echo "wrote {$stream->count} records with version {$stream->engineVersion} of the engine\n";
