<?php

declare(strict_types=1);

// Loads the classes of this package without Composer.
spl_autoload_register(static function (string $class): void {
    $prefix = 'Understudy\\';
    $isTest = str_starts_with($class, "{$prefix}Tests\\");
    $folder = $isTest ? __DIR__ : __DIR__ . '/../src';
    $name = substr($class, strlen($isTest ? "{$prefix}Tests\\" : $prefix));
    $file = "{$folder}/" . strtr($name, '\\', '/') . '.php';
    if (str_starts_with($class, $prefix) && is_file($file)) {
        require $file;
    }
});
