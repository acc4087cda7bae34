// what: the whole of standard input by path and by descriptor, readline, and what solutions require
// contest: OK 15
// strict: OK 15
// stdin: 1 2 3 4 5
const fs = require('fs'), os = require('node:os'), util = require('util'), { EventEmitter } = require('events');
const assert = require('assert'), { StringDecoder } = require('string_decoder'), path = require('path');
require('crypto'); require('stream'); require('readline'); require('buffer'); require('perf_hooks').performance.now();
const text = fs.readFileSync('/dev/stdin', 'utf8');
assert(os.EOL === '\n' && util.inspect({}) && path.join('a', 'b') && process.argv.length >= 2);
process.stdout.write(text.split(' ').map(Number).reduce((a, b) => a + b) + os.EOL);
