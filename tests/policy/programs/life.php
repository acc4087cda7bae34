<?php
file_put_contents('life.txt', 'hello');
if (file_get_contents('life.txt') !== 'hello') exit(1);
unlink('life.txt');
try { throw new Exception('caught'); } catch (Exception $e) { }
$big = str_repeat('x', 50000000);
gc_collect_cycles();
usleep(1000);
echo 'good ', fgets(STDIN);
