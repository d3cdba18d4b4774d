<?php
// Reads a body of NDJSON with as little code as possible, and prints the number of records and the seconds.
// Ends when its input ends. Usage: php plain.php <url>
declare(strict_types=1);

$startedAt = hrtime(true);
$options = ['http' => ['method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => '{}']];
$body = fopen($argv[1], 'r', false, stream_context_create($options));
$received = 0;
while (($line = fgets($body)) !== false) {
    if (is_array(json_decode($line, true, 512, JSON_THROW_ON_ERROR))) {
        $received += 1;
    }
}
$seconds = (hrtime(true) - $startedAt) / 1e9;
echo json_encode(['received' => $received, 'seconds' => $seconds]), "\n";
stream_get_contents(STDIN);
