<?php

declare(strict_types=1);

// The process of LocalServer. It prints its address, then each request, and `closed` when a client closes a connection.
// `response`: the bytes of each response. `endless`: bytes that follow until the client closes the connection.

$settings = unserialize(stream_get_contents(STDIN), ['allowed_classes' => false]);
$server = stream_socket_server('tcp://127.0.0.1:0');
echo stream_socket_get_name($server, false), "\n";
while ($connection = @stream_socket_accept($server, 60)) {
    while (($head = stream_get_line($connection, 65_536, "\r\n\r\n")) !== false && $head !== '') {
        $length = preg_match('/^content-length: (\d+)/im', $head, $found) === 1 ? (int) $found[1] : 0;
        $body = '';
        while (strlen($body) < $length) {
            $body .= fread($connection, $length - strlen($body));
        }
        $start = base64_encode(substr($body, 0, 30_000));
        echo json_encode(['head' => $head, 'body' => $start, 'length' => $length]), "\n";
        fwrite($connection, $settings['response']);
        while (isset($settings['endless']) && @fwrite($connection, $settings['endless'])) {
        }
    }
    echo "closed\n";
}
